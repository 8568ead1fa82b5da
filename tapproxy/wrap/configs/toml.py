"""TOML: where each value stands. The standard library says whether it is TOML; this finds places.

(TOML 1.0.0: keys, tables, arrays of tables, inline tables. Places in a text that is valid can be
found without knowing what a number or a date looks like.)
"""

import json
import re
import tomllib
from collections.abc import Callable
from typing import TypeVar

from tapproxy.wrap.configs.language import Language
from tapproxy.wrap.configs.spans import Document, Node, NotReadable, Pair, Path, flat

T = TypeVar("T")

_spaces = re.compile(r"[ \t]*+").match
_between = re.compile(r"(?:[ \t\r\n]++|#[^\r\n]*+)*+").match
_header = re.compile(r"\[(\[?)").match
_bare = re.compile(r"[A-Za-z0-9_-]++").match
_text = re.compile(
    r'"""(?s:(?:[^"\\]|\\.|"(?!""))*+)"""(?:""?)?'
    r"|'''(?s:(?:[^']|'(?!''))*+)'''(?:''?)?"
    r'|"(?:[^"\\\r\n]|\\.)*+"|' + r"'[^'\r\n]*+'"
).match
_dot = re.compile(r"[ \t]*\.[ \t]*").match
_other = re.compile(r"[^,\]}#\r\n]*[^,\]}#\s]").match
_place = re.compile(
    r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL
).fullmatch


def read(text: str) -> Document:
    """Return where the values of a text stand; raises NotReadable."""
    start = int(text.startswith("\ufeff"))
    try:
        tomllib.loads(text[start:])
        return Document(text, _Reader(text, start).pairs())
    except tomllib.TOMLDecodeError as error:
        raise _not_readable(text, start, str(error)) from error
    except RecursionError as error:
        raise NotReadable("it is nested too deeply", start) from error


def _not_readable(text: str, start: int, message: str) -> NotReadable:
    found = _place(message)
    if found is None:
        return NotReadable(message, start)
    reason = found[1][0].lower() + found[1][1:]
    if found[2] is None:
        return NotReadable(reason, len(text))
    lines = re.split(r"(?<=\n)", text[start:])
    before = sum(map(len, lines[: int(found[2]) - 1]))
    return NotReadable(reason, start + before + int(found[3]) - 1)


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


TOML = Language("TOML", read, _literal, str)


class _Reader:
    """Goes once through a text that is TOML."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = start
        self._counts: dict[Path, int] = {}  # of the tables in each array of tables

    def pairs(self) -> dict[Path, Pair]:
        found: dict[Path, Pair] = {}
        table: Path = ()
        while self._next_line():
            header = _header(self._text, self._at)
            if header is None:
                found |= flat((self._pair(is_line=True),), table)
            else:
                table = self._table(is_array=header[1] != "", skipped=header.end())
        return found

    def _next_line(self) -> bool:
        self._skip(_between)
        return self._at < len(self._text)

    def _table(self, *, is_array: bool, skipped: int) -> Path:
        """Return the path of the table that a header opens."""
        self._at = skipped
        self._skip(_spaces)
        named, _ = self._key()
        self._at = self._text.index("]", self._at) + 1 + is_array
        if is_array:
            array = self._of_the_last(named[:-1]) + named[-1:]
            self._counts[array] = self._counts.get(array, -1) + 1
        return self._of_the_last(named)

    def _of_the_last(self, named: Path) -> Path:
        """Return a path in which arrays of tables are followed by the number of their last."""
        path: Path = ()
        for name in named:
            path += (name,)
            if path in self._counts:
                path += (f"[{self._counts[path]}]",)
        return path

    def _pair(self, *, is_line: bool = False) -> Pair:
        start = self._at
        path, name_start = self._key()
        name_end = self._at
        self._at = self._text.index("=", self._at) + 1
        self._skip(_spaces)
        return Pair(path, start, name_start, name_end, self._value(), is_line)

    def _key(self) -> tuple[Path, int]:
        """Return the names of a key with dots, and where the last one starts."""
        path: Path = ()
        while True:
            start = self._at
            bare = _bare(self._text, start)
            if bare is None:
                path += (self._string().value,)
            else:
                self._at = bare.end()
                path += (bare.group(),)
            dot = _dot(self._text, self._at)
            if dot is None:
                return path, start
            self._at = dot.end()

    def _value(self) -> Node:
        start = self._at
        if self._sees("["):
            items = self._many("]", self._value)
            return Node("list", start, self._at, items=tuple(items))
        if self._sees("{"):
            pairs = self._many("}", self._pair)
            return Node("table", start, self._at, pairs=tuple(pairs))
        if self._sees('"') or self._sees("'"):
            return self._string()
        found = _other(self._text, start)
        self._at = found.end() if found else start
        return Node("other", start, self._at)

    def _many(self, closing: str, read: Callable[[], T]) -> list[T]:
        """Read what stands between commas, to past the closing sign."""
        self._at += 1
        found: list[T] = []
        while True:
            self._skip(_between)
            if self._sees(closing):
                self._at += 1
                return found
            if self._sees(","):
                self._at += 1
            else:
                found.append(read())

    def _string(self) -> Node:
        found = _text(self._text, self._at)
        if found is None:  # a text that the standard library took for one
            raise NotReadable("this text is not understood", self._at)
        self._at = found.end()
        said = tomllib.loads(f"it={found.group()}")["it"]
        return Node("text", found.start(), found.end(), said)

    def _skip(self, match: Callable[[str, int], re.Match[str] | None]) -> None:
        found = match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _sees(self, sign: str) -> bool:
        return self._text.startswith(sign, self._at)
