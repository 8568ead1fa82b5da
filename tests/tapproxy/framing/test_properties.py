"""Whatever the bytes, and wherever they are split: the cuts are the same and cover the stream."""

from itertools import combinations, pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tapproxy.framing import Cut, make_framer
from tapproxy.framing.detect import recognise

quick = settings(max_examples=50, deadline=None)  # a busy machine is no failure

SPLIT_INVARIANT = ["lines", "content-length", "auto"]


def message(body: bytes, header: bytes = b"Content-Length: %d\r\n\r\n") -> bytes:
    return header % len(body) + body


BODIES = st.binary(max_size=12) | st.sampled_from([b"{}", b"\n", b"Content-Length: 3\r\n\r\n", b""])
HEADERS = st.sampled_from(
    [
        b"Content-Length: %d\r\n\r\n",
        b"content-length:%d\n\n",
        b"Content-Length : %d\r\r\n\r\r\n",
        b"Content-Type: a/b\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: %d\r\nContent-Type: a/b\r\n\r\n",
        b"X-Odd: 1\r\nContent-Length: %d\r\nY: 2\n\n",
    ]
)
MESSAGES = st.builds(message, BODIES, HEADERS)
JUNK = st.sampled_from(
    [
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 99999999999\r\n",
        b"Content-Length: 4\r\nContent-Length: 2\r\n\r\n{}",
        b"INFO: ready\n",
        b"50%\r",
        b"{}",
        b"\n",
        b"\r\n",
        b"\r\r\n",
        b"\r",
        b": \n",
        b"\n\x00",
        b"[1]\n",
    ]
)
LINES = st.builds(
    bytes.__add__,
    st.text(max_size=8).map(str.encode),
    st.sampled_from([b"\n", b"\r\n", b"\r\r\n", b"\r\r\r\n", b""]),
)


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """Draw a mixture of messages, lines and junk, now and then cut off."""
    stream = b"".join(draw(st.lists(MESSAGES | JUNK | LINES | st.binary(max_size=4), max_size=6)))
    return stream[: draw(st.integers(0, len(stream)) | st.just(len(stream)))]


def split(stream: bytes, places: list[int]) -> list[bytes]:
    bounds = [0, *sorted(places), len(stream)]
    return [stream[start:end] for start, end in pairwise(bounds)]


def cut(framing: str, feeds: list[bytes]) -> list[Cut]:
    """Cut the feeds; none of the cuts may end before what was said to be undecided."""
    framer = make_framer(framing)
    cuts: list[Cut] = []
    promised = total = 0
    for data in feeds:
        new = framer.feed(data)
        assert all(cut.end >= promised for cut in new)
        cuts += new
        total += len(data)
        assert promised <= framer.undecided <= total
        promised = framer.undecided
    last = framer.close()
    assert all(cut.end >= promised for cut in last)
    return cuts + last


@pytest.mark.parametrize("framing", SPLIT_INVARIANT)
@quick
@given(data=st.data(), stream=streams())
def test_random_splits_change_nothing(framing: str, data: st.DataObject, stream: bytes) -> None:
    assume(framing != "auto" or recognise(stream) != "raw")
    places = data.draw(st.lists(st.integers(0, len(stream)), max_size=8))
    assert cut(framing, split(stream, places)) == cut(framing, [stream])


@pytest.mark.parametrize("framing", SPLIT_INVARIANT)
@quick
@given(stream=streams())
def test_a_split_at_every_byte_changes_nothing(framing: str, stream: bytes) -> None:
    assume(framing != "auto" or recognise(stream) != "raw")
    assert cut(framing, split(stream, list(range(len(stream))))) == cut(framing, [stream])


@pytest.mark.parametrize("framing", SPLIT_INVARIANT)
@pytest.mark.parametrize(
    "stream",
    [
        b"a\r\r\n\r\n\nb\r",
        b"hi\r\nContent-Length: 3\r\n\r\n\r\n{}\nA: 1",
        b"Content-Length : 2\r\nA: 1\n\n{}x\nContent-Length: 1\n\n",
        b"\nContent-Length: x\r\r\n\r\nINFO: yContent-Length:0\n\n",
    ],
)
def test_a_split_at_every_pair_of_places_changes_nothing(framing: str, stream: bytes) -> None:
    whole = cut(framing, [stream])
    for places in combinations(range(len(stream) + 1), 2):
        assert cut(framing, split(stream, list(places))) == whole


@pytest.mark.parametrize("framing", SPLIT_INVARIANT)
def test_splits_around_every_limit_change_nothing(framing: str) -> None:
    limit = 16 << 10
    stream = (
        b"x" * (limit - 4)
        + message(b"{}")
        + (b"A: " + b"1" * 90 + b"\n") * 180
        + message(b"{}", b"%d")
    )
    whole = cut(framing, [stream])
    for place in [*range(limit - 20, limit + 40), *range(2 * limit, 2 * limit + 40)]:
        assert cut(framing, split(stream, [place])) == whole
    assert cut(framing, split(stream, list(range(0, len(stream), 7)))) == whole


@pytest.mark.parametrize("framing", [*SPLIT_INVARIANT, "raw"])
@quick
@given(data=st.data(), stream=streams())
def test_cuts_cover_the_stream_without_holes(
    framing: str, data: st.DataObject, stream: bytes
) -> None:
    feeds = split(stream, data.draw(st.lists(st.integers(0, len(stream)), max_size=4)))
    cuts = cut(framing, feeds)
    bounds = [0, *[cut.end for cut in cuts]]
    assert [cut.start for cut in cuts] == bounds[:-1]
    assert bounds[-1] == len(stream)
    assert all(cut.start + cut.header_size <= cut.end for cut in cuts)
    assert all(cut.start < cut.end for cut in cuts)


@pytest.mark.parametrize("framing", ["content-length", "auto"])
@quick
@given(messages=st.lists(MESSAGES))
def test_messages_are_found_as_they_were_made(framing: str, messages: list[bytes]) -> None:
    messages.insert(0, message(b"{}"))
    cuts = cut(framing, messages)
    assert [cut.end - cut.start for cut in cuts] == [len(message) for message in messages]
    assert [cut.flaw for cut in cuts] == [None] * len(messages)


@quick
@given(lines=st.lists(st.binary().map(lambda line: line.replace(b"\n", b"") + b"\n")))
def test_lines_are_found_as_they_were_made(lines: list[bytes]) -> None:
    cuts = cut("lines", [b"".join(lines)])
    assert [cut.end - cut.start for cut in cuts] == [len(line) for line in lines]


@pytest.mark.parametrize("framing", SPLIT_INVARIANT)
@quick
@given(before=streams(), after=streams(), size=st.integers(1, 30))
def test_only_missing_bytes_belong_to_no_frame(
    framing: str, before: bytes, after: bytes, size: int
) -> None:
    framer = make_framer(framing)
    cuts = framer.feed(before) + framer.skip(size)
    assert sum(cut.end - cut.start for cut in cuts) == len(before)
    assert framer.undecided == len(before) + size
    rest = framer.feed(after) + framer.close()
    bounds = [len(before) + size, *[cut.end for cut in rest]]
    assert [cut.start for cut in rest] == bounds[:-1]
    assert bounds[-1] == len(before) + size + len(after)
