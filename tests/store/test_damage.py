"""Damaged recordings: one clear error or the readable part, whatever bytes are wrong."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from string import Template

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapproxy_store.errors import DamagedRecording, StoreError
from tapproxy_store.pages import Selection
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.recording import create_or_open
from tapproxy_store.records import Chunk, Event, Frame, Message, Told
from tapproxy_store.schema import PAGE_SIZE
from tapproxy_store.tape import tape_lines
from tests.store.made import FRAMES, message, query, session, write

BLOCK = 512
"""Bytes of rubbish."""

COLUMNS = [
    *[f"sessions.{name}" for name in ("name", "started_ns", "duration_ns", "outcome", "facts")],
    *[f"chunks.{name}" for name in ("session", "stream", "t_ns", "start_offset", "bytes")],
    *[f"events.{name}" for name in ("t_ns", "kind", "detail")],
    *[f"frames.{name}" for name in ("stream", "start_offset", "end_offset", "first_chunk")],
    *[f"frames.{name}" for name in ("last_chunk", "last_ns", "header_size", "terminator", "flaw")],
    *[f"sessions.{name}" for name in ("dialect", "dialect_reason", "traits")],
    *[f"messages.{name}" for name in (*Message._fields[:-1], "decoded")],
    *[f"totals.{name}" for name in ("session", "stream", "chunks", "bytes", "frames")],
]

Ask = Callable[[Recording, int], object]


def payloads(recording: Recording, session_id: int) -> Iterator[bytes]:
    for entry in recording.entries(session_id):
        if isinstance(entry, Told):
            yield recording.payload(entry.frame, 1000)
            yield from (chunk.data for chunk in recording.pieces(entry.frame))


def answers(recording: Recording, session_id: int) -> Iterator[object]:
    for entry in recording.news(session_id, 0, 0):
        for said in entry.messages if isinstance(entry, Told) else ():
            yield recording.find_answer(said)
            yield recording.decoded(said)


QUESTIONS: dict[str, Ask] = {
    "counts": lambda it, number: it.counts(number),
    "entries": lambda it, number: list(it.entries(number)),
    "records": lambda it, number: list(it.records(number)),
    "payloads": lambda it, number: list(payloads(it, number)),
    "answers": lambda it, number: list(islice(answers(it, number), 40)),
    "chosen": lambda it, number: list(it.entries(number, Selection("m.asks"))),
    "one": lambda it, number: it.find_told(number, it.last_number(number)),
    "open frames": lambda it, number: it.open_frames(number),
    "stream": lambda it, number: b"".join(it.stream_bytes(number, "out")),
    "tape": lambda it, _: list(tape_lines(it)),
}


def ask_everything(path: str) -> list[str]:
    """Ask all that can be asked, and return what is refused; only a StoreError may refuse."""
    refused = []
    try:
        with open_recording(path) as recording:
            numbers = [it.id for it in recording.sessions()] or [1]
            for name, question in QUESTIONS.items():
                for number in numbers:
                    try:
                        question(recording, number)
                    except StoreError:
                        refused.append(name)
    except StoreError:
        return ["all"]
    return refused


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damage")


@pytest.fixture(scope="module")
def whole(place: Path) -> Path:
    """Give a recording of some fifty pages, with frames across chunks and large chunks."""
    chance = random.Random(1)
    records: list[Chunk | Event] = []
    frames: list[Frame] = []
    messages: list[Message] = []
    offset = 0
    for seq in range(1, 400):
        if seq % 10 == 0:
            records.append(Event(seq, 1, seq * 1000, "stall", {"stream": "out", "size": seq}))
            continue
        data = chance.randbytes(20_000 if seq % 100 == 1 else 300) + b"\n"
        records.append(Chunk(seq, 1, "out", seq * 1000, offset, data))
        begin = max(1, seq - 1)
        where = (offset, offset + len(data), begin, seq, begin * 1000, seq * 1000)
        number = len(frames) + 1
        frames.append(Frame(1, number, "out", *where, 0, "LF", None))
        messages += messages_of(number)
        offset += len(data)
    path = write(str(place / "whole.tap"), records, frames, [session(live=True)], messages)
    with create_or_open(path) as writer:
        writer.begin()
        writer.put_totals([(1, "out", 360, offset, len(frames))])
        writer.commit()
        writer.finish()
    assert ask_everything(path) == []
    return Path(path)


def messages_of(number: int) -> list[Message]:
    """Return a question, an answer or none, or a batch of several, in turn."""
    if number % 4 == 1:
        return [message(number, kind="request", method="read", id=str(number), asks=1)]
    if number % 4 == 2:
        return [message(number, kind="response", answers=number - 1, answers_part=0, latency_ns=1)]
    if number % 4 == 3:
        return [message(number, part, note="one of several") for part in range(5)]
    return []


OFTEN = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@given(size=st.integers(min_value=0, max_value=10**6))
@OFTEN
def test_a_truncated_recording_is_read_as_far_as_it_goes(
    whole: Path, place: Path, size: int
) -> None:
    data = whole.read_bytes()
    path = place / "truncated.tap"
    path.write_bytes(data[: size % len(data)])
    assert ask_everything(str(path)) != []


@given(
    places=st.lists(st.integers(min_value=0, max_value=10**6), min_size=1, max_size=30),
    seed=st.integers(),
)
@OFTEN
def test_flipped_bits_never_lead_to_another_exception(
    whole: Path, place: Path, places: list[int], seed: int
) -> None:
    damaged = bytearray(whole.read_bytes())
    chance = random.Random(seed)
    for where in places:
        damaged[where % len(damaged)] ^= 1 << chance.randrange(8)
    path = place / "flipped.tap"
    path.write_bytes(damaged)
    ask_everything(str(path))


@given(block=st.integers(min_value=0, max_value=10**4), seed=st.integers())
@OFTEN
def test_a_block_of_rubbish_never_leads_to_another_exception(
    whole: Path, place: Path, block: int, seed: int
) -> None:
    data = whole.read_bytes()
    at = block * BLOCK % len(data)
    path = place / "rubbish.tap"
    path.write_bytes(data[:at] + random.Random(seed).randbytes(BLOCK) + data[at + BLOCK :])
    ask_everything(str(path))


def test_what_comes_before_the_damage_is_read(whole: Path, place: Path) -> None:
    data = whole.read_bytes()
    path = place / "half.tap"
    path.write_bytes(data[: len(data) * 3 // 4])
    seen: list[Chunk] = []
    with open_recording(str(path)) as recording, pytest.raises(StoreError):
        seen.extend(recording.chunks(1))
    assert [chunk.seq for chunk in seen] == [seq for seq in range(1, 400) if seq % 10][: len(seen)]
    assert len(seen) > 50


@pytest.mark.parametrize("size", [16, 100, 5000])
def test_a_recording_without_a_whole_page_is_damaged_and_nothing_else(
    whole: Path, place: Path, size: int
) -> None:
    path = place / "stump.tap"
    path.write_bytes(whole.read_bytes()[:size])
    with pytest.raises(DamagedRecording) as caught:
        open_recording(str(path))
    assert str(caught.value) == (
        f"{path} is damaged: it is cut short after {size} bytes, and nothing in it can be read"
    )


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("value", [None, -1, 2**62, "", "x", b"\xff", 1.5], ids=repr)
def test_a_value_that_nobody_writes_never_leads_to_another_exception(
    whole: Path, place: Path, column: str, value: object
) -> None:
    path = str(shutil.copy(whole, place / "value.tap"))
    table, _, name = column.partition(".")
    key = {"frames": "number", "messages": "frame", "totals": "session"}.get(table, "rowid")
    update = Template("UPDATE OR IGNORE $table SET $name = ? WHERE $key <= 10")
    let_tables_take_any_value(path)
    query(path, update.substitute(table=table, name=name, key=key), (value,))
    ask_everything(path)


BENT = {
    "a text for a number": ("UPDATE messages SET latency_ns = 'soon' WHERE answers = 5", "entries"),
    "a number for a text": ("UPDATE messages SET summary = x'ff' WHERE frame = 5", "entries"),
    "a needed value": ("UPDATE messages SET kind = NULL WHERE frame = 5", "entries"),
    "a total below zero": ("UPDATE totals SET bytes = -1", "counts"),
    "a total of no stream": ("UPDATE totals SET stream = 'up'", "counts"),
    "a total that is a text": ("UPDATE totals SET frames = 'many'", "counts"),
}


@pytest.mark.parametrize(("update", "question"), BENT.values(), ids=BENT)
def test_what_nobody_writes_into_messages_and_totals_is_damage(
    whole: Path, place: Path, update: str, question: str
) -> None:
    path = str(shutil.copy(whole, place / "bent.tap"))
    let_tables_take_any_value(path)
    query(path, update)
    with (
        open_recording(path) as recording,
        pytest.raises(DamagedRecording, match=f"{path} is damaged "),
    ):
        QUESTIONS[question](recording, 1)


def test_of_a_batch_that_damage_tears_nothing_is_read_and_all_before_it_is(
    place: Path,
) -> None:
    """Half of it could be taken for the whole."""
    batch = [message(2, part, summary="x" * 1000) for part in range(200)]
    path = write(str(place / "torn.tap"), messages=[message(1), *batch])
    data = Path(path).read_bytes()
    page = data.index(b"x" * 1000, data.rindex(b"x" * 1000) // 2) // PAGE_SIZE * PAGE_SIZE
    assert data.count(b"x" * 1000, 0, page) > 10
    Path(path).write_bytes(data[:page] + bytes(PAGE_SIZE) + data[page + PAGE_SIZE :])
    seen: list[object] = []
    with open_recording(path) as recording, pytest.raises(DamagedRecording):
        seen.extend(recording.entries(1))
    assert [it.frame for it in seen if isinstance(it, Told)] == [FRAMES[0]]


def let_tables_take_any_value(path: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'"
        )
