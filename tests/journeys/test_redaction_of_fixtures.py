"""Real recordings, redacted by all presets: the messages are the same, and they can be replayed."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tapproxy.ingest.redacting import make_redacted
from tapproxy.opening import opened
from tapproxy.redaction.rules import read_rules
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event
from tests.journeys.two_sides import chunks_of, play_both, tap

FIXTURES = Path(__file__).parents[2] / "fixtures"
TAPES = sorted(FIXTURES.glob("dialects/**/*.tape")) + sorted(FIXTURES.glob("tapes/*.tape"))


def told(recording: Recording) -> list[Any]:
    """Return where each frame is, and what its messages are to each other."""
    return [
        (
            entry.frame,
            [(it.kind, it.method, it.answers, it.about, it.flags) for it in entry.messages],
        )
        for session in recording.sessions()
        for entry in recording.entries(session.id)
        if not isinstance(entry, Event)
    ]


@pytest.mark.parametrize("tape", TAPES, ids=lambda it: f"{it.parent.name}/{it.stem}")
def test_the_messages_of_a_redacted_recording_are_the_same(tape: Path, tmp_path: Path) -> None:
    copy = str(tmp_path / "copy.tap")
    with opened(str(tape)) as recording:
        make_redacted(recording, copy, read_rules(["all"]))
        with opened(copy) as other:
            assert told(other) == told(recording)
            assert [it.dialect for it in other.sessions()] == [
                it.dialect for it in recording.sessions()
            ]


@pytest.mark.parametrize("name", ["lingxi/swift-v4", "mcp/everything", "lsp/ruff"])
def test_a_redacted_recording_of_a_real_session_can_be_replayed(name: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.tap"
    rules = ["all", "key:text", "key:uri", "key:sessionID", "key:name"]
    tape = FIXTURES / f"dialects/{name}.tape"
    subprocess.run(tap("redact", tape, *rules, "-o", copy), check=True, capture_output=True)
    assert chunks_of(copy) != chunks_of(tape)
    played = play_both(copy, "host", tmp_path)
    same = [it for it in played.said if it.startswith("same: ")]
    assert (played.code, len(same)) == (0, 1), played.said
