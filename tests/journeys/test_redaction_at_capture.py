"""`tap run --redact`: the wire has the true bytes, and the recording none of the secrets."""

import os
import subprocess
from pathlib import Path

import pytest

from tapproxy.opening import opened
from tests.journeys.planted import RULES, SECRETS, jsonrpc, left
from tests.journeys.two_sides import tap
from tests.tapproxy.ingest.ingesters import PATIENCE_S, ingester, until

SPOKEN = b"".join(
    more for _, what, more in jsonrpc().happened if what == "in" and isinstance(more, bytes)
)
PLUGIN = ["sh", "-c", "cat; echo done >&2", "plugin", "--token", SECRETS["argv"]]


def run(recording: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    rules = [word for rule in RULES for word in ("--redact", rule)]
    command = tap("run", "-o", recording, *rules, *options, "--", *PLUGIN)
    return subprocess.run(
        command, input=SPOKEN, capture_output=True, timeout=PATIENCE_S, check=True,
        env={**os.environ, "MY_TOKEN": SECRETS["env value"]},
    )  # fmt: skip


def everything(recording: Path) -> bytes:
    with opened(str(recording)) as it:
        streams = [b"".join(it.stream_bytes(1, name)) for name in ("in", "out", "err")]
    assert sorted(it.name for it in recording.parent.iterdir()) == [recording.name]
    return recording.read_bytes() + b"\n".join(streams)


def test_the_wire_has_the_true_bytes_and_the_recording_has_no_secret(tmp_path: Path) -> None:
    recording = tmp_path / "made" / "a.tap"
    done = run(recording, "--env", "MY_TOKEN")
    assert (done.stdout, done.stderr) == (SPOKEN, b"done\n")
    journal = recording.with_name("a.tap.wire")
    until(lambda: not journal.exists(), "the ingester")
    assert left(everything(recording)) == []
    tape = subprocess.run(tap("export", recording), capture_output=True, check=True).stdout
    assert left(tape) == []
    assert b'"redacted": {"rules": ["tokens", "keys"' in tape


def test_the_journal_has_the_true_bytes_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    recording = tmp_path / "made" / "a.tap"
    run(recording, "--ingest", "later")
    journal = recording.with_name("a.tap.wire")
    assert SECRETS["plain"].encode() in journal.read_bytes()
    assert journal.stat().st_mode & 0o777 == 0o600
    with opened(str(recording)):
        pass
    assert not journal.exists()
    assert left(everything(recording)) == []


@pytest.mark.parametrize("after", [0, 1, 8, 30])
def test_ingesters_that_are_killed_leave_no_secret(after: int, tmp_path: Path) -> None:
    recording = tmp_path / "made" / "a.tap"
    run(recording, "--ingest", "later")
    journal = recording.with_name("a.tap.wire")
    for _ in range(3):
        if not journal.exists():
            break
        with ingester(str(journal)) as process:
            until(lambda: size(recording) >= after * 8192 or process.poll() is not None, "pages")
            process.kill()
            process.wait(PATIENCE_S)
    with opened(str(recording)):
        pass
    assert left(everything(recording)) == []


def size(recording: Path) -> int:
    """Return the bytes of a recording and its WAL."""
    files = (recording, recording.with_name("a.tap-wal"))
    return sum(it.stat().st_size for it in files if it.exists())


def test_a_rule_that_is_wrong_starts_nothing(tmp_path: Path) -> None:
    command = tap("run", "-o", tmp_path / "a.tap", "--redact", "kye:pin", "--", "cat")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "tap: rule 'kye:pin': kye: is no kind of rule; did you mean key:…?; `tap redact --help` "
        "lists the rules\n"
    )
    assert list(tmp_path.iterdir()) == []
