"""Lua cut into words and signs, as far as finding a table of texts needs it.

(Lua 5.1 reference manual, 2.1 Lexical Conventions, which Neovim runs.)
"""

import re
from dataclasses import dataclass
from typing import Literal

from tapproxy.wrap.configs.spans import NotReadable

Kind = Literal["name", "text", "odd text", "sign"]

_nothing = re.compile(r"(?:\s++|--(?!\[=*\[)[^\n]*+|--\[(=*)\[(?s:.*?)\]\1\])*+").match
_token = re.compile(
    r"(?P<name>[A-Za-z_]\w*+)"
    r"|(?P<short>\"(?:[^\"\\\n]|\\(?s:.))*+\"|'(?:[^'\\\n]|\\(?s:.))*+')"
    r"|\[(?P<level>=*)\[(?P<long>(?s:.*?))\](?P=level)\]"
    r"|(?P<sign>[0-9](?:[eEpP][+-]|[\w.])*+|\.\.\.?+|[=~<>]=|.)"
).match
_escape = re.compile(r"\\(.)", re.DOTALL)

PLAIN = {"\\": "\\", '"': '"', "'": "'", "n": "\n", "t": "\t"}
"""The escapes that are read; a text with another is left alone."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word, text or sign; its text is `text[start:end]`."""

    kind: Kind
    said: str  # what a text says, or how the word or sign is written
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Cut a text; raises NotReadable where a text or comment has no end, or brackets differ."""
    found: list[Token] = []
    at = _skipped(text, int(text.startswith("\ufeff")))
    while at < len(text):
        found.append(_token_at(text, at))
        at = _skipped(text, found[-1].end)
    _check_brackets(found)
    return found


def _skipped(text: str, at: int) -> int:
    found = _nothing(text, at)
    end = found.end() if found else at
    if text.startswith("--", end):
        raise NotReadable("this comment never ends", end)
    return end


def _token_at(text: str, at: int) -> Token:
    found = _token(text, at)
    if found is None or found["sign"] in ('"', "'"):
        raise NotReadable("this text does not end on its line", at)
    if found["name"] is not None:
        return Token("name", found["name"], at, found.end())
    if found["long"] is not None:
        return Token("odd text", found["long"], at, found.end())
    if found["short"] is not None:
        return _short(found["short"], at)
    return Token("sign", found["sign"], at, found.end())


def _short(written: str, at: int) -> Token:
    end = at + len(written)
    if any(it not in PLAIN for it in _escape.findall(written)):
        return Token("odd text", written, at, end)
    return Token("text", _escape.sub(lambda it: PLAIN[it[1]], written[1:-1]), at, end)


def _check_brackets(found: list[Token]) -> None:
    closing = {"(": ")", "{": "}", "[": "]"}
    opened: list[Token] = []
    for token in found:
        if token.kind != "sign":
            continue
        if token.said in closing:
            opened.append(token)
        elif token.said in closing.values() and not (
            opened and closing[opened.pop().said] == token.said
        ):
            raise NotReadable(f"this {token.said} closes nothing", token.start)
    if opened:
        raise NotReadable(f"this {opened[-1].said} is never closed", opened[-1].start)
