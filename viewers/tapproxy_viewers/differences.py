"""What `tap diff` says: a line for each difference, and how many there are of each kind."""

import base64
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tapproxy_store.records import Stream
from tapproxy_viewers.cells import clipped, fitted, visible, width_of
from tapproxy_viewers.jsonl import Json
from tapproxy_viewers.lines import Line, plain
from tapproxy_viewers.palette import ARROWS, CHANGE, ELLIPSIS, SEPARATOR
from tapproxy_viewers.visible import shown

How = Literal["changed", "moved", "only in A", "only in B"]

HOWS: tuple[How, ...] = ("changed", "moved", "only in A", "only in B")
"""In the order of the last line."""

STYLES: dict[How, str] = {
    "changed": "notable", "moved": "event", "only in A": "bad", "only in B": "good",
}  # fmt: skip

HOW_WIDTH = len("only in A")
NUMBER_WIDTH = 8
BETWEEN = "  "
LONGEST_VALUE = 1000
"""Characters of a value that are looked at for its place on a line."""
SHARE_OF_THE_COMMON = 4
"""The part of a line, one in so many, that shows what stands before the first difference."""
STEP = " " * (HOW_WIDTH + len(BETWEEN))
"""What stands before the path and the values where they have lines of their own."""


class Absent:
    """Stands for a value where there is none; there is one of it, ABSENT."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same in both recordings."""

    how: How
    subject: str  # message, session, stderr
    stream: Stream | None = None
    a: int | None = None  # number of the frame in A; None where it has none
    b: int | None = None
    kind: str | None = None
    method: str | None = None
    summary: str = ""  # of what is in one alone, or has moved
    path: str = ""  # where the first difference is; empty: the whole
    a_value: Any = ABSENT  # JSON or bytes
    b_value: Any = ABSENT
    more: int = 0  # further places at which they differ
    answer: int | None = None  # frame of its answer, which is in the same recording alone


@dataclass(slots=True)
class Totals:
    """Counts what goes by."""

    same: int = 0  # messages
    differences: dict[How, int] = field(default_factory=lambda: dict.fromkeys(HOWS, 0))
    stderr: int = 0  # differences in stderr, where they are not counted among the others

    @property
    def differ(self) -> bool:
        """Whether there is any difference."""
        return any(self.differences.values())

    def count(self, differences: Iterable[Difference]) -> Iterator[Difference]:
        """Pass differences on."""
        for it in differences:
            self.differences[it.how] += 1
            yield it


def title(a: str, b: str, width: int) -> Line:
    """Say which recordings A and B are, by their names."""
    return clipped([("quiet", f"A {shown(a)}{SEPARATOR}B {shown(b)}")], width)


def lines(differences: Iterable[Difference], totals: Totals, width: int) -> Iterator[Line]:
    """Draw the differences, each on a line if it has room there, and what they come to."""
    is_first = True
    for it in totals.count(differences):
        if is_first:
            before = " " * (HOW_WIDTH + len(BETWEEN) + len(ARROWS["in"]))
            heads = f"{before}{'A':>{NUMBER_WIDTH}}{'B':>{NUMBER_WIDTH}}"
            yield [("quiet", heads)]
            is_first = False
        for line in _lines(it, width):
            yield clipped(line, width)
    if not is_first:
        yield []
    yield fitted(last_words(totals), width)


def last_words(totals: Totals) -> str:
    """Say what the differences come to."""
    same = "1 message is" if totals.same == 1 else f"{totals.same:,} messages are"
    stderr = f"{totals.stderr:,} in stderr (see --stderr)"
    if totals.differ:
        said = [f"{count:,} {how}" for how, count in totals.differences.items() if count]
        words = ", ".join([*said, f"{totals.same:,} same"])
    else:
        words = f"no difference: {same} the same, volatile values aside"
    return words + (SEPARATOR + stderr if totals.stderr else "")


def _lines(it: Difference, width: int) -> Iterator[Line]:
    arrow = ARROWS[it.stream] if it.stream else "   "
    head: Line = [
        (STYLES[it.how], f"{it.how:<{HOW_WIDTH}}{BETWEEN}"),
        (it.stream or "quiet", arrow),
        ("number", f"{_number(it.a)}{_number(it.b)}{BETWEEN}"),
        ("method", shown(it.method or it.kind or it.subject)),
    ]
    room = max(width - sum(width_of(text) for _, text in head) - len(BETWEEN), 0)
    if it.how != "changed":
        said = _summary(it, room)
        yield [*head, ("text", BETWEEN), *said] if plain(said) else head
    elif change := _change(it, room):
        yield [*head, ("text", BETWEEN), *change]
    else:
        yield head
        yield from _change_lines(it, width)


def _number(frame: int | None) -> str:
    return f"{'' if frame is None else f'#{frame}':>{NUMBER_WIDTH}}"


def _summary(it: Difference, room: int) -> Line:
    answer = f"{SEPARATOR}and its answer #{it.answer}" if it.answer else ""
    return [*fitted(it.summary, max(room - len(answer), 0)), ("quiet", answer)]


def _change(it: Difference, room: int) -> Line | None:
    """Return path and values on one line; None where they do not fit."""
    a, b = written(it.a_value), written(it.b_value)
    if len(a) + len(b) > room:
        return None
    path = shown(it.path) + ": " if it.path else ""
    line = visible(
        [("key", path), ("text", a), ("quiet", CHANGE), ("text", b), ("quiet", _more(it))]
    )
    return line if sum(width_of(text) for _, text in line) <= room else None


def _change_lines(it: Difference, width: int) -> Iterator[Line]:
    """Draw the path and, each on its line, the values about where they begin to differ."""
    if it.path:
        room = width - len(STEP) - len(_more(it))
        yield [("text", STEP), ("key", _ended(it.path, room)), ("quiet", _more(it))]
    room = max(width - len(STEP) - len("A" + BETWEEN), 1)
    a, b = written(it.a_value), written(it.b_value)
    start = _start(a, b, room)
    for name, style, value in (("A", "bad", a), ("B", "good", b)):
        cut = ELLIPSIS + value[start:] if start else value
        long = len(cut) > LONGEST_VALUE
        said = fitted(cut[:LONGEST_VALUE], room, more=long)
        yield [("text", STEP), (style, name), ("text", BETWEEN), *said]


def _more(it: Difference) -> str:
    return f" (and {it.more:,} more)" if it.more else ""


def _ended(path: str, room: int) -> str:
    """Return the path, its end if it is long: that says more than its beginning."""
    whole = shown(path)
    end = whole[-LONGEST_VALUE:]
    if end == whole and width_of(whole) <= room:
        return whole
    while end and width_of(ELLIPSIS + end) > room:
        end = end[1:]
    return ELLIPSIS + end


def _start(a: str, b: str, room: int) -> int:
    """Return how many characters both leave out, so that their first difference can be seen."""
    unequal = (at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
    same = next(unequal, min(len(a), len(b)))
    if max(width_of(shown(it[:LONGEST_VALUE])) for it in (a, b)) <= room:
        return 0
    start, left = same, room // SHARE_OF_THE_COMMON
    while start and (left := left - width_of(shown(a[start - 1]))) >= 0:
        start -= 1
    return start


def written(value: Any) -> str:
    """Write a value as JSON; bytes as text."""
    if value is ABSENT:
        return "absent"
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return json.dumps(value, ensure_ascii=False)


def objects(differences: Iterable[Difference], totals: Totals) -> Iterator[Json]:
    """Yield what programs get: an object for each difference, and a summary."""
    for it in totals.count(differences):
        yield _object(it)
    yield {
        "type": "summary",
        "differ": totals.differ,
        "same": totals.same,
        "changed": totals.differences["changed"],
        "moved": totals.differences["moved"],
        "only_in_a": totals.differences["only in A"],
        "only_in_b": totals.differences["only in B"],
        "stderr": totals.stderr,
    }


def _object(it: Difference) -> Json:
    said: Json = {
        "type": "difference",
        "how": it.how.lower().replace(" ", "_"),
        "subject": it.subject,
        "stream": it.stream,
        "a": it.a,
        "b": it.b,
        "kind": it.kind,
        "method": it.method,
        "summary": it.summary,
        "answer": it.answer,
    }
    if it.how == "changed":
        said |= {"path": it.path, "more": it.more}
        said |= _value_object("a", it.a_value) | _value_object("b", it.b_value)
    return said


def _value_object(side: str, value: Any) -> Json:
    """Return the value under `a_value` or `b_value`; nothing where there is none."""
    if value is ABSENT:
        return {}
    if not isinstance(value, bytes):
        return {f"{side}_value": value}
    try:
        return {f"{side}_text": value.decode()}
    except UnicodeDecodeError:
        return {f"{side}_base64": base64.b64encode(value).decode("ascii")}
