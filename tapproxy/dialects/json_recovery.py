"""What can be made of a frame that is not JSON: the reason, and the JSON that is in it after all.

Found in the field: a progress bar glued before a line, two texts on one line, one text over several
lines, one in the middle of another, a byte order mark, NaN, bytes that are not UTF-8.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tapproxy.dialects.brief import clipped
from tapproxy.dialects.json_lenient import LENIENT, STRICT, Lenient, read_leniently

LARGEST = 1 << 16
"""Bytes of a frame in which JSON is looked for at several places, and of all parts of one text."""

ATTEMPTS = 16
"""Places at which a JSON text may begin, tried in one frame."""

MOST_PARTS = 500
"""Frames that one JSON text may be spread over."""

FURTHEST = 100
"""Frames, of any stream, that may lie between two parts of one text."""

SHOWN = 40
"""Characters of stray text that a note repeats."""

BOM = "\ufeff"
_OPENING = re.compile(r"[{\[]")
_TERMINAL = re.compile(r"\x1b|\r(?!\n)")  # colours, and lines that are drawn over each other
_CUT = re.compile(r"[\w.+\\-]*\s*\Z")  # what a text may end with that is cut in a word or number

Oddity = tuple[str, str]  # flag, reason


class Found(NamedTuple):
    """A JSON text in a frame, or, where `text` is None, the lack of one."""

    value: Any  # None where there is no JSON
    text: bytes | None  # the JSON text; where strict readers refuse it, one like it that they take
    note: str
    flags: tuple[str, ...]


class _Begun(NamedTuple):
    """The beginning of a JSON text that later frames may go on with."""

    text: str
    first: int  # numbers of the first and the latest frame of it
    latest: int
    parts: int
    flag: str  # multiline; interleaved: another text came in its middle


class _Place(NamedTuple):
    """A JSON text within a frame's text."""

    start: int
    end: int
    read: Lenient
    around: Sequence[Oddity] = ()


class Recovery:
    """Finds the JSON in one side's frames; remembers a text that has begun."""

    def __init__(self) -> None:
        self._begun: _Begun | None = None

    def find(self, body: bytes, number: int) -> list[Found]:
        """Return what is in a frame that is not JSON as it stands; at least one thing."""
        if not body.strip():
            return [_none(("blank", "empty line"))]
        text, oddities = _decoded(body)
        part = self._part(text, number)
        if part is not None:
            return [part]
        places = list(_places(text))
        if places:
            self._begin(text[: places[0].start], number, "interleaved")
            return [_found(it.read, [*oddities, *it.around]) for it in _surrounded(text, places)]
        self._begin(text + "\n", number, "multiline")
        return [_none(*_why_not(text), *oddities)]

    def part(self, body: bytes, number: int) -> Found | None:
        """Return what a frame is as a part of a text that has begun; None where it is none."""
        return None if self._begun is None else self._part(_decoded(body)[0], number)

    def _begin(self, text: str, number: int, flag: str) -> None:
        begins = text.lstrip()[:1] in ("{", "[") and len(text) <= LARGEST and _is_cut(text)
        self._begun = _Begun(text, number, number, 1, flag) if begins else None

    def _part(self, text: str, number: int) -> Found | None:
        begun, self._begun = self._begun, None
        if begun is None or number - begun.latest > FURTHEST:
            return None
        whole = begun.text + text
        if len(whole) > LARGEST or begun.parts == MOST_PARTS:
            return None
        try:
            STRICT.decode(whole)
            read = read_leniently(whole)
        except (json.JSONDecodeError, RecursionError):
            return self._another(begun, whole, number)
        return _found(read, [(begun.flag, _joined_words(begun, number))])

    def _another(self, begun: _Begun, whole: str, number: int) -> Found | None:
        if not _is_cut(whole):
            return None
        end = "\n" if begun.flag == "multiline" else ""
        self._begun = _Begun(whole + end, begun.first, number, begun.parts + 1, begun.flag)
        return _none((begun.flag, f"part of the JSON text that begins in #{begun.first}"))


def _joined_words(begun: _Begun, number: int) -> str:
    if begun.flag == "interleaved":
        return f"the rest of #{begun.first}: one JSON text came in the middle of another"
    return f"one JSON text over #{begun.first} to #{number}"


def _none(*oddities: Oddity) -> Found:
    return Found(None, None, _notes(oddities), _flags(oddities))


def _found(read: Lenient, around: Sequence[Oddity]) -> Found:
    oddities = [*around, *read.oddities]
    return Found(read.value, read.text, _notes(oddities), _flags(oddities))


def _notes(oddities: Sequence[Oddity]) -> str:
    return "; ".join(reason for _, reason in oddities if reason)


def _flags(oddities: Sequence[Oddity]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(flag for flag, _ in oddities))


def _decoded(body: bytes) -> tuple[str, list[Oddity]]:
    """Return the text of a frame without byte order mark, and what is odd about it."""
    oddities = []
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        text = body.decode("utf-8", "replace")
        oddities.append(("not-utf8", f"not UTF-8 at byte {error.start}"))
    if text.startswith(BOM):
        oddities.append(("bom", "byte order mark at the beginning"))
    return text.removeprefix(BOM), oddities


def _places(text: str) -> Iterator[_Place]:
    """Yield the JSON objects, and lists of objects; not those inside an object that is broken."""
    at = sound_until = 0
    for _ in range(ATTEMPTS if len(text) <= LARGEST else 1):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        start = opening.start()
        try:
            value, at = LENIENT.raw_decode(text, start)
            read = read_leniently(text[start:at])
        except json.JSONDecodeError as error:
            sound_until = max(sound_until, error.pos)
            at = max(opening.end(), *(text.rfind(it, 0, error.pos + 1) for it in "{["))
        except RecursionError:
            at = opening.end()
        else:
            holds_object = isinstance(value, dict) or (value and isinstance(value[0], dict))
            if value and holds_object and at > sound_until:
                yield _Place(start, at, read)


def _surrounded(text: str, places: Sequence[_Place]) -> Iterator[_Place]:
    """Yield the places with what is wrong about each: the stray text around it."""
    stray_from = 0
    for place in places:
        around = _before(text[stray_from : place.start].strip())
        if place is places[-1]:
            around += _stray("interleaved", "after", text[place.end :].strip())
        if len(places) > 1:
            around.append(("concatenated", "several JSON texts in one frame"))
        yield place._replace(around=around)
        stray_from = place.end


def _before(text: str) -> list[Oddity]:
    if text[:1] in ("{", "[") and _is_cut(text):
        said = f"in the middle of another text: {clipped(text, SHOWN)}"
        return [("not-json", ""), ("interleaved", said)]
    return _stray("not-json", "before", text)


def _stray(flag: str, where: str, text: str) -> list[Oddity]:
    if not text:
        return []
    said = f"text {where} the JSON: {clipped(text, SHOWN)}"
    return [(flag, said), *([("ansi", "")] if _TERMINAL.search(text) else [])]


def _is_cut(text: str) -> bool:
    """Tell whether a text is a JSON text's beginning: good as far as it goes."""
    try:
        STRICT.decode(text)
    except json.JSONDecodeError as error:
        unterminated = error.msg.startswith("Unterminated string")
        return unterminated or _CUT.match(text, error.pos) is not None
    except RecursionError:
        return False
    return False


def _why_not(text: str) -> list[Oddity]:
    """Say why a frame without any JSON object is none."""
    begins = text.lstrip()[:1] in ("{", "[")
    if begins and _is_cut(text):
        return [("not-json", "not JSON: ends in the middle"), ("unfinished", "")]
    if _TERMINAL.search(text):
        return [("not-json", "not JSON: text with terminal codes"), ("ansi", "")]
    return [("not-json", _fault(text) if begins else "not JSON")]


def _fault(text: str) -> str:
    try:
        STRICT.decode(text)
    except json.JSONDecodeError as error:
        what = error.msg[:1].lower() + error.msg[1:]
        return f"not JSON: {what} at character {error.pos + 1}"
    except RecursionError:
        return "not JSON that can be read: nested too deeply"
    return "JSON, but no object in it"
