"""Damaged recordings: one clear error or the readable part, whatever bytes are wrong."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from string import Template

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapproxy_store.errors import DamagedRecording, StoreError
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.records import Chunk, Event, Frame
from tapproxy_store.tape import tape_lines
from tests.store.made import query, session, write

BLOCK = 512
"""Bytes of rubbish."""

COLUMNS = [
    *[f"sessions.{name}" for name in ("name", "started_ns", "duration_ns", "outcome", "facts")],
    *[f"chunks.{name}" for name in ("session", "stream", "t_ns", "start_offset", "bytes")],
    *[f"events.{name}" for name in ("t_ns", "kind", "detail")],
    *[f"frames.{name}" for name in ("stream", "start_offset", "end_offset", "first_chunk")],
    *[f"frames.{name}" for name in ("last_chunk", "last_ns", "header_size", "terminator", "flaw")],
]

Ask = Callable[[Recording, int], object]


def payloads(recording: Recording, session_id: int) -> Iterator[bytes]:
    for entry in recording.entries(session_id):
        if isinstance(entry, Frame):
            yield recording.payload(entry, 1000)
            yield recording.frame_bytes(entry)


QUESTIONS: dict[str, Ask] = {
    "counts": lambda it, number: it.counts(number),
    "entries": lambda it, number: list(it.entries(number)),
    "records": lambda it, number: list(it.records(number)),
    "payloads": lambda it, number: list(payloads(it, number)),
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
    offset = 0
    for seq in range(1, 400):
        if seq % 10 == 0:
            records.append(Event(seq, 1, seq * 1000, "stall", {"stream": "out", "size": seq}))
            continue
        data = chance.randbytes(20_000 if seq % 100 == 1 else 300) + b"\n"
        records.append(Chunk(seq, 1, "out", seq * 1000, offset, data))
        begin = max(1, seq - 1)
        where = (offset, offset + len(data), begin, seq, begin * 1000, seq * 1000)
        frames.append(Frame(1, len(frames) + 1, "out", *where, 0, "LF", None))
        offset += len(data)
    path = write(str(place / "whole.tap"), records, frames, [session(live=True)])
    assert ask_everything(path) == []
    return Path(path)


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
    key = "number" if table == "frames" else "rowid"
    update = Template("UPDATE $table SET $name = ? WHERE $key <= 10")
    let_tables_take_any_value(path)
    query(path, update.substitute(table=table, name=name, key=key), (value,))
    ask_everything(path)


def let_tables_take_any_value(path: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'"
        )
