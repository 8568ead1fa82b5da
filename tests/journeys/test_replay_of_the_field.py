"""What a recording is replayed for: the kill after a late answer, and heartbeats that stop."""

import subprocess
import sys
from pathlib import Path

import pytest

from tapproxy.opening import opened
from tapproxy_store.records import Event

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures/dialects"
LATE = FIXTURES / "lingxi/late.tape"
SILENT = FIXTURES / "xlings/heartbeat-gap.tape"

HOST = [sys.executable, str(ROOT / "tests/programs/lingxi_host.py"), "--calls", "echo", "--"]
PLUGIN = [sys.executable, str(ROOT / "tests/programs/lingxi_plugin.py")]

WITHIN_S = 30


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
    again = tmp_path / "again.tap"
    command = [*HOST, *replay(LATE, "--as", "plugin", "-o", again)]
    done = subprocess.run(command, capture_output=True, timeout=WITHIN_S, check=True, text=True)
    assert done.stdout.splitlines() == [
        "initialized",
        "failed: no answer in 3.0 s",
        "plugin ended: 0",
    ]
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


WATCHING = """
import os, select, subprocess, sys
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
buffer, lines, patience_s = b"", 0, 20.0
while select.select([child.stdout], [], [], patience_s)[0]:
    data = os.read(child.stdout.fileno(), 4096)
    if not data:
        print("it ended", lines)
        break
    lines += data.count(b"\\n")
    if b'"result"' in data:
        child.stdin.close()
    patience_s = float(sys.argv[1])
else:
    print("silent after", lines)
    child.terminate()
child.stdin.close()
child.wait()
"""


@pytest.mark.parametrize(("patience_s", "said"), [(0.45, "silent after 8"), (1.5, "it ended 12")])
def test_a_client_declares_it_dead_at_the_same_heartbeat(patience_s: float, said: str) -> None:
    """Twenty times as fast: a heartbeat each 250 ms, and none for 600 ms after the sixth."""
    played = replay(SILENT, "--as", "plugin", "--pace", "20", "--no-record")
    command = [sys.executable, "-c", WATCHING, str(patience_s), *played]
    done = subprocess.run(command, capture_output=True, timeout=WITHIN_S, check=True, text=True)
    assert done.stdout.splitlines() == [said]
