"""What a plugin leaves behind is delivered by a process of ours, which is in nobody's way."""

import os
import signal

from tests.transparency.recorded import wait_for_event
from tests.transparency.waiting import until
from tests.transparency.ways import Starter, only_linux, plugin

UNREAD = 150_000
SAYS_MUCH_AND_ENDS = plugin(f"os.write(1, b'x' * {UNREAD})")
"""More than the host's pipe and the plugin's own hold: it ends once the host has read a little."""


def members(group: int) -> list[int]:
    """Return the pids of a process group."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:  # gone meanwhile
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(int(name))
    return found


@only_linux
def test_what_a_slow_host_has_not_read_is_kept_for_it(record: Starter) -> None:
    child = record(SAYS_MUCH_AND_ENDS)
    head = child.receive_exactly(30_000)
    assert child.wait() == 0
    assert head + child.receive_rest() == b"x" * UNREAD
    recorded = child.recorded()
    assert recorded.stream("out") == b"x" * UNREAD
    assert recorded.details("lingering") == [{"streams": ["out"], "unread": ["out"]}]


@only_linux
def test_it_has_left_the_plugins_folder_and_ends_when_the_group_is_told_to(
    record: Starter,
) -> None:
    child = record(SAYS_MUCH_AND_ENDS)
    child.receive_exactly(30_000)
    assert child.wait() == 0
    assert child.file is not None
    wait_for_event(child.file, "lingering")
    (left,) = members(child.pid)
    until(lambda: os.readlink(f"/proc/{left}/cwd") == "/", "it to leave the folder")
    os.killpg(child.pid, signal.SIGTERM)
    until(lambda: members(child.pid) == [], "the group to be empty")
    child.watched -= {"out"}
    recorded = child.recorded()
    assert recorded.stream("out") == b"x" * UNREAD
    assert [its["signal"] for its in recorded.details("signal")] == ["SIGTERM"]
    assert [kind for kind, _ in recorded.events[-2:]] == ["signal", "end"]
    assert recorded.outcome == "exit 0"
