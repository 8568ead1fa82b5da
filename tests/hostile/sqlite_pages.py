"""Writes what only a hostile program writes: circles of pages, a claiming WAL, a journal.

The formats are those of https://sqlite.org/fileformat2.html.
"""

import struct
from pathlib import Path

JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
SECTOR = 512
WAL_MAGIC = 0x377F0682
WAL_FORMAT = 3007000
"""Checksums of little-endian words, as the magic says."""
TABLE_INTERIOR, TABLE_LEAF = 5, 13


def page_size(data: bytes | bytearray) -> int:
    """Return the size of a file's pages."""
    return int(struct.unpack_from(">H", data, 16)[0])


def lead_in_circles(path: Path, root: int, levels: int = 8) -> None:
    """Have a table's tree branch 100 times on each level, all branches meeting in one page."""
    data = bytearray(path.read_bytes())
    size = page_size(data)
    first = len(data) // size + 1
    data[(root - 1) * size : root * size] = _interior(size, first)
    for level in range(levels):
        data += _interior(size, first + level + 1)
    data += _leaf(size)
    struct.pack_into(">I", data, 28, len(data) // size)
    path.write_bytes(data)


def _interior(size: int, child: int) -> bytes:
    cell = struct.pack(">IB", child, 1)
    page = bytearray(size)
    at = size
    for number in range(100):
        at -= len(cell)
        page[at : at + len(cell)] = cell
        struct.pack_into(">H", page, 12 + 2 * number, at)
    struct.pack_into(">BHHHBI", page, 0, TABLE_INTERIOR, 0, 100, at, 0, child)
    return bytes(page)


def _leaf(size: int) -> bytes:
    """Return a page with one row, whose columns are all NULL."""
    cell = bytes([7, 1, 7, 0, 0, 0, 0, 0, 0])
    page = bytearray(size)
    page[-len(cell) :] = cell
    struct.pack_into(">BHHHBH", page, 0, TABLE_LEAF, 0, 1, size - len(cell), 0, size - len(cell))
    return bytes(page)


def hot_journal(path: Path, victim: Path) -> None:
    """Leave a journal beside the file that is to be rolled back, and names another file."""
    data = path.read_bytes()
    size, nonce = page_size(data), 1
    page = data[:size]
    checksum = nonce + sum(page[at] for at in range(size - 200, 0, -200))
    head = JOURNAL_MAGIC + struct.pack(">IIIII", 1, nonce, len(data) // size, SECTOR, size)
    record = struct.pack(">I", 1) + page + struct.pack(">I", checksum & 0xFFFFFFFF)
    name = str(victim).encode()
    end = struct.pack(">I", (1 << 30) // size + 1) + name
    end += struct.pack(">II", len(name), sum(name) & 0xFFFFFFFF) + JOURNAL_MAGIC
    Path(f"{path}-journal").write_bytes(head.ljust(SECTOR, b"\0") + record + end)


def claiming_wal(path: Path, pages: int) -> None:
    """Leave a WAL beside the file by which it has so many pages."""
    data = bytearray(path.read_bytes())
    size = page_size(data)
    data[18:20] = b"\2\2"  # a file in WAL mode
    path.write_bytes(data)
    head = struct.pack(">IIIIII", WAL_MAGIC, WAL_FORMAT, size, 0, 1, 1)
    sums = _sums(head, (0, 0))
    frame = struct.pack(">II", 1, pages)
    struct.pack_into(">I", data, 28, pages)
    page = bytes(data[:size])
    after = _sums(page, _sums(frame, sums))
    wal = head + struct.pack(">II", *sums)
    wal += frame + struct.pack(">IIII", 1, 1, *after) + page
    Path(f"{path}-wal").write_bytes(wal)


def _sums(data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    one, other = sums
    words = struct.unpack(f"<{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + other) & 0xFFFFFFFF
        other = (other + second + one) & 0xFFFFFFFF
    return one, other
