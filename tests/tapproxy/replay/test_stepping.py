"""What a key answers, and what is told about the keys."""

from hypothesis import given
from hypothesis import strategies as st

from tapproxy.replay.stepping import answers, keys, question


def test_each_key_has_an_answer_and_others_have_none() -> None:
    assert list(answers(b"\r\nsSeEcCqQ?\x03\x04")) == [
        "take", "take", "skip", "skip", "edit", "edit", "go on", "go on", "end", "end", "help",
        "end", "end",
    ]  # fmt: skip
    assert list(answers(b"xyz 1\x00\xff\t")) == []


def test_an_arrow_or_function_key_answers_nothing() -> None:
    for key in (b"\x1b[A", b"\x1bOq", b"\x1b[3~", b"\x1bs", b"\x1b"):
        assert list(answers(key)) == []


@given(st.binary())
def test_no_key_is_misunderstood(typed: bytes) -> None:
    assert set(answers(typed)) <= {"take", "skip", "edit", "go on", "end", "help"}


def test_only_what_is_written_can_be_edited() -> None:
    assert question(3, is_write=True) == "send step 3 [enter s e c q ?]? "
    assert question(None, is_write=True) == "send it [enter s e c q ?]? "
    assert question(12, is_write=False) == "do step 12 [enter s c q ?]? "
    assert list(keys("nano -w", is_write=True)) == [
        "enter  sends it",
        "s      leaves it out; what waits for it, or for its answer, goes on",
        "e      opens its bytes in nano -w, then asks again",
        "c      goes on to the end without asking",
        "q      ends the replay, at any time",
    ]
    assert list(keys("vi", is_write=False)) == [
        "enter  does it",
        "s      leaves it out; what waits for it, or for its answer, goes on",
        "c      goes on to the end without asking",
        "q      ends the replay, at any time",
    ]
