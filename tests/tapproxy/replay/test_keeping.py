"""A tape gains what a replay has learnt; all that was there stays as it was."""

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.errors import TapError
from tapproxy.opening import opened
from tapproxy.replay.forwarding import News
from tapproxy.replay.keeping import append, check_place, grow, grown, replace
from tapproxy_store.reading import Recording
from tapproxy_store.records import Chunk, Event, Session, Stream
from tapproxy_store.tape import read_tape

MS = 1_000_000

HEADER: dict[str, Any] = {"tape": 1, "framing": "lines"}
EOF_IN = ["event", "eof", {"stream": "in", "by": "host"}]
EOF_OUT = ["event", "eof", {"stream": "out", "by": "plugin"}]
EXIT = ["event", "exit", {"code": 0}]

NEWS = (
    News(7 * MS, "in", b"question\n", 4),
    News(9 * MS, "out", b"ans", 2),
    News(12 * MS, "out", b"wer\n", 3),
)


def lines_of(*happened: list[Any], **header: Any) -> list[bytes]:
    """Return a session's lines; each is a millisecond after the one before."""
    timed = [[at / 1000, *it] for at, it in enumerate(happened, 1)]
    return [json.dumps(it).encode() + b"\n" for it in (HEADER | header, *timed)]


def added(before: list[bytes], after: list[bytes]) -> list[tuple[int, str]]:
    """Return the lines that are not from before, which has no line twice, and where they are."""
    assert [it for it in after if it in before] == before
    return [(at, it.decode()) for at, it in enumerate(after) if it not in before]


def test_what_is_new_stands_before_the_end_with_its_reads_and_the_time_between_them() -> None:
    before = lines_of(["in", "a\n"], ["out", "b\n"], EOF_IN, EOF_OUT, EXIT)
    assert added(before, grown(before, 1, NEWS, "t")) == [
        (3, '[0.003000000, "in", "question\\n"]\n'),
        (4, '[0.005000000, "out", "ans"]\n'),
        (5, '[0.008000000, "out", "wer\\n"]\n'),
    ]


def test_where_stdin_was_closed_before_the_last_answer_what_the_host_says_stands_before_that() -> (
    None
):
    before = lines_of(["in", "a\n"], EOF_IN, ["out", "b\n"], ["err", "c"], EXIT)
    assert added(before, grown(before, 1, NEWS, "t")) == [
        (2, '[0.005000000, "in", "question\\n"]\n'),
        (6, '[0.007000000, "out", "ans"]\n'),
        (7, '[0.010000000, "out", "wer\\n"]\n'),
    ]


def test_what_the_host_says_on_account_of_an_answer_stays_behind_it() -> None:
    news = [*NEWS, News(20 * MS, "in", b"more\n", 5)]
    before = lines_of(["in", "a\n"], EOF_IN, ["out", "b\n"], EXIT)
    assert added(before, grown(before, 1, news, "t")) == [
        (2, '[0.002000000, "in", "question\\n"]\n'),
        (3, '[0.004000000, "out", "ans"]\n'),
        (4, '[0.007000000, "out", "wer\\n"]\n'),
        (5, '[0.015000000, "in", "more\\n"]\n'),
    ]
    within = lines_of(["in", "a\n"], ["out", "b"], EOF_IN, ["out", "\n"], EXIT)
    with pytest.raises(TapError, match="its host closes stdin within an answer"):
        grown(within, 1, news, "t")


def test_it_is_added_to_the_session_that_was_played_and_to_its_end_where_it_has_none() -> None:
    one = lines_of(["in", "a\n"], ["out", "b\n"])
    two = lines_of(["in", "c\n"], EXIT, name="two")
    before = [*one, b"\n", *two]
    assert [at for at, _ in added(before, grown(before, 1, NEWS, "t"))] == [3, 4, 5]
    assert [at for at, _ in added(before, grown(before, 2, NEWS, "t"))] == [6, 7, 8]


def test_a_last_line_without_an_end_gets_one() -> None:
    before = lines_of(["in", "a\n"], ["out", "b\n"])
    cut = [*before[:-1], before[-1].rstrip(b"\n")]
    assert grown(cut, 1, NEWS, "t")[:3] == before


def test_nothing_is_added_before_bytes_that_tell_where_in_their_stream_they_are() -> None:
    before = lines_of(["in", "a\n"], EOF_IN, ["out", "b\n", {"offset": 100}])
    assert [at for at, _ in added(before, grown(before, 1, NEWS, "t"))] == [4, 5, 6]


@pytest.mark.parametrize("stream", ["in", "out"])
def test_nothing_can_be_added_to_a_session_that_ends_within_a_frame(stream: str) -> None:
    before = lines_of(["in", "a\n"], ["out", "b\n"], [stream, "cut"], EXIT)
    with pytest.raises(TapError, match="t ends within a frame, which nothing can be added to"):
        grown(before, 1, NEWS, "t")


def test_a_tape_is_replaced_at_once_with_its_mode_or_stays(tmp_path: Path) -> None:
    tape = tmp_path / "t.tape"
    tape.write_bytes(b"".join(lines_of(["in", "a\n"])))
    tape.chmod(0o640)
    link = tmp_path / "link.tape"
    link.symlink_to(tape)

    def failing() -> Any:
        yield b"x"
        raise TapError("no more")

    with pytest.raises(TapError, match="no more"):
        replace(str(tape), failing())
    grow(str(link), 1, NEWS)
    assert (tape.stat().st_mode & 0o777, link.is_symlink()) == (0o640, True)
    assert sorted(os.listdir(tmp_path)) == ["link.tape", "t.tape"]
    with opened(str(tape)) as recording:
        assert [it.seq for it in recording.records(1)] == [1, 2, 3, 4]


def test_sessions_are_added_to_a_tape_that_is_there_or_is_not(tmp_path: Path) -> None:
    tape = tmp_path / "new" / "t.tape"
    for number in (1, 2):
        append(str(tape), lines_of(["in", f"{number}\n"]))
    with opened(str(tape)) as recording:
        assert [it.id for it in recording.sessions()] == [1, 2]


def refused(write: Callable[[], None]) -> str:
    """Return why something cannot be written."""
    with pytest.raises(TapError) as error:
        write()
    return str(error.value)


def test_what_the_system_refuses_is_told_with_the_tape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    tape, gone = str(tmp_path / "file" / "x" / "t.tape"), str(tmp_path / "gone.tape")
    for wrong, reason in (
        (refused(lambda: replace(tape, [b""])), f"{tape}: Not a directory"),
        (refused(lambda: append(tape, [b""])), f"{tape}: Not a directory"),
        (refused(lambda: grow(gone, 1, NEWS)), f"{gone}: No such file or directory"),
    ):
        assert wrong == f"cannot write {reason}; what was there stays as it was"
    check_place(str(tmp_path / "new" / "newer" / "t.tape"))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(TapError, match=f"{tmp_path} cannot be written to"):
        check_place(str(tmp_path / "new" / "newer" / "t.tape"))


def test_replays_that_end_at_once_all_add_what_they_have_learnt(tmp_path: Path) -> None:
    tape = tmp_path / "t.tape"
    append(str(tape), lines_of(["in", "a\n"], EXIT))
    learnt = [f"{number}\n" for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda it: grow(str(tape), 1, [News(1, "in", it.encode(), 1)]), learnt[:16]))
        list(pool.map(lambda it: append(str(tape), lines_of(["in", it])), learnt[16:]))
    with opened(str(tape)) as recording:
        assert sorted(int(it.data) for it in said_in(recording, 1)[1:]) == list(range(16))
        assert len(recording.sessions()) == 9


def said_in(recording: Recording, session: int) -> list[Chunk]:
    return [it for it in recording.records(session) if isinstance(it, Chunk)]


TEXT = st.text('ab\u2028é\x7f\n\\"', max_size=6)
WORDS: st.SearchStrategy[list[Any]] = st.tuples(
    st.sampled_from(["in", "out", "err"]), TEXT.map(lambda it: it + "\n")
).map(list)
EVENTS = st.sampled_from([EOF_IN, EOF_OUT, EXIT, ["event", "signal", {"signal": "SIGTERM"}]])
SAID: st.SearchStrategy[Stream] = st.sampled_from(["in", "out"])


@given(
    st.lists(st.lists(WORDS | EVENTS, max_size=8), min_size=1, max_size=3),
    st.lists(st.tuples(st.integers(0, 9), SAID, st.binary(min_size=1)), min_size=1),
    st.data(),
)
def test_a_grown_tape_is_the_old_lines_and_the_new_ones(
    sessions: list[list[list[Any]]], said: list[tuple[int, Stream, bytes]], data: st.DataObject
) -> None:
    before = [line for it in sessions for line in lines_of(*it)]
    session = data.draw(st.integers(1, len(sessions)))
    news = [News(at * MS, stream, it, n) for n, (at, stream, it) in enumerate(sorted_by_time(said))]
    after = grown(before, session, news, "t")
    rest, new = list(before), []
    for line in after:
        if rest and line == rest[0]:
            del rest[0]
        else:
            new.append(line)
    assert rest == []
    read = [it for it in read_tape([b'{"tape": 1}', *new]) if isinstance(it, Chunk)]
    for stream in ("in", "out"):
        told = [(it.t_ns - read[0].t_ns, it.data) for it in read if it.stream == stream]
        assert told == [
            (it.t_ns - read_from(news, read), it.data) for it in news if it.stream == stream
        ]
    belongs = [it.session for it in read_tape(after) if not isinstance(it, Session)]
    assert belongs.count(session) == len(sessions[session - 1]) + len(news)


def sorted_by_time(said: list[tuple[int, Stream, bytes]]) -> list[tuple[int, Stream, bytes]]:
    return sorted(said, key=lambda it: it[0])


def read_from(news: list[News], read: list[Chunk]) -> int:
    """Return the time of what is the first on the tape."""
    first = next(it for it in news if it.stream == read[0].stream)
    return first.t_ns


def test_events_are_not_taken_for_the_end_where_the_host_goes_on() -> None:
    before = lines_of(["event", "signal", {"signal": "SIGUSR1"}], ["in", "a\n"], ["out", "b\n"])
    after = grown(before, 1, NEWS, "t")
    assert isinstance(list(read_tape(after))[1], Event)
    assert [at for at, _ in added(before, after)] == [4, 5, 6]
