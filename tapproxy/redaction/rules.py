"""The rules of a redaction, and their one syntax: PATH, key:NAME, re:REGEX, or a preset's name."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from tapproxy.errors import USAGE, TapError

Kind = Literal["path", "key", "re", "preset"]

PRESETS = {
    "tokens": "API tokens, JWTs and private keys, by their shape",
    "keys": "what is called password, api_key, access_token and the like",
    "headers": "what follows Authorization, Bearer, Basic and Cookie; passwords in URLs",
    "email": "e-mail addresses",
    "home": "the name in /home/NAME, /Users/NAME and C:\\Users\\NAME",
    "env": "variables whose name looks secret; all values of `env` objects",
}
"""Name and what it finds."""

ALL = "all"
"""The rule that stands for every preset."""

WITHHELD = "re:…"
"""What is told of a regular expression: its text may itself be the secret."""

PREFIXES = ("key:", "re:", "path:")

_INDEXED = re.compile(r"(.*?)\[([0-9]+)\]")


class RuleError(TapError):
    """A rule is wrong; the message shows the place."""

    def __init__(self, rule: str, start: int, end: int, reason: str) -> None:
        shown = f"{rule[:start]}[{rule[start:end]}]{rule[end:]}"
        here = "" if (start, end) == (0, len(rule)) else f" (here: {shown})"
        said = f"rule {rule!r}: {reason}{here}; `tap redact --help` lists the rules"
        super().__init__(said, USAGE)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `value` is the path, the glob, the expression or the preset's name."""

    kind: Kind
    value: str

    @property
    def label(self) -> str:
        """Return what may be told of it, in a summary and in the recording."""
        if self.kind == "re":
            return WITHHELD
        return self.value if self.kind in ("preset", "path") else f"key:{self.value}"


def read_rules(texts: Iterable[str]) -> tuple[Rule, ...]:
    """Read rules as a user writes them, each once; RuleError where one is wrong."""
    rules: dict[Rule, None] = {}
    for text in texts:
        if text == ALL:
            rules |= dict.fromkeys(Rule("preset", name) for name in PRESETS)
        else:
            rules[_read(text)] = None
    return tuple(rules)


def labels(rules: Sequence[Rule]) -> list[str]:
    """Return what may be told of rules, each once."""
    return list(dict.fromkeys(it.label for it in rules))


def _read(text: str) -> Rule:
    if text.startswith("key:"):
        return _key(text)
    if text.startswith("re:"):
        return _expression(text)
    if text in PRESETS:
        return Rule("preset", text)
    path = text.removeprefix("path:")
    if "." not in path and path == text:
        raise RuleError(text, 0, len(text), _no_preset(text))
    return _path(text, path)


def _key(text: str) -> Rule:
    value = text.removeprefix("key:")
    if not value:
        raise RuleError(text, 0, len(text), "the name is missing; write it as in key:password")
    if quote := re.search(r'["\\]', value):
        at = len("key:") + quote.start()
        raise RuleError(text, at, at + 1, f"a name with {quote[0]} cannot be looked for")
    return Rule("key", value)


def _expression(text: str) -> Rule:
    value = text.removeprefix("re:")
    try:
        found = re.compile(value.encode(errors="surrogateescape"))
    except (re.error, OverflowError) as error:
        at = len("re:") + (getattr(error, "pos", None) or 0)
        raise RuleError(text, at, at + 1, f"{getattr(error, 'msg', error)}") from error
    if found.search(b""):
        raise RuleError(text, 0, len(text), "it fits an empty text, too, which is everywhere")
    return Rule("re", value)


def _path(text: str, path: str) -> Rule:
    begin = at = len(text) - len(path)
    for step in re.split(r"(?<!\\)\.", path):
        if not step:
            reason = "a step of the path is missing; write it as in params.token"
            raise RuleError(text, at, at + 1, reason)
        if indexed := _INDEXED.fullmatch(step):
            named = ".".join(it for it in indexed.groups() if it)
            reason = f"an item is a step of its own: {named}"
            raise RuleError(text, at, at + len(step), reason)
        at += len(step) + 1
    return Rule("path", text[begin:])


def _no_preset(word: str) -> str:
    prefix, colon, _ = word.partition(":")
    if colon:
        close = get_close_matches(prefix + colon, PREFIXES, 1)
        guess = f"did you mean {close[0]}…?" if close else "a rule begins with key:, re: or path:"
        return f"{prefix}: is no kind of rule; {guess}"
    close = get_close_matches(word, [*PRESETS, ALL], 1)
    guess = f"did you mean {close[0]}?" if close else f"there are {', '.join([*PRESETS, ALL])}"
    as_others = f"; a member of that name is key:{word}, a path path:{word}" if word else ""
    return f"there is no such preset: {guess}{as_others}"
