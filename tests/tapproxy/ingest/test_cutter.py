"""Chunks cut into frames: which chunks hold a frame, when it came, and how little is remembered."""

import tracemalloc
from itertools import count, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.ingest.cutter import SessionCutter
from tapproxy_store.recording import FrameRow
from tapproxy_store.records import Chunk, Event, Stream
from tests.tapproxy.ingest.made import payloads

FRAMINGS = ("lines", "content-length", "auto")

EVERYWHERE = list(range(1, 300))
"""Cuts that make a chunk of each byte."""

TRACED_FROM = 90_000
"""Tracing takes time; 10,000 remembered chunks would take 800,000 bytes."""

texts = payloads.map(lambda data: data.replace(b"\0", b"x"))
"""Binary streams are left out: where they are recognised, a frame is what one read gave."""

Segment = tuple[int, bytes]  # bytes missing before it, and it


def chunks_of(segments: list[Segment], cuts: list[int], stream: Stream) -> list[Chunk]:
    """Split each segment at the cuts that lie in it."""
    chunks: list[Chunk] = []
    numbers = count(1)
    end = 0
    for missing, data in segments:
        start = end + missing
        places = sorted({0, len(data), *(it for it in cuts if 0 < it < len(data))})
        for begin, stop in pairwise(places):
            seq = next(numbers)
            chunks.append(Chunk(seq, 1, stream, seq * 10, start + begin, data[begin:stop]))
        end = start + len(data)
    return chunks


def frames_of(framing: str, chunks: list[Chunk]) -> list[FrameRow]:
    cutter = SessionCutter(1, framing)
    return [row for chunk in chunks for row in cutter.feed(chunk)] + cutter.close()


def holding(chunks: list[Chunk], offset: int) -> tuple[int, int]:
    """Return the seq and the time of the chunk that holds the byte."""
    return next(
        (it.seq, it.t_ns)
        for it in chunks
        if it.start_offset <= offset < it.start_offset + len(it.data)
    )


@settings(deadline=None)
@given(
    framing=st.sampled_from(FRAMINGS),
    segments=st.lists(st.tuples(st.sampled_from((0, 0, 1, 9, 40)), texts), max_size=4),
    cuts=st.lists(st.integers(1, 60)) | st.just(EVERYWHERE),
)
def test_however_a_stream_is_split_its_frames_are_the_same_and_know_their_chunks(
    framing: str, segments: list[Segment], cuts: list[int]
) -> None:
    chunks = chunks_of(segments, cuts, "out")
    whole = frames_of(framing, chunks_of(segments, [], "out"))
    expected = []
    for _, number, stream, start, end, _, _, _, _, header_size, terminator, flaw in whole:
        first_chunk, first_ns = holding(chunks, start)
        last_chunk, last_ns = holding(chunks, end - 1)
        chunks_and_times = (first_chunk, last_chunk, first_ns, last_ns)
        row = (1, number, stream, start, end, *chunks_and_times, header_size, terminator, flaw)
        expected.append(row)
    assert frames_of(framing, chunks) == expected


@settings(deadline=None)
@given(
    framing=st.sampled_from(FRAMINGS),
    segments=st.lists(st.tuples(st.sampled_from((0, 0, 1, 9)), payloads), max_size=4),
    cuts=st.lists(st.integers(1, 60)),
)
def test_frames_cover_every_recorded_byte_once(
    framing: str, segments: list[Segment], cuts: list[int]
) -> None:
    chunks = chunks_of(segments, cuts, "err")
    recorded = [
        offset for it in chunks for offset in range(it.start_offset, it.start_offset + len(it.data))
    ]
    framed = [offset for row in frames_of(framing, chunks) for offset in range(row[3], row[4])]
    assert framed == recorded


def test_frames_of_all_streams_are_numbered_together_in_order_of_completion() -> None:
    cutter = SessionCutter(7, "lines")
    rows = [
        cutter.feed(Chunk(1, 7, "in", 10, 0, b"a")),
        cutter.feed(Chunk(2, 7, "out", 20, 0, b"b\nc\r\nd")),
        cutter.feed(Chunk(3, 7, "in", 30, 1, b"a\n")),
        cutter.feed(Chunk(4, 7, "err", 40, 0, b"e")),
        cutter.happened(Event(5, 7, 50, "stall", {"stream": "out"})),
        cutter.happened(Event(6, 7, 60, "eof", {"stream": "out"})),
        cutter.happened(Event(7, 7, 70, "exit", {"code": 0})),
        cutter.close(),
    ]
    assert rows == [
        [],
        [
            (7, 1, "out", 0, 2, 2, 2, 20, 20, 0, "LF", None),
            (7, 2, "out", 2, 5, 2, 2, 20, 20, 0, "CRLF", None),
        ],
        [(7, 3, "in", 0, 3, 1, 3, 10, 30, 0, "LF", None)],
        [],
        [],
        [(7, 4, "out", 5, 6, 2, 2, 20, 20, 0, "none", "unfinished")],
        [],
        [(7, 5, "err", 0, 1, 4, 4, 40, 40, 0, "none", "unfinished")],
    ]


def test_a_frame_that_missing_bytes_end_knows_the_chunk_before_them() -> None:
    cutter = SessionCutter(1, "lines")
    rows = [
        cutter.feed(Chunk(1, 1, "out", 10, 0, b"a\nbe")),
        cutter.feed(Chunk(3, 1, "out", 30, 9, b"gun\nc\n")),
    ]
    assert rows == [
        [(1, 1, "out", 0, 2, 1, 1, 10, 10, 0, "LF", None)],
        [
            (1, 2, "out", 2, 4, 1, 1, 10, 10, 0, "none", "gap"),
            (1, 3, "out", 9, 13, 3, 3, 30, 30, 0, "LF", "gap"),
            (1, 4, "out", 13, 15, 3, 3, 30, 30, 0, "LF", None),
        ],
    ]


@pytest.mark.parametrize(
    ("framing", "first", "terminator", "header_size"),
    [
        ("lines", b"", "LF", 0),
        ("auto", b"{", "LF", 0),
        ("content-length", b"Content-Length: 1000001\r\n\r\n", "none", 27),
    ],
)
def test_a_frame_of_100_000_chunks_takes_no_memory_for_each(
    framing: str, first: bytes, terminator: str, header_size: int
) -> None:
    cutter = SessionCutter(1, framing)
    offset = len(first)
    if first:
        cutter.feed(Chunk(1, 1, "in", 1, 0, first))
    for seq in range(2, 100_002):
        if seq == TRACED_FROM:
            tracemalloc.start()
        assert cutter.feed(Chunk(seq, 1, "in", seq, offset, b"0123456789")) == []
        offset += 10
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    begin = 1 if first else 2
    end = (offset + 1, begin, 100_002, begin, 100_002, header_size, terminator, None)
    rows = cutter.feed(Chunk(100_002, 1, "in", 100_002, offset, b"\n"))
    assert (rows, peak < 50_000) == ([(1, 1, "in", 0, *end)], True)
