"""Frames in, rows of messages out, whatever a dialect does."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tapproxy.dialects.api import Dialect, Heard, Meaning
from tapproxy.dialects.interpreter import Cut, Interpreter
from tapproxy.dialects.registry import OURS
from tapproxy_store.recording import MessageRow
from tests.tapproxy.dialects.heard import answer, ask, spoken, tell

MS = 1_000_000

ANYTHING: Any = Meaning
"""Takes values that a checked dialect could not give."""


class Saying:
    """A reading that returns, or raises, what it is told to."""

    def __init__(self, say: Callable[[Heard], Sequence[Meaning]]) -> None:
        self.read = say

    def traits(self) -> Sequence[str]:
        """Fail."""
        raise KeyError("nothing\x1b")


def saying(say: Callable[[Heard], Sequence[Meaning]]) -> Dialect:
    return Dialect("saying", "", lambda _, __: "always", lambda _: Saying(say))


def failing(heard: Heard) -> Sequence[Meaning]:
    raise ValueError(f"what is {heard.body.decode()}?" + "!" * 1000)


def interpreter(
    *others: Dialect, argv: Sequence[str] = (), chosen: str | None = None
) -> Interpreter:
    return Interpreter(1, argv, (*others, *OURS), chosen)


def row(frame: int, kind: str, **columns: Any) -> MessageRow:
    """Return a row of session 1; what is not named is as it is for the plainest message."""
    columns = {
        "part": 0, "method": None, "id": None, "asks": 0, "summary": "", "answers": None,
        "answers_part": None, "latency_ns": None, "about": None, "within_ns": None, "run": None,
        "flags": None, "note": None, "decoded": None, **columns,
    }  # fmt: skip
    part = columns.pop("part")
    return (1, frame, part, kind, *columns.values())


def test_a_question_and_its_answer_become_two_rows() -> None:
    it = interpreter(chosen="jsonrpc")
    asked, answered = spoken(("in", ask(1, "add", a=2)), ("out", answer(1, sum=3)))
    rows = it.hear(asked) + it.hear(answered._replace(t_ns=5 * MS))
    assert rows == [
        row(1, "request", method="add", id="1", asks=1, summary="a=2"),
        row(
            2, "response", method="add", id="1", summary="sum=3", answers=1, answers_part=0,
            latency_ns=5 * MS,
        ),
    ]  # fmt: skip


def test_frames_are_held_until_the_dialect_is_known_and_come_in_their_order() -> None:
    it = interpreter()
    first, second, third, fourth = spoken(*[("in", tell(name)) for name in "abcd"])
    assert [it.hear(heard) for heard in (first, second, third)] == [[], [], []]
    assert (it.dialect, it.reason) == (None, None)
    assert [(row[1], row[4]) for row in it.hear(fourth)] == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    assert (it.dialect, it.reason) == ("jsonrpc", 'messages say "jsonrpc": "2.0"')


def test_what_is_held_at_the_end_is_read_by_a_last_resort() -> None:
    it = interpreter()
    assert it.hear(Heard("out", b'{"level":"info"}', 3)) == []
    assert it.finish() == [row(3, "info")]
    assert (it.dialect, it.finish()) == ("jsonl", [])


def test_frames_of_which_nothing_is_known_have_no_messages() -> None:
    it = interpreter()
    assert it.hear(Heard("out", b"hello", 1)) == []
    assert it.finish() == []
    assert (it.dialect, it.reason) == ("raw", "no JSON in the first frames")


def test_a_dialect_that_was_asked_for_is_taken_unseen() -> None:
    it = interpreter(chosen="raw")
    assert (it.dialect, it.reason, it.hear(Heard("in", b'{"a":1}', 1))) == ("raw", "asked for", [])


def test_where_a_dialect_that_was_asked_for_is_missing_the_reason_says_so() -> None:
    it = interpreter(chosen="ch\x1bess")
    it.hear(Heard("out", b"hello", 1))
    it.finish()
    reason = "ch␛ess was asked for, but is not installed; no JSON in the first frames"
    assert (it.dialect, it.reason) == ("raw", reason)


def test_a_frame_that_a_dialect_fails_on_is_told_and_the_next_one_is_read() -> None:
    it = interpreter(saying(lambda heard: failing(heard) if heard.number == 1 else [Meaning("ok")]))
    (failed,) = it.hear(Heard("in", b"this", 1))
    words = "the dialect saying failed on this: ValueError: what is this?!!!"
    assert failed[:3] + failed[14:15] == (1, 1, 0, "dialect-failed")
    assert str(failed[15]).startswith(words)
    assert str(failed[15]).endswith("!!!…")
    assert it.hear(Heard("in", b"that", 2)) == [row(2, "ok")]


@pytest.mark.parametrize(
    "meaning",
    [
        None,
        ANYTHING("odd", None, 7),
        ANYTHING("odd", flags=(None,)),
        ANYTHING("odd", decoded="{}"),
        ANYTHING("odd", asks=7),
        ANYTHING("odd", about="in"),
        ANYTHING("odd", within_ns="soon"),
    ],
)
def test_what_is_no_meaning_is_a_failure_of_the_dialect(meaning: Any) -> None:
    (failed,) = interpreter(saying(lambda _: [meaning])).hear(Heard("in", b"this", 1))
    assert (failed[3], failed[14]) == ("unknown", "dialect-failed")


def test_a_dialect_that_cannot_begin_says_so_on_each_frame() -> None:
    def begin(argv: Sequence[str]) -> Saying:
        raise OSError(f"no {argv[0]}")

    it = interpreter(Dialect("saying", "", lambda _, __: "always", begin), argv=["x"])
    failed = "the dialect saying could not begin: OSError: no x"
    assert (it.dialect, it.reason, it.traits) == ("saying", "always", [])
    assert it.hear(Heard("in", b"a", 1)) + it.hear(Heard("in", b"b", 2)) == [
        row(number, "unknown", flags="dialect-failed", note=failed) for number in (1, 2)
    ]


def test_traits_that_fail_are_told_instead() -> None:
    it = interpreter(saying(failing))
    assert it.traits == ["saying KeyError: 'nothing\\x1b'"]


def test_no_text_can_steer_a_terminal_and_none_is_too_odd_to_store() -> None:
    meaning = Meaning(
        kind="k\x1b", method="m\r", summary="s\ud800", id="i\x07", within_ns=1 << 70, run="r\n",
        flags=("f\x00",), note="n\u202e", decoded=b"\x1b",
    )  # fmt: skip
    assert interpreter(saying(lambda _: [meaning])).hear(Heard("in", b"", 1)) == [
        row(
            1, "k␛", method="m␍", id="i␇", summary="s‹U+D800›", within_ns=(1 << 63) - 1, run="r␊",
            flags="f␀", note="n‹U+202E›", decoded=b"\x1b",
        )
    ]  # fmt: skip


def test_several_meanings_of_a_frame_are_its_parts() -> None:
    it = interpreter(saying(lambda _: [Meaning("a"), Meaning("b", flags=("x", "y"))]))
    assert it.hear(Heard("in", b"", 7)) == [row(7, "a"), row(7, "b", part=1, flags="x y")]


def test_a_frame_too_large_to_be_read_answers_its_question_all_the_same() -> None:
    it = interpreter(chosen="lsp")
    it.hear(spoken(("in", ask(1, "textDocument/completion")))[0])
    beginning = b'{"jsonrpc":"2.0","id":1,"result":{"items":[{"label":"aaaa'
    rows = it.pass_over(Heard("out", beginning, 2, 9 * MS), Cut(b'zzz"}]}}', 20_400_000))
    note = "20 MB: too large to be read"
    assert rows == [
        row(
            2, "response", method="textDocument/completion", id="1", answers=1, answers_part=0,
            latency_ns=9 * MS, flags="oversize", note=note,
        )
    ]  # fmt: skip


def test_of_what_cannot_be_skimmed_only_the_size_is_told() -> None:
    cut = Cut(b"]", 9_000_000)
    oversize = row(1, "unknown", flags="oversize", note="9 MB: too large to be read")
    heard = Heard("out", b'[{"id":1', 1)
    assert interpreter(chosen="jsonrpc").pass_over(heard, cut) == [oversize]
    assert interpreter(saying(failing)).pass_over(heard, cut) == [oversize]
    assert interpreter(chosen="raw").pass_over(heard, cut) == []


def test_a_large_frame_before_the_dialect_is_known_is_held_too() -> None:
    it = interpreter()
    beginning = b'{"jsonrpc":"2.0","method":"upload","params":{"data":"aaa'
    assert it.pass_over(Heard("in", beginning, 1), Cut(b'a"},"id":4}', 9_000_000)) == []
    assert it.hear(spoken(("out", answer(4)))[0]._replace(number=2)) == []
    (asked, answered) = it.finish()
    assert (asked[3:7], answered[3:7], answered[8]) == (
        ("request", "upload", "4", 1),
        ("response", "upload", "4", 0),
        1,
    )
