"""Guesses what was meant by a word of a filter that is no term."""

import re

from tapproxy.filters.keys import KEYS
from tapproxy.filters.letters import Word, is_quoted, named, plain, shortened, written

_OTHER_LANGUAGES = {"&": "and", "&&": "and", "|": "or", "||": "or", "!": "not", "-": "not"}

_COMPARED = re.compile(r"([a-z]+)(!=|==?|[<>]=?)(.+)", re.ASCII | re.DOTALL)
"""`size>1k` and `kind=error`, as other languages have it."""

_WELL_KNOWN = {
    "error": "flag:error",
    "errors": "flag:error",
    "late": "flag:late",
    "unanswered": "flag:unanswered",
    "request": "kind:request",
    "response": "kind:response",
    "notification": "kind:notification",
    "host": "dir:host",
    "plugin": "dir:plugin",
    "stderr": "stream:err",
}
"""What one word is likely to mean in whatever protocol."""


def reason(word: Word, before: Word) -> str:
    """Say what is wrong with a word without a colon, and what to write; `before` stands before."""
    text, spelled = plain(word), shortened(written(word))
    if text in KEYS:
        return f"{text} wants a value, as in {KEYS[text].example}"
    if not is_quoted(word) and text in _OTHER_LANGUAGES:
        return f"{text} means nothing here; write {_OTHER_LANGUAGES[text]}"
    if (compared := _COMPARED.fullmatch(spelled)) and compared[1] in KEYS:
        return f"{named(word)} has no colon; did you mean {_with_colon(*compared.groups())}?"
    if text.isdecimal():
        return f"{named(word)} has no key; frame {text} is '#{text}'"
    if _is_text(before) and not is_quoted(word):
        both = shortened(f'{plain(before)} {text}"'.replace(":", ':"', 1))
        return f"{named(word)} has no key; a value with a space is quoted, as in {both}"
    other = f", or {_WELL_KNOWN[text]}" if text in _WELL_KNOWN else ""
    return f"{named(word)} has no key; to look for it write text:{spelled}{other}"


def _with_colon(key: str, sign: str, value: str) -> str:
    if sign == "!=":
        return f"not {key}:{value}"
    return f"{key}:{value}" if sign in ("=", "==") else f"{key}:{sign}{value}"


def _is_text(word: Word) -> bool:
    return plain(word).startswith("text:") and not is_quoted(word)
