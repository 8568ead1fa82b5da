"""Whatever a user names is opened: orphans are finished first, tapes imported, the living read."""

import json
import os
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from tapproxy.errors import TapError
from tapproxy.opening import bring_up, opened
from tapproxy_store.errors import NotARecording
from tapproxy_store.reading import Recording
from tapproxy_store.records import Told
from tests.store.made import query
from tests.tapproxy.commands.terminals import TAP
from tests.tapproxy.ingest.ingesters import PATIENCE_S, check_finished
from tests.tapproxy.ingest.made import Journal, living, recorded


@pytest.fixture
def path() -> str:
    """Give the path of a recording among the user's that is not there yet."""
    folder = os.environ["TAP_DIR"]
    os.mkdir(folder)
    return os.path.join(folder, "20261130-203005-plugin-1.tap")


def told() -> Journal:
    return Journal().happens("spawn", pid=42).says("in", b"ask\n").says("out", b"answer\n")


def texts(recording: Recording) -> list[bytes]:
    return [chunk.data for chunk in recording.chunks(1)]


def messages(recording: Recording) -> list[tuple[int, str, str | None]]:
    """Return frame, kind and method of each message."""
    return [
        (it.frame, it.kind, it.method)
        for entry in recording.entries(1)
        if isinstance(entry, Told)
        for it in entry.messages
    ]


@pytest.mark.parametrize("word", ["last", "20261130", "20261130-203005-plugin-1.tap"])
def test_an_orphaned_journal_is_made_a_recording_first(path: str, word: str) -> None:
    orphan = told()
    orphan.write(path + ".wire")
    with opened(word) as recording:
        assert (recording.path, texts(recording)) == (path, [b"ask\n", b"answer\n"])
    check_finished(path, orphan.rows())


@pytest.mark.parametrize("ending", ["", ".wire"])
def test_an_orphan_may_be_named_by_its_path_and_that_of_its_journal(path: str, ending: str) -> None:
    orphan = told().happens("exit", code=0).ends()
    orphan.write(path + ".wire")
    with opened(path + ending) as recording:
        assert recording.session().outcome == "exit 0"
    check_finished(path, orphan.rows())


def test_two_commands_that_open_an_orphan_at_once_finish_it_once_and_see_the_same(
    path: str,
) -> None:
    orphan = told()
    for _ in range(3_000):
        orphan.says("out", b"line\nan").says("out", b"other\n")
    orphan.ends().write(path + ".wire")
    command = [*TAP, "show", "last", "--json"]
    with ExitStack() as stack:
        pipe = subprocess.PIPE
        both = [
            stack.enter_context(subprocess.Popen(command, stdout=pipe, stderr=pipe))
            for _ in range(2)
        ]
        answers = [process.communicate(timeout=PATIENCE_S) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert answers[0] == answers[1]
    assert len(answers[0][0].splitlines()) == 1 + 1 + 2 + 6_000 + 1
    check_finished(path, orphan.rows())


def test_a_tape_is_opened_by_its_name_and_nothing_stays_of_it(tmp_path: Path) -> None:
    tape = tmp_path / "by-hand.tape"
    tape.write_text('{"tape": 1, "name": "by hand"}\n[0, "in", "ask\\n"]\n')
    with opened(str(tape)) as recording:
        imported = recording.path
        assert (recording.session().name, texts(recording)) == ("by hand", [b"ask\n"])
    assert (os.path.exists(imported), os.listdir(tmp_path)) == (False, ["by-hand.tape"])


ASK = b'{"jsonrpc":"2.0","id":1,"method":"add"}\n'


def test_another_dialect_is_for_this_time_only_and_the_recording_stays_as_it_is(path: str) -> None:
    finished = Journal().says("in", ASK).ends()
    finished.write(path + ".wire")
    bring_up(path)
    before = Path(path).read_bytes()
    with opened(path, "raw") as recording:
        copy = recording.path
        assert recording.session().dialect == "raw"
        assert (messages(recording), recording.place) == ([], path)
    assert (Path(path).read_bytes(), os.path.exists(copy)) == (before, False)
    check_finished(path, finished.rows())
    with opened(path) as recording:
        assert messages(recording) == [(1, "request", "add")]


def test_a_living_session_can_be_read_by_another_dialect(path: str) -> None:
    session = Journal().says("in", ASK)
    with living(path + ".wire", session):
        with opened(path, "jsonl") as recording:
            assert messages(recording) == [(1, "request", "add")]
            assert recording.session().dialect == "jsonl"
        assert query(path, "select dialect from sessions") == [(None,)]  # it has hardly begun
        session.ends()


@pytest.mark.parametrize("asked", ["", ', "dialect": "jsonl"'])
def test_a_tape_may_be_read_by_another_dialect_than_it_asks_for(tmp_path: Path, asked: str) -> None:
    tape = tmp_path / "a.tape"
    text = json.dumps(ASK.decode())
    tape.write_text(f'{{"tape": 1{asked}}}\n[0, "in", {text}]\n')
    for name, expected in ((None, "jsonl" if asked else "jsonrpc"), ("raw", "raw")):
        with opened(str(tape), name) as recording:
            assert recording.session().dialect == expected


def test_a_dialect_that_does_not_exist_is_refused_before_anything_is_opened(path: str) -> None:
    with pytest.raises(TapError, match="no dialect is called 'chess'"), opened(path, "chess"):
        pass


def test_a_living_session_without_an_ingester_is_caught_up(path: str) -> None:
    session = told()
    with living(path + ".wire", session) as live:
        with opened(path) as recording:
            assert texts(recording) == [b"ask\n", b"answer\n"]
            assert recording.session().duration_ns is None
        session.says("out", b"more\n")
        live.write()
        with opened(path) as recording:
            assert texts(recording) == [b"ask\n", b"answer\n", b"more\n"]
        assert os.path.exists(live.path)


def test_a_living_session_whose_ingester_is_at_work_is_left_to_it(path: str) -> None:
    session = told()
    with living(path + ".wire", session) as live:
        with opened(path):
            pass
        session.says("out", b"more\n")
        live.write()
        os.utime(path)  # as its ingester's next transaction would do
        with opened(path) as recording:
            assert texts(recording) == [b"ask\n", b"answer\n"]


def test_a_recording_that_was_open_when_its_session_ended_is_one_file_once_it_is_closed(
    path: str,
) -> None:
    session = told()
    with living(path + ".wire", session) as live:
        with opened(path) as recording:
            session.ends()
            live.write()
            live.let_go()
            bring_up(path)
            assert texts(recording) == [b"ask\n", b"answer\n"]
            assert os.path.exists(path + "-wal")
        check_finished(path, session.rows())


def test_a_file_that_only_looks_like_a_journal_does_not_stand_before_a_recording(path: str) -> None:
    finished = told().ends()
    finished.write(path + ".wire")
    with opened(path):
        pass
    Path(path + ".wire").write_bytes(b"somebody's")
    with opened(path) as recording:
        assert texts(recording) == [b"ask\n", b"answer\n"]
    assert recorded(path) == finished.rows()
    assert Path(path + ".wire").read_bytes() == b"somebody's"


def test_a_journal_of_nothing_is_no_recording_and_the_message_says_why(path: str) -> None:
    Path(path + ".wire").write_bytes(b"")
    with pytest.raises(NotARecording) as caught, opened(path):
        pass
    assert str(caught.value) == (
        f"{path}.wire has nothing on record: its session has only just begun, or was stopped "
        "before it could write; or the file is not a journal of tap"
    )
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path) + ".wire"]
