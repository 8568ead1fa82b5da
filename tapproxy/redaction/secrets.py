"""The secrets that were found: each is replaced wherever else it stands, in whatever form."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tapproxy.redaction.forms import Core, cores, other_forms, without_core
from tapproxy.redaction.placeholders import Placeholders, is_placeholder

LONG = 8
"""Bytes of a secret from which on it is replaced wherever it stands, in every form.

One of letters alone must be a word of its own all the same: a sentence may hold it by chance."""
SHORTEST = 4
"""Bytes of a secret from which on it is replaced elsewhere, as a word of its own."""

MANY = 256
"""Forms of secrets from which on it pays to look first which of them a text can have."""

MOST = 20_000
"""Secrets that are remembered: all others are replaced where a rule finds them, and only there."""

_WINDOW = 1 << 16
"""Bytes of which all runs of `_KEY` bytes are looked at together."""

LITERALS = frozenset((b"true", b"false", b"null", b"None", b"True", b"False", b"undefined"))
"""Words that mean something else wherever else they stand."""

_KEY = 4
"""Bytes by whose presence a text is asked whether it can have a form."""


class Replaced(NamedTuple):
    """How much a rule has replaced."""

    secrets: int  # different ones
    places: int


@dataclass(frozen=True, slots=True)
class _Form:
    """One form of a secret, and what takes its place."""

    secret: bytes
    old: bytes
    new: bytes
    core: Core | None = None
    word: re.Pattern[bytes] | None = None  # where it must be a word of its own

    def replaced(self, text: bytes) -> tuple[bytes, int]:
        """Return the text without it, and how often it was there."""
        if self.core is not None:
            return without_core(text, self.core)
        if self.word is not None:
            return self.word.subn(self.new.replace(b"\\", rb"\\"), text)
        return text.replace(self.old, self.new), text.count(self.old)


class Secrets:
    """Learns secrets, makes their placeholders, and replaces those that were learnt."""

    def __init__(self, salt: bytes) -> None:
        self.placeholders = Placeholders(salt)
        self.has_lines: list[bytes] = []  # secrets with a line feed in them
        self._rules: dict[bytes, str] = {}  # by which rule a secret was found
        self._made: set[bytes] = set()
        self._everywhere: set[bytes] = set()
        self._places: Counter[bytes] = Counter()
        self._latest: Counter[bytes] = Counter()  # places since the last `settle`
        self._forms: list[_Form] = []  # the longest first
        self._olds: list[bytes] = []  # what is looked for, form by form
        self._index: defaultdict[tuple[int, ...], list[_Form]] = defaultdict(list)

    @property
    def number(self) -> int:
        """How many are replaced wherever they stand."""
        return len(self._everywhere)

    def learn(self, text: bytes, rule: str, shortest: int = SHORTEST) -> bytes:
        """Return the placeholder of a secret, which is replaced elsewhere from now on.

        One of fewer than `shortest` bytes, or that is a word of JSON, is not: it would be met
        everywhere. A placeholder stays as it is.
        """
        if self.is_made(text):
            return text
        placeholder = self.placeholders.of_text(text)
        if not self._note(text, placeholder, rule):
            return placeholder
        if len(text) >= shortest and text not in LITERALS and text not in self._everywhere:
            self._add(text, placeholder)
        return placeholder

    def learn_number(self, text: bytes, rule: str) -> bytes:
        """Return the placeholder of a JSON number, which is replaced elsewhere if it is long."""
        if text.isdigit() and len(text) >= LONG:
            return self.learn(text, rule)
        placeholder = self.placeholders.of_number(text)
        self._note(text, placeholder, rule)
        return placeholder

    def is_made(self, text: bytes) -> bool:
        """Tell whether a text is a placeholder."""
        return text in self._made or is_placeholder(text)

    def count(self, text: bytes, places: int = 1) -> None:
        """Take note that a secret was replaced."""
        if text in self._rules:
            self._latest[text] += places

    def replaced(self, text: bytes) -> bytes:
        """Return the text without the secrets that were learnt."""
        for form in self._there(text):
            text, places = form.replaced(text)
            if places:
                self.count(form.secret, places)
        return text

    def settle(self) -> None:
        """Have what was counted stand."""
        self._places.update(self._latest)
        self._latest.clear()

    def unsettle(self) -> None:
        """Forget what was counted since `settle`: it will be replaced once more."""
        self._latest.clear()

    def count_anew(self) -> None:
        """Forget what was replaced, not what is known."""
        self._places.clear()
        self._latest.clear()

    def summary(self) -> dict[str, Replaced]:
        """Return by rule how much was replaced."""
        self.settle()
        secrets: Counter[str] = Counter()
        places: Counter[str] = Counter()
        for text, count in self._places.items():
            secrets[self._rules[text]] += 1
            places[self._rules[text]] += count
        return {rule: Replaced(secrets[rule], places[rule]) for rule in sorted(secrets)}

    def _note(self, text: bytes, placeholder: bytes, rule: str) -> bool:
        """Remember a secret; return False where there are too many."""
        if text not in self._rules:
            if len(self._rules) >= MOST:
                return False
            self._rules[text] = rule
        self._made.add(placeholder)
        return True

    def _add(self, text: bytes, placeholder: bytes) -> None:
        self._everywhere.add(text)
        if b"\n" in text:
            self.has_lines.append(text)
        forms = list(_forms(text, placeholder))
        for form in forms:
            self._index[tuple(form.old[:_KEY])].append(form)
        if len(self._forms) < MANY:
            self._forms = sorted([*self._forms, *forms], key=_longest_first)
            self._olds = [it.old for it in self._forms]

    def _there(self, text: bytes) -> list[_Form]:
        """Return the forms that are in a text, the longest first."""
        if len(self._forms) < MANY:
            return [self._forms[at] for at, old in enumerate(self._olds) if old in text]
        keys: set[tuple[int, ...]] = set()
        for at in range(0, len(text), _WINDOW):
            part = text[at : at + _WINDOW + _KEY - 1]
            keys |= self._index.keys() & set(zip(part, part[1:], part[2:], part[3:], strict=False))
        found = [it for key in keys for it in self._index[key]]
        return sorted([it for it in found if it.old in text], key=_longest_first)


def _longest_first(form: _Form) -> tuple[int, bytes, int]:
    return -len(form.old), form.old, -1 if form.core is None else form.core.alignment


def _forms(text: bytes, placeholder: bytes) -> Iterable[_Form]:
    if len(text) < LONG or text.isalpha():
        # A member's name stays: dialects know members by it.
        word = rb'(?<![A-Za-z0-9_])%s(?![A-Za-z0-9_]|"[ \t]*:)' % re.escape(text)
        yield _Form(text, text, placeholder, word=re.compile(word))
    else:
        yield _Form(text, text, placeholder)
    if len(text) >= LONG:
        yield from (_Form(text, *pair) for pair in other_forms(text, placeholder))
    if len(text) > SHORTEST:
        yield from (_Form(text, it.old, it.new, core=it) for it in cores(text, placeholder))
