"""Reading a journal while it is written: whole records only, and nothing is given up too early."""

import os
from pathlib import Path

import pytest

from tapproxy_store.journal import (
    CHUNK,
    EVENT,
    HEADER,
    MAGIC,
    MARK,
    NO_STREAM,
    RECORD,
    VOID,
)
from tapproxy_store.journal_reading import BLOCK, JournalReader, Record

HEAD = HEADER.pack(MAGIC, 1, 2, 0, 0, 0, 0)


def packed(kind: int, stream: int, offset: int, data: bytes, *, length: int | None = None) -> bytes:
    size = len(data) if length is None else length
    return RECORD.pack(MARK, kind, stream, size, 5, offset) + data


@pytest.fixture
def journal(tmp_path: Path) -> int:
    """Give a descriptor of a journal that has only its header."""
    fd = os.open(tmp_path / "a.tap.wire", os.O_RDWR | os.O_CREAT)
    os.write(fd, HEAD)
    return fd


def test_a_record_is_read_once_it_is_whole(journal: int) -> None:
    reader = JournalReader(journal)
    whole = packed(CHUNK, 0, 0, b"abc")
    for place in range(len(whole) - 1):
        os.write(journal, whole[place : place + 1])
        assert reader.read() == []
    os.write(journal, whole[-1:])
    assert reader.read() == [Record(CHUNK, 0, 5, 0, b"abc")]
    assert reader.read() == []
    assert reader.unread() == 0


def test_what_a_failed_write_left_behind_is_passed_over(journal: int) -> None:
    reader = JournalReader(journal)
    os.write(journal, packed(CHUNK, 1, 0, b"x" * 50, length=65_536))
    assert reader.read() == []
    os.pwrite(journal, packed(VOID, 1, 0, b"", length=50), len(HEAD))
    os.lseek(journal, 0, os.SEEK_END)
    os.write(journal, packed(EVENT, NO_STREAM, 0, b"{}"))
    assert reader.read() == [Record(EVENT, NO_STREAM, 5, 0, b"{}")]
    assert reader.unread() == 0


def test_a_void_that_fills_what_is_read_at_once_does_not_look_like_the_end(journal: int) -> None:
    os.write(journal, packed(VOID, 1, 0, b"x" * (BLOCK - RECORD.size)))
    os.write(journal, packed(CHUNK, 0, 0, b"abc"))
    assert JournalReader(journal).read() == [Record(CHUNK, 0, 5, 0, b"abc")]


def test_bytes_that_are_no_record_yet_are_looked_at_again(journal: int) -> None:
    reader = JournalReader(journal)
    os.write(journal, packed(CHUNK, 0, 0, b"abc") + b"half written over" * 9)
    assert reader.read() == [Record(CHUNK, 0, 5, 0, b"abc")]
    assert reader.read() == []
    assert reader.unread() == 9 * len(b"half written over")
    later = packed(CHUNK, 0, 3, b"def" * 50)
    os.pwrite(journal, later, reader.position)
    assert reader.read() == [Record(CHUNK, 0, 5, 3, b"def" * 50)]


def test_a_claim_of_more_than_any_record_has_takes_no_memory(journal: int) -> None:
    os.write(journal, packed(CHUNK, 0, 0, b"x" * (2 * BLOCK), length=(1 << 32) - 1))
    reader = JournalReader(journal)
    assert reader.read() == []
    assert reader.unread() == RECORD.size + 2 * BLOCK
