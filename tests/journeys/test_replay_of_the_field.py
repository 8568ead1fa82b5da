"""What a recording is replayed for: a late answer, heartbeats that stop, a malformed payload."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tapproxy.opening import opened
from tapproxy_store.records import Event
from tests.journeys.two_sides import chunks_of

ROOT = Path(__file__).parents[2]
TAPES = ROOT / "fixtures/tapes"
LATE = TAPES / "lingxi-late.tape"
SILENT = TAPES / "xlings-silent.tape"
MALFORMED = TAPES / "malformed.tape"

HOST = [sys.executable, str(ROOT / "tests/programs/lingxi_host.py"), "--calls", "echo", "--"]
PLUGIN = [sys.executable, str(ROOT / "tests/programs/lingxi_plugin.py")]
CLIENT = [sys.executable, str(ROOT / "tests/programs/xlings_client.py")]
INSTALL = ["install_packages", "--args", '{"targets":["node@22.4.0","gcc@14.2.0"],"seconds":4.6}']
XLINGS = [sys.executable, str(ROOT / "tests/programs/xlings_interface.py"), "interface", *INSTALL]
FASTER = {
    "XLINGS_HEARTBEAT": "0.5",
    "XLINGS_MUTE": "6,1.2",
    "PYTHONPATH": ":".join(str(ROOT / it) for it in (".", "store", "viewers")),
}
"""A tenth of the real times."""

WITHIN_S = 30

TRIES = 5


def replay(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "tapproxy", "replay", *map(str, arguments)]


def steps_to_the_kill(recording: Path) -> list[str]:
    """Tell what crossed before the host ended its plugin, and that it did."""
    with opened(str(recording)) as it:
        entries = list(it.entries(it.session().id))
    said = []
    for entry in entries:
        if not isinstance(entry, Event):
            said += [f"{entry.frame.stream} {message.method}" for message in entry.messages]
        elif entry.kind == "signal":
            return [*said, str(entry.detail["signal"])]
    return said


def test_a_host_kills_the_recorded_plugin_for_the_same_late_answer(tmp_path: Path) -> None:
    for number in range(TRIES):
        again = tmp_path / f"{number}.tap"
        command = [*HOST, *replay(LATE, "--as", "plugin", "-o", again)]
        done = subprocess.run(command, capture_output=True, timeout=WITHIN_S, check=True, text=True)
        said = done.stdout.splitlines()
        if said[0] == "initialized":
            break
    else:
        pytest.skip("this machine is so busy that no plugin starts within 3.0 s")
    assert said[1] == "failed: no answer in 3.0 s"
    assert steps_to_the_kill(again) == steps_to_the_kill(LATE)
    assert steps_to_the_kill(LATE)[-2:] == ["in tool.execute", "SIGTERM"]


@pytest.mark.parametrize(
    ("changed", "code", "said"),
    [
        (["--ignore-term"], 0, "same: 6 of 6"),
        (["--ignore-term", "--fail"], 1, "differs: 1 changed · 5 of 6 same"),
    ],
)
def test_a_mended_plugin_passes_before_the_recorded_host_and_a_broken_one_does_not(
    changed: list[str], code: int, said: str
) -> None:
    options = ("--as", "host", "--pace", "20", "--no-record", "--")
    command = [*replay(LATE, *options), *PLUGIN, *changed]
    done = subprocess.run(command, stderr=subprocess.PIPE, timeout=WITHIN_S, check=False, text=True)
    report = [it for it in done.stderr.splitlines() if not it.startswith("[demo]")]
    assert (done.returncode, report[0]) == (code, said)


@pytest.mark.parametrize(
    "plugin",
    [XLINGS, replay(SILENT, "--as", "plugin", "--pace", "10", "--no-record")],
    ids=["xlings", "its recording"],
)
def test_a_client_declares_it_dead_at_the_same_heartbeat(plugin: list[str]) -> None:
    """It waits 8 s, where the heartbeats, one each 5 s, stop for 12 s; all ten times as fast."""
    command = [*CLIENT, "--reply", "confirm-install", "yes", "--patience", "0.8", "--", *plugin]
    done = subprocess.run(
        command, env=os.environ | FASTER, capture_output=True, text=True, timeout=WITHIN_S,
        check=False,
    )  # fmt: skip
    said = done.stdout.splitlines()
    assert said[2] == '> {"action":"prompt-reply","id":"confirm-install","value":"yes"}'
    kinds = [json.loads(line[2:])["kind"] for line in said if line.startswith("< ")]
    assert kinds[-7:] == ["log", *["heartbeat"] * 6]
    assert next(line for line in said if line[:1] not in "<>") == "silent after 20 lines"


def test_a_malformed_payload_comes_byte_for_byte_and_read_for_read() -> None:
    recorded = chunks_of(MALFORMED)
    command = replay(MALFORMED, "--as", "plugin", "--no-record")
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0) as plugin:
        assert plugin.stdin is not None
        assert plugin.stdout is not None
        assert plugin.stderr is not None
        for question in recorded["in"]:
            plugin.stdin.write(question)
        reads = []
        while data := os.read(plugin.stdout.fileno(), 65536):
            reads.append(data)
        assert (reads, plugin.stderr.read()) == (recorded["out"], b"")
    assert plugin.returncode == 1
    assert [len(it) for it in reads][-1] == 17


PROMPTED = re.compile(r"(?m)^    \$ (python3 (?:.*\\\n)*.*)\n((?:    [^$].*\n)+)")


@pytest.mark.parametrize("page", ["README.md", "docs/replay.md"])
def test_what_the_pages_have_people_try_prints_what_they_show(page: str, tmp_path: Path) -> None:
    shown = PROMPTED.findall((ROOT / page).read_text(encoding="utf-8"))
    assert len(shown) == 2
    (tmp_path / "tap").write_text(f'#!/bin/sh\nexec {sys.executable} -m tapproxy "$@"\n')
    (tmp_path / "python3").symlink_to(sys.executable)
    (tmp_path / "tap").chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    settings = ["env", f"PATH={path}", f"TAP_DIR={tmp_path}"]
    for command, output in shown:
        done = subprocess.run(
            [*settings, "sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.stdout == re.sub("(?m)^    ", "", output)
