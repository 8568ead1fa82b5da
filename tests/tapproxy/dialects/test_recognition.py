"""A session's dialect is found by its argv, by its first frames, or at last by what is left."""

import json
from collections.abc import Sequence

import pytest

from tapproxy.dialects.api import Dialect, Heard
from tapproxy.dialects.raw import RawReading
from tapproxy.dialects.recognition import (
    LARGEST_SAMPLE,
    MOST_BYTES,
    MOST_FRAMES,
    MOST_JSON_FRAMES,
    Recognition,
)

TALK = Heard("out", b"hello")
JSON = Heard("out", b'{"a":1}')


def dialect(name: str, knows: bytes, *, last_resort: bool = False) -> Dialect:
    """Return a dialect that knows a session by a word in its argv or in any first frame."""

    def recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
        if knows.decode() in argv:
            return "its argv"
        found = [number for number, it in enumerate(frames, 1) if knows in it.body]
        return f"frame {found[0]} of {len(frames)}" if found else None

    return Dialect(name, "", recognise, lambda _: RawReading(), last_resort=last_resort)


def rest(argv: Sequence[str], frames: Sequence[Heard]) -> str:
    return f"{len(argv)} arguments, {len(frames)} frames"


REST = Dialect("rest", "", rest, lambda _: RawReading(), last_resort=True)
DIALECTS = [REST, dialect("first", b"one"), dialect("second", b"two"), dialect("third", b"one")]


def recognised(frames: Sequence[Heard]) -> tuple[int, str, str] | None:
    """Return after how many frames the dialect is known, which one, and why."""
    recognition = Recognition(DIALECTS, [])
    for number, heard in enumerate(frames, 1):
        found = recognition.add(heard)
        if found is not None:
            return number, found.dialect.name, found.reason
    return None


def test_an_argv_may_tell_before_the_first_frame() -> None:
    assert Recognition(DIALECTS, ["plugin", "two"]).begin() == (DIALECTS[2], "its argv")
    assert Recognition(DIALECTS, ["plugin"]).begin() is None


def test_the_first_frame_that_tells_decides_and_of_several_dialects_the_first() -> None:
    frames = [TALK, TALK._replace(body=b"one and two"), TALK]
    assert recognised(frames) == (2, "first", "frame 2 of 2")


@pytest.mark.parametrize(
    ("heard", "number"), [(TALK, MOST_FRAMES), (JSON, MOST_JSON_FRAMES)], ids=["text", "JSON"]
)
def test_a_last_resort_is_taken_once_enough_was_heard(heard: Heard, number: int) -> None:
    assert recognised([heard] * 20) == (number, "rest", f"0 arguments, {number} frames")
    assert recognised([heard] * (number - 1)) is None


def test_a_last_resort_is_taken_before_too_much_is_held() -> None:
    heard = TALK._replace(body=b"x" * (MOST_BYTES // 4))
    assert recognised([heard] * 20) == (4, "rest", "0 arguments, 1 frames")


def test_the_end_takes_a_last_resort_by_what_was_heard() -> None:
    recognition = Recognition(DIALECTS, [])
    recognition.add(TALK)
    assert recognition.settle() == (REST, "0 arguments, 1 frames")


def test_large_frames_are_looked_at_only_where_there_is_nothing_else() -> None:
    large = TALK._replace(body=b"two" + b"x" * LARGEST_SAMPLE)
    recognition = Recognition(DIALECTS, [])
    assert [recognition.add(it) for it in (large, large)] == [None, None]
    assert recognition.settle() == (DIALECTS[2], "frame 1 of 1")
    assert recognised([large, TALK, TALK._replace(body=b"one")]) == (3, "first", "frame 2 of 2")


def test_frames_that_are_too_large_to_be_read_count() -> None:
    recognition = Recognition(DIALECTS, [])
    found = [recognition.pass_over() for _ in range(MOST_FRAMES)]
    assert found == [None] * (MOST_FRAMES - 1) + [(REST, "0 arguments, 0 frames")]


def test_a_dialect_that_fails_leaves_it_to_the_others() -> None:
    def fails(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
        return str(json.loads(frames[0].body)) + argv[0]

    broken = Dialect("broken", "", fails, lambda _: RawReading())
    recognition = Recognition([broken, *DIALECTS], [])
    assert recognition.begin() is None
    assert recognition.add(TALK._replace(body=b"two")) == (DIALECTS[2], "frame 1 of 1")
