"""What a user names is found, and what cannot be played is refused in a line."""

import os
from pathlib import Path

import pytest

from tapproxy.commands.replayable import candidates
from tapproxy.errors import USAGE, TapError
from tapproxy.ingest.tapes import import_tape
from tapproxy.replay.candidates import find_session
from tapproxy_store.errors import AmbiguousName, BadTape
from tapproxy_store.locks import hold
from tapproxy_store.reading import open_recording
from tests.tapproxy.replay.calls_made import EXIT, HELLO, folder_of_calls, header, tape, told
from tests.viewers.made import MS, record, session


def refused(*names: str) -> str:
    with pytest.raises(TapError) as error:
        candidates(names)
    assert error.value.exit_code == USAGE
    return str(error.value)


@pytest.fixture
def calls(tmp_path: Path) -> str:
    return folder_of_calls(tmp_path)


def test_a_folder_has_its_sessions_by_age(calls: str) -> None:
    assert told(candidates([calls])) == [("b.tape", 1), ("b.tape", 2), ("a.tape", 1), ("c.tap", 1)]


def test_recordings_that_are_named_are_taken_as_named(calls: str) -> None:
    found = candidates([f"{calls}/a.tape", f"{calls}/c.tap", f"{calls}/b.tape"])
    assert told(found) == [("a.tape", 1), ("c.tap", 1), ("b.tape", 1), ("b.tape", 2)]


def test_replays_in_a_folder_are_passed_over(calls: str, tmp_path: Path) -> None:
    replay = tape(
        tmp_path / "calls" / "r.tape", header("xlings", tags={"replay-of": "bug.tape"}), HELLO
    )
    assert "r.tape" not in dict(told(candidates([calls])))
    assert told(candidates([replay])) == [("r.tape", 1)]


def test_a_session_that_only_ended_can_be_played(tmp_path: Path) -> None:
    path = tape(tmp_path / "exit.tape", header("x"), header("x"), EXIT)
    imported = str(tmp_path / "exit.tap")
    import_tape(path, imported)
    assert told(candidates([path])) == [("exit.tape", 2)]
    assert told(candidates([imported])) == [("exit.tap", 2)]
    with open_recording(imported) as recording:
        assert find_session(recording, 2).outcome == "exit 1"
        with pytest.raises(TapError, match=r"has no session 3$"):
            find_session(recording, 3)


def test_a_recording_of_nothing_is_refused(tmp_path: Path) -> None:
    empty = tape(tmp_path / "empty.tape", header("x"))
    nothing = "neither the plugin nor its host has said a byte; there is nothing to play"
    assert refused(empty) == f"{empty}: {nothing}"
    imported = str(tmp_path / "empty.tap")
    import_tape(empty, imported)
    assert refused(imported) == f"{imported}: {nothing}"


def test_a_folder_without_recordings_is_refused(tmp_path: Path) -> None:
    assert refused(str(tmp_path)) == f"{tmp_path}: no session to replay"


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    advice = "is a pipe: save it as a file, which can be read twice"
    assert refused("-") == f"- {advice}"
    assert refused(f"{tmp_path}/pipe") == f"{tmp_path}/pipe {advice}"


def test_a_bad_line_of_a_tape_is_named_by_line_and_column(tmp_path: Path) -> None:
    bad = tape(tmp_path / "bad.tape", header("x"), HELLO, '[0.002,"sideways","x"]')
    with pytest.raises(BadTape, match=rf"^{bad}:3:8: "):
        candidates([bad])


def test_a_recording_still_made_is_refused_by_name_and_passed_over_in_a_folder(
    calls: str,
) -> None:
    live = Path(calls, "live.tap")
    record(str(live), session(duration_ns=None, outcome=None), ("out", MS, b"hello\n"))
    with Path(f"{live}.wire").open("wb") as journal:
        hold(journal.fileno())
        assert refused(str(live)) == f"{live} is still being recorded; replay it once it is over"
        assert "live.tap" not in dict(told(candidates([calls])))


def test_a_beginning_that_several_recordings_share_is_refused(
    calls: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAP_DIR", calls)
    for name in ("env-1.tap", "env-2.tap"):
        import_tape(f"{calls}/a.tape", f"{calls}/{name}")
    with pytest.raises(AmbiguousName) as error:
        candidates(["en"])
    assert str(error.value) == "en may be any of env-2, env-1; type more of the name"
