"""Reading a recording: what it gives, and that it neither waits nor takes memory."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from tapproxy_store.errors import (
    CannotRead,
    DamagedRecording,
    NotARecording,
    RecordingNotFound,
    StoreError,
)
from tapproxy_store.reading import Counts, open_recording
from tapproxy_store.recording import create_or_open
from tapproxy_store.records import Chunk, Event, Frame, Told
from tests.store.made import FRAMES, RECORDS, add, query, session, write
from tests.store.nobody import as_nobody

CHUNKS = [record for record in RECORDS if isinstance(record, Chunk)]
EVENTS = [record for record in RECORDS if isinstance(record, Event)]
SILENT = [Told(frame, ()) for frame in FRAMES]


def test_everything_that_was_written_is_read(tmp_path: Path) -> None:
    with open_recording(write(str(tmp_path / "a.tap"))) as recording:
        assert recording.sessions() == [session()]
        assert recording.session() == session()
        assert list(recording.records(1)) == list(RECORDS)
        assert list(recording.chunks(1)) == CHUNKS
        assert list(recording.events(1)) == EVENTS
        assert recording.counts(1) == Counts(
            chunks=4,
            events=3,
            frames={"in": 2, "out": 2, "err": 1},
            bytes={"in": 18, "out": 28, "err": 18},
        )
        assert b"".join(recording.stream_bytes(1, "out")) == CHUNKS[1].data + CHUNKS[3].data


def test_entries_are_frames_and_events_in_the_total_order(tmp_path: Path) -> None:
    with open_recording(write(str(tmp_path / "a.tap"))) as recording:
        assert list(recording.entries(1)) == [EVENTS[0], *SILENT, *EVENTS[1:]]


def test_a_frame_that_ended_late_stands_where_its_last_byte_arrived(tmp_path: Path) -> None:
    late = FRAMES[0]._replace(number=6)
    path = write(str(tmp_path / "a.tap"), RECORDS, [*FRAMES[1:], late])
    with open_recording(path) as recording:
        entries = [it for it in recording.entries(1) if isinstance(it, Told)]
    assert [it.frame.number for it in entries] == [2, 6, 3, 4, 5]


def test_payloads_are_bodies_and_pieces_are_everything(tmp_path: Path) -> None:
    with open_recording(write(str(tmp_path / "a.tap"))) as recording:
        assert [recording.payload(frame) for frame in FRAMES] == [
            b'{"id":1}',
            b'{"id":2}',
            b"warning: \xff\x00\x1b[31m",
            '{"id":1,"r":"你"}'.encode(),
            b"left over",
        ]
        assert [list(recording.pieces(frame)) for frame in FRAMES] == [
            [CHUNKS[0]._replace(data=b'{"id":1}\n')],
            [CHUNKS[0]._replace(data=b'{"id":2}\n', start_offset=9)],
            [CHUNKS[2]],
            [CHUNKS[1], CHUNKS[3]._replace(data=b'\xa0"}\n')],
            [CHUNKS[3]._replace(data=b"left over", start_offset=19)],
        ]
        assert [recording.payload(FRAMES[3], limit) for limit in (0, 3, 14, 99)] == [
            b"",
            b'{"i',
            b'{"id":1,"r":"\xe4',
            '{"id":1,"r":"你"}'.encode(),
        ]


def test_a_header_is_no_part_of_the_payload(tmp_path: Path) -> None:
    records = [
        Chunk(1, 1, "in", 0, 0, b"Content-Le"),
        Chunk(2, 1, "in", 1, 10, b"ngth: 2\r\n\r\n{}"),
    ]
    frame = Frame(1, 1, "in", 0, 23, 1, 2, 0, 1, 21, "none", None)
    with open_recording(write(str(tmp_path / "a.tap"), records, [frame])) as recording:
        assert recording.payload(frame) == b"{}"
        assert recording.payload(frame, 1) == b"{"
        assert list(recording.pieces(frame)) == records


def test_a_live_session_shows_the_bytes_that_no_frame_has_yet(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    with create_or_open(path) as writer:
        add(writer, RECORDS[:3], FRAMES[:2], [session(live=True)])
        with open_recording(path) as recording:
            (unfinished,) = recording.open_frames(1)
            assert unfinished == Frame(
                1, 0, "out", 0, 15, 3, 3, 2_500_000, 2_500_000, 0, "none", "unfinished"
            )
            assert recording.payload(unfinished) == CHUNKS[1].data
            add(writer, RECORDS[3:6], FRAMES[2:4])
            (unfinished,) = recording.open_frames(1)
            assert (unfinished.start_offset, unfinished.end_offset) == (19, 28)
            assert recording.payload(unfinished) == b"left over"
            writer.begin()
            writer.end_session(1, 3, "exit 0")
            writer.commit()
            assert recording.open_frames(1) == []


def test_a_reader_sees_whole_transactions_while_a_writer_writes(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    with create_or_open(path) as writer:
        add(writer, RECORDS[:3], FRAMES[:2], [session(live=True)])
        with open_recording(path) as recording:
            reading = recording.entries(1)
            seen = [next(reading)]
            add(writer, RECORDS[3:], FRAMES[2:])
            assert [*seen, *reading] == [EVENTS[0], *SILENT[:2]]
            assert list(recording.entries(1)) == [EVENTS[0], *SILENT, *EVENTS[1:]]


def test_a_reader_who_pauses_keeps_no_writer_waiting(tmp_path: Path) -> None:
    path = write(str(tmp_path / "a.tap"))
    with open_recording(path) as recording:
        reading = recording.chunks(1)
        next(reading)
        with create_or_open(path) as writer:
            add(writer, [Chunk(8, 1, "in", 3, 18, b"more")])
            assert len(list(reading)) == 4


def test_a_finished_recording_is_read_in_a_folder_that_cannot_be_written(open_folder: Path) -> None:
    path = write(str(open_folder / "a.tap"))
    lock(open_folder)
    assert as_nobody(lambda: everything_in(path)) == list(RECORDS)
    assert os.listdir(open_folder) == ["a.tap"]


@pytest.mark.parametrize("kept", ["", "-wal"], ids=["folded", "with its WAL"])
def test_a_recording_in_wal_mode_is_read_there_too(open_folder: Path, kept: str) -> None:
    """As it is left by a machine that lost its power, or copied from a live session."""
    source = str(open_folder / "source.tap")
    folder = open_folder / "closed"
    folder.mkdir()
    with create_or_open(source) as writer:
        add(writer, RECORDS, FRAMES, [session()])
        if not kept:
            query(source, "PRAGMA wal_checkpoint(TRUNCATE)")
        for ending in {"", kept}:
            data = Path(source + ending).read_bytes()
            Path(f"{folder}/a.tap{ending}").write_bytes(data)
    lock(folder)
    assert as_nobody(lambda: everything_in(f"{folder}/a.tap")) == list(RECORDS)
    folder.chmod(0o755)


def test_many_large_chunks_are_read_in_little_memory(tmp_path: Path) -> None:
    size = 256 * 1024
    chunks = [Chunk(n + 1, 1, "out", n, n * size, bytes([n]) * size) for n in range(100)]
    frame = Frame(1, 1, "out", 0, 100 * size, 1, 100, 0, 99, 0, "none", None)
    path = write(str(tmp_path / "a.tap"), chunks, [frame])
    del chunks
    with open_recording(path) as recording:
        tracemalloc.start()
        total = sum(len(data) for data in recording.stream_bytes(1, "out"))
        total += sum(len(chunk.data) for chunk in recording.chunks(1))
        shown = recording.payload(frame, 100)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert (total, shown) == (200 * size, bytes(100))
    assert peak < 4_000_000


def test_a_session_is_asked_for_before_there_is_one(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    create_or_open(path).close()
    with open_recording(path) as recording, pytest.raises(NotARecording, match="no session"):
        recording.session()


WRONG: dict[str, tuple[Callable[[Path], object], type[StoreError], str]] = {
    "nothing": (Path.exists, RecordingNotFound, "no file {}; `tap ls` lists the recordings"),
    "a folder": (
        Path.mkdir,
        NotARecording,
        "{} is a folder, not a recording; name a *.tap file",
    ),
    "a pipe": (
        os.mkfifo,
        NotARecording,
        "{} is not a regular file, not a recording; name a *.tap file",
    ),
    "an empty file": (
        Path.touch,
        NotARecording,
        "{} is empty: its recorder has only just begun, or was stopped before it could write",
    ),
    "a program": (
        lambda path: path.write_bytes(b"\x7fELF" * 30),
        NotARecording,
        "{} is not a recording (a recording is an SQLite file)",
    ),
    "a journal": (
        lambda path: path.write_bytes(b"TAPWIRE\x01" * 30),
        NotARecording,
        "{} is the journal of a recording: name the recording, without .wire",
    ),
    "a tape": (
        lambda path: path.write_text('{"tape": 1}'),
        NotARecording,
        "{0} is text, not a recording: `tap import {0}` makes one of it",
    ),
    "another database": (
        lambda path: query(str(path), "CREATE TABLE mine (a)"),
        NotARecording,
        "{} is an SQLite file of another program, not a recording",
    ),
}


@pytest.mark.parametrize(("make", "error", "words"), WRONG.values(), ids=WRONG)
def test_what_is_no_recording_is_one_clear_error(
    tmp_path: Path, make: Callable[[Path], object], error: type[StoreError], words: str
) -> None:
    path = tmp_path / "a.tap"
    make(path)
    with pytest.raises(error) as caught:
        open_recording(str(path))
    assert str(caught.value) == words.format(path)


def test_a_recording_that_may_not_be_read_is_one_clear_error(open_folder: Path) -> None:
    path = write(str(open_folder / "a.tap"))
    with pytest.raises(CannotRead) as caught:
        as_nobody_of_another(path)
    assert str(caught.value) == f"cannot read {path}: Permission denied"


def test_damage_is_told_in_the_middle_of_an_iteration(tmp_path: Path) -> None:
    chunks = [Chunk(n + 1, 1, "out", n, n * 10_000, bytes(10_000)) for n in range(300)]
    path = write(str(tmp_path / "a.tap"), chunks, [])
    os.truncate(path, os.path.getsize(path) // 2)
    seen: list[Chunk] = []
    with open_recording(path) as recording, pytest.raises(DamagedRecording, match="is damaged"):
        seen.extend(recording.chunks(1))
    assert seen == chunks[: len(seen)]
    assert len(seen) > 100


def everything_in(path: str) -> list[Chunk | Event]:
    with open_recording(path) as recording:
        return list(recording.records(1))


def lock(folder: Path) -> None:
    """Let everybody read what is in the folder, and nobody write."""
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)


def as_nobody_of_another(path: str) -> object:
    """Read a file that only its owner may read, or that nobody may, where we are not root."""
    if os.getuid() != 0:
        os.chmod(path, 0)
    return as_nobody(lambda: everything_in(path))
