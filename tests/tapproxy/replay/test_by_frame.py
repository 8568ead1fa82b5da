"""Whatever the recorded reads were, what is written is cut into whole frames."""

from hypothesis import given
from hypothesis import strategies as st

from tapproxy.replay.by_frame import ByFrame

LINES = b'{"id":1}\n{"id":2}\n\n{"id":3}\n'
WITH_LENGTH = b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(it), it) for it in (b"{}", b"[1]"))


def pieces(framing: str, *writes: tuple[bytes, bool]) -> list[list[bytes]]:
    by_frame = ByFrame(framing)
    return [by_frame.pieces(data, goes_on=goes_on) for data, goes_on in writes]


def test_frames_that_were_written_at_once_are_written_one_by_one() -> None:
    assert pieces("lines", (LINES, False)) == [LINES.splitlines(keepends=True)]
    assert pieces("auto", (WITH_LENGTH, False)) == [[WITH_LENGTH[:23], WITH_LENGTH[23:]]]


def test_a_frame_of_several_writes_is_written_when_it_is_whole() -> None:
    writes = ((b'{"id"', True), (b":1", True), (b'}\n{"id":2}\n{"i', True), (b'd":3}\n', False))
    assert pieces("lines", *writes) == [[], [], [b'{"id":1}\n', b'{"id":2}\n'], [b'{"id":3}\n']]


def test_what_never_becomes_a_frame_is_written_where_nothing_more_comes_of_it() -> None:
    cut = (b'{"id":1}\n{"res', False)
    assert pieces("lines", cut, (b'ult":2}\n', False)) == [
        [b'{"id":1}\n', b'{"res'],
        [b'ult":2}\n'],
    ]


def test_bytes_without_frames_are_written_as_they_were() -> None:
    assert pieces("raw", (b"\0\1", False), (b"\2", False)) == [[b"\0\1"], [b"\2"]]


@given(
    st.sampled_from(["auto", "lines", "content-length", "raw"]),
    st.lists(st.tuples(st.sampled_from([LINES, WITH_LENGTH, b"\xff", b"\n", b"x"]), st.booleans())),
)
def test_no_byte_is_lost_or_changed_and_nothing_is_kept_in_the_end(
    framing: str, writes: list[tuple[bytes, bool]]
) -> None:
    written = pieces(framing, *writes, (b"", False))
    assert b"".join(b"".join(it) for it in written) == b"".join(data for data, _ in writes)
    assert all(piece for it in written for piece in it)


@given(st.lists(st.integers(0, len(LINES))))
def test_however_lines_were_cut_each_is_one_piece(places: list[int]) -> None:
    ends = [*sorted(places), len(LINES)]
    starts = [0, *ends[:-1]]
    parts = [LINES[start:end] for start, end in zip(starts, ends, strict=True)]
    written = pieces("lines", *[(it, at < len(parts)) for at, it in enumerate(parts, 1)])
    assert [piece for it in written for piece in it] == LINES.splitlines(keepends=True)
