"""Frames with their messages: whole, in order, as a selection wants them, and as they come."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapproxy_store import told_pages
from tapproxy_store.errors import CannotWrite
from tapproxy_store.pages import Selection
from tapproxy_store.reading import Counts, Recording, open_recording
from tapproxy_store.recording import create_or_open
from tapproxy_store.records import Chunk, Event, Frame, Told
from tests.store.made import (
    ANSWER,
    DECODED,
    FRAMES,
    MESSAGES,
    QUESTION,
    RECORDS,
    SPOKEN,
    TOLD,
    add,
    message,
    session,
    write,
    write_spoken,
)

EVENTS = [record for record in RECORDS if isinstance(record, Event)]


@pytest.fixture
def spoken(tmp_path: Path) -> Iterator[Recording]:
    """Give a recording with messages."""
    with open_recording(write_spoken(str(tmp_path / "spoken.tap"))) as recording:
        yield recording


def test_a_frame_comes_with_what_it_says_and_a_question_with_how_late_its_answer_was(
    spoken: Recording,
) -> None:
    assert list(spoken.entries(1)) == [EVENTS[0], *TOLD, *EVENTS[1:]]
    assert spoken.session() == SPOKEN


@pytest.mark.parametrize(
    ("where", "values", "frames"),
    [
        ("m.method = ?", ("read",), [1, 2, 4]),
        ("m.method = ? AND m.asks", ("read",), [1, 2]),
        ("m.answers = ?", (1,), [4]),
        ("f.stream = ?", ("err",), [3]),
        ("m.kind IS NULL", (), [3]),
        ("m.kind = ? OR f.stream = ?", ("unknown", "err"), [3, 5]),
        ("' ' || m.flags || ' ' LIKE ?", ("% invalid %",), [5]),
        ("m.method = ?", ("no such",), []),
        ("f.number BETWEEN ? AND ?", (2, 3), [2, 3]),
        ("", (), [1, 2, 3, 4, 5]),
    ],
)
def test_a_selection_wants_frames_by_what_they_are_and_what_they_say(
    spoken: Recording, where: str, values: tuple[object, ...], frames: list[int]
) -> None:
    wanted = [told for told in TOLD if told.frame.number in frames]
    assert list(spoken.entries(1, Selection(where, values))) == wanted


def test_frames_come_without_events_too(spoken: Recording) -> None:
    entries = list(spoken.entries(1))
    assert list(spoken.told(1)) == [it for it in entries if isinstance(it, Told)]


def test_a_selection_with_times_has_the_events_of_those_times(spoken: Recording) -> None:
    times = (1_500_000_000, 1_600_000_000)
    selection = Selection("f.last_ns BETWEEN ? AND ?", times, times)
    assert list(spoken.entries(1, selection)) == [*TOLD[3:], EVENTS[1]]


@pytest.mark.parametrize("numbers", [(2, 4), (4, 100), (-5, 1), (6, 9), (3, 2)])
def test_a_selection_of_numbers_wants_those_frames(
    spoken: Recording, numbers: tuple[int, int]
) -> None:
    wanted = [told for told in TOLD if numbers[0] <= told.frame.number <= numbers[1]]
    assert list(spoken.entries(1, Selection(numbers=numbers))) == wanted


def test_an_answer_is_found_by_its_question_and_opened_where_it_has_layers(
    spoken: Recording,
) -> None:
    assert [spoken.find_answer(it) for it in MESSAGES] == [ANSWER, None, None, None]
    assert [spoken.decoded(it) for it in MESSAGES] == [None, None, DECODED, None]


def test_one_frame_is_found_by_its_number(spoken: Recording) -> None:
    assert [spoken.find_told(1, number) for number in (0, 3, 4, 6)] == [
        None,
        TOLD[2],
        TOLD[3],
        None,
    ]
    assert spoken.find_told(2, 4) is None
    assert [spoken.last_number(number) for number in (1, 2)] == [5, 0]


def test_an_answer_in_a_batch_is_the_part_that_answers(tmp_path: Path) -> None:
    batch = [message(1, part, asks=1, id=str(part)) for part in range(3)]
    answers = [
        message(4, part, id=str(2 - part), answers=1, answers_part=2 - part, latency_ns=10 + part)
        for part in range(3)
    ]
    path = write(str(tmp_path / "a.tap"), messages=[*batch, *answers])
    with open_recording(path) as recording:
        assert [recording.find_answer(it) for it in batch] == answers[::-1]
        told = recording.find_told(1, 1)
    assert told == Told(
        FRAMES[0],
        tuple(it._replace(answered_after_ns=12 - it.part) for it in batch),
    )


def test_totals_say_the_same_as_counting(tmp_path: Path, spoken: Recording) -> None:
    with open_recording(write(str(tmp_path / "a.tap"))) as counted:
        assert counted.counts(1) == spoken.counts(1)
    assert spoken.counts(1) == Counts(
        chunks=4,
        events=3,
        frames={"in": 2, "out": 2, "err": 1},
        bytes={"in": 18, "out": 28, "err": 18},
    )


def test_totals_are_taken_where_they_are_on_record(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.tap"))
    with create_or_open(path) as writer:
        writer.begin()
        writer.put_totals([(1, "in", 10, 20, 30)])
        writer.put_totals([(1, "in", 11, 21, 31), (1, "err", 1, 2, 3)])
        writer.commit()
    with open_recording(path) as recording:
        assert recording.counts(1) == Counts(
            chunks=12,
            events=3,
            frames={"in": 31, "out": 0, "err": 3},
            bytes={"in": 21, "out": 0, "err": 2},
        )


def test_a_copy_is_a_recording_of_its_own(tmp_path: Path, spoken: Recording) -> None:
    path = tmp_path / "copy.tap"
    spoken.copy_to(str(path))
    assert oct(path.stat().st_mode & 0o777) == "0o600"
    with open_recording(str(path)) as copy:
        assert list(copy.entries(1)) == list(spoken.entries(1))
        assert list(copy.records(1)) == list(RECORDS)
        assert copy.sessions() == [SPOKEN]


def test_a_copy_is_put_over_no_other_file(tmp_path: Path, spoken: Recording) -> None:
    path = tmp_path / "other"
    path.write_text("hello\n")
    with pytest.raises(CannotWrite) as refused:
        spoken.copy_to(str(path))
    assert str(refused.value) == f"cannot write {path}: File exists"
    assert path.read_text() == "hello\n"


def test_news_is_what_came_since_in_the_total_order(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    with create_or_open(path) as writer:
        add(writer, RECORDS[:3], FRAMES[:2], [session(live=True)], MESSAGES[:2])
        with open_recording(path) as recording:
            waiting = QUESTION._replace(answered_after_ns=None)
            assert list(recording.news(1, 0, 0)) == [
                EVENTS[0],
                Told(FRAMES[0], (waiting,)),
                TOLD[1],
            ]
            assert list(recording.news(1, 1, 2)) == []
            add(writer, RECORDS[3:], FRAMES[2:], messages=MESSAGES[2:])
            assert list(recording.news(1, 1, 2)) == [*TOLD[2:], *EVENTS[1:]]
            assert list(recording.news(1, 6, 4)) == [TOLD[4], EVENTS[2]]


def test_news_has_a_frame_that_was_over_long_before_it_was_one(tmp_path: Path) -> None:
    """A piece of a line at the session's end, whose last byte came before all the others'."""
    chunks = [Chunk(n, 1, "err", n, n - 1, b"\n") for n in range(2, 5000)]
    frames = [Frame(1, n - 1, "err", n - 1, n, n, n, n, n, 0, "LF", None) for n in range(2, 5000)]
    piece = Frame(1, 4999, "in", 0, 5, 1, 1, 1, 1, 0, "none", "unfinished")
    path = str(tmp_path / "a.tap")
    with create_or_open(path) as writer:
        add(writer, [Chunk(1, 1, "in", 1, 0, b"piece"), *chunks], frames, [session(live=True)])
        with open_recording(path) as recording:
            assert len(list(recording.news(1, 0, 0))) == 4998
            add(writer, [Event(5000, 1, 5000, "end")], [piece])
            news = list(recording.news(1, 4999, 4998))
    assert news == [Told(piece, ()), Event(5000, 1, 5000, "end")]


@pytest.mark.parametrize("by", ["entries", "news"])
def test_a_batch_with_more_messages_than_a_page_has_rows_is_one_frame(
    tmp_path: Path, by: str
) -> None:
    batch = tuple(message(2, part, summary="in a batch") for part in range(5000))
    path = write(str(tmp_path / "a.tap"), messages=[QUESTION, *batch, ANSWER])
    with open_recording(path) as recording:
        entries = recording.entries(1) if by == "entries" else recording.news(1, 0, 0)
        told = [it for it in entries if isinstance(it, Told)]
    assert told == [TOLD[0], Told(FRAMES[1], batch), TOLD[2], TOLD[3], Told(FRAMES[4], ())]


@st.composite
def spoken_frames(draw: st.DrawFn) -> list[Told]:
    """Draw frames that are numbered in another order than they arrived, with their messages."""
    size = draw(st.integers(min_value=1, max_value=12))
    numbers = draw(st.permutations(range(1, size + 1)))
    chunks = sorted(draw(st.lists(st.integers(1, 8), min_size=size, max_size=size)))
    told = []
    for number, chunk in zip(numbers, chunks, strict=True):
        parts = draw(st.integers(min_value=0, max_value=4))
        kinds = draw(st.lists(st.sampled_from("abc"), min_size=parts, max_size=parts))
        messages = [message(number, part, kind=kind) for part, kind in enumerate(kinds)]
        frame = Frame(1, number, "in", 0, 1, chunk, chunk, 0, 0, 0, "none", None)
        told.append(Told(frame, tuple(messages)))
    return sorted(told, key=lambda it: (it.frame.last_chunk, it.frame.number))


@given(
    told=spoken_frames(),
    rows=st.integers(min_value=1, max_value=5),
    piece=st.integers(min_value=1, max_value=3),
    number=st.integers(min_value=0, max_value=6),
)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_however_large_the_pages_are_no_frame_is_torn_or_lost(
    tmp_path: Path, told: list[Told], rows: int, piece: int, number: int
) -> None:
    path = tmp_path / "a.tap"
    path.unlink(missing_ok=True)
    chunks = [Chunk(n, 1, "in", 0, n, b"x") for n in range(1, 9)]
    messages = [it for one in told for it in one.messages]
    write(str(path), chunks, [it.frame for it in told], messages=messages)
    with pytest.MonkeyPatch.context() as patch, open_recording(str(path)) as recording:
        for name, value in (("FIRST_ROWS", 1), ("PAGE_ROWS", rows), ("PIECE_ROWS", piece)):
            patch.setattr(told_pages, name, value)
        assert list(recording.entries(1)) == told
        assert list(recording.entries(1, Selection("m.kind = ?", ("a",)))) == of_kinds(told, "a")
        third = Selection("m.kind <> ?", ("a",), numbers=(number, number + 2))
        within = [it for it in told if number <= it.frame.number <= number + 2]
        assert list(recording.entries(1, third)) == of_kinds(within, "bc")
        newer = sorted((it for it in told if it.frame.number > number), key=lambda it: it.frame[1])
        assert list(recording.news(1, 0, number)) == newer


def of_kinds(told: list[Told], kinds: str) -> list[Told]:
    chosen = [Told(frame, tuple(it for it in its if it.kind in kinds)) for frame, its in told]
    return [it for it in chosen if it.messages]
