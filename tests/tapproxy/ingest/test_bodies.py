"""The bytes of frames that lie across chunks, and how little of a large one is kept."""

import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.ingest import bodies as module
from tapproxy.ingest.bodies import EDGE, LARGEST_BODY, Bodies

TEXT = b"one\ntwo\r\n\nthree and more\nfo"


def bodies_of(data: bytes, cuts: list[int], begins: int = 0) -> list[bytes | None]:
    """Feed the data cut into chunks; return the bodies of its lines as each ends."""
    bodies = Bodies()
    found, start = [], 0
    for begin, stop in pairwise([0, *cuts, len(data)]):
        bodies.feed(begins + begin, data[begin:stop])
        while (end := data.find(b"\n", start, stop) + 1) > 0:
            found.append(bodies.take(begins + start, begins + end - 1, begins + end))
            start = end
    found.append(bodies.take(begins + start, begins + len(data), begins + len(data)))
    return found


@given(
    data=st.lists(st.sampled_from((b"\n", b"a", b"bcd", b"\r\n")), min_size=1).map(b"".join),
    cuts=st.lists(st.integers(1, 60)),
    begins=st.sampled_from((0, 1000)),
)
def test_however_a_stream_is_split_its_bodies_are_the_same(
    data: bytes, cuts: list[int], begins: int
) -> None:
    places = sorted({it for it in cuts if it < len(data)})
    assert bodies_of(data, places, begins) == data.split(b"\n")


def test_a_chunk_for_each_byte_makes_the_same_bodies() -> None:
    assert bodies_of(TEXT, list(range(1, len(TEXT)))) == TEXT.split(b"\n")


def test_frames_may_end_before_the_last_chunk() -> None:
    bodies = Bodies()
    for offset in range(8):
        bodies.feed(offset, TEXT[offset : offset + 1])
    assert bodies.take(0, 3, 4) == b"one"
    bodies.feed(8, TEXT[8:])
    assert (bodies.take(4, 7, 9), bodies.take(9, 9, 10)) == (b"two", b"")


def test_what_is_before_a_gap_is_let_go() -> None:
    bodies = Bodies()
    bodies.feed(0, b"half")
    bodies.feed(100, b"whole\n")
    assert bodies.end == 106
    assert bodies.take(100, 105, 106) == b"whole"
    assert bodies.take(0, 4, 4) is None


def test_a_body_of_the_largest_size_is_read_and_a_larger_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LARGEST_BODY", 10)
    assert bodies_of(b"0123456789\n0123456789a\nb", [5, 15]) == [b"0123456789", None, b"b"]


@pytest.mark.parametrize("size", [1 << 20, 7777, LARGEST_BODY * 2])
def test_of_a_body_too_large_to_be_read_both_ends_are_kept_and_memory_stays_flat(size: int) -> None:
    begins, header, total = 50, 30, LARGEST_BODY + (1 << 20) + 5
    wire = b"H" * header + b"<" * EDGE + b"-" * (total - 2 * EDGE) + b">" * EDGE + b"\r\n"
    chunks = [wire[at : at + size] for at in range(0, len(wire), size)]
    bodies = Bodies()
    bodies.feed(0, b"x" * begins)
    bodies.forget(begins)
    tracemalloc.start()
    offset = begins
    for chunk in chunks:
        bodies.feed(offset, chunk)
        offset += len(chunk)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    start, end = begins + header, offset - 2
    assert bodies.take(start, end, offset) is None
    assert bodies.edges(start, end) == (b"<" * EDGE, b">" * EDGE)
    assert peak < 2.5 * LARGEST_BODY
    bodies.forget(offset)
    bodies.feed(offset, b"next\n")
    assert bodies.take(offset, offset + 4, offset + 5) == b"next"
