"""Replaces the secrets of a text, whatever they are wrapped in; the text keeps its length."""

import re
from collections.abc import Sequence

from tapproxy.redaction import presets
from tapproxy.redaction.coats import (
    PERCENT,
    base64_again,
    base64_words,
    escaped_again,
    outline_of_unescaped,
    outline_of_unquoted,
    quoted_again,
    unescaped,
    unquoted,
)
from tapproxy.redaction.members import Members
from tapproxy.redaction.names import Names, glob, hint
from tapproxy.redaction.paths import Paths
from tapproxy.redaction.presets import KEY_BEGINS, KEY_ENDS, LONGEST_KEY, PRIVATE, Shape
from tapproxy.redaction.rules import WITHHELD, Rule
from tapproxy.redaction.secrets import SHORTEST, Secrets
from tapproxy.redaction.values import edits_of
from tapproxy.replay.layers import applied

DEEPEST = 8
"""Coats within each other that are opened. (LingXi has three.)"""

MOST_ROUNDS = 4
"""How often a text is gone through while that yields secrets."""

_ESCAPED = re.compile(rb"\\+(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
"""What a backslash begins, at whatever depth: not to be touched from outside."""


class Texts:
    """Finds secrets in texts by rules, and replaces these and all that were found before."""

    def __init__(self, rules: Sequence[Rule], salt: bytes) -> None:
        self.secrets = Secrets(salt)
        self.members = Members(_names(rules))
        self._shapes = _shapes(rules)
        self._hints = [(hint, at) for at, it in enumerate(self._shapes) for hint in it.hints]
        self._paths = Paths([it.value for it in rules if it.kind == "path"], self.secrets)
        self._has_keys = Rule("preset", "tokens") in rules

    def redacted(self, text: bytes, bodies: Sequence[slice] = ()) -> bytes:
        """Return the text without secrets, of the same length.

        `bodies` are the messages in it, in which paths are looked up.
        """
        self.secrets.settle()
        new = text
        for _ in range(MOST_ROUNDS):
            known = self.secrets.number
            self.secrets.unsettle()
            new = self._redacted(self._paths.redacted(text, bodies), DEEPEST)
            if self.secrets.number == known:
                break
        return new

    def is_open(self, text: bytes | bytearray) -> bool:
        """Tell whether a secret may have begun in the lines at the end of a text."""
        if any(_ends_within(text, secret) for secret in self.secrets.has_lines):
            return True
        if not self._has_keys:
            return False
        begin = text.rfind(KEY_BEGINS, max(len(text) - LONGEST_KEY, 0))
        return begin >= 0 and PRIVATE in text[begin : begin + 80] and text.find(KEY_ENDS, begin) < 0

    def _redacted(self, text: bytes, depth: int, outline: bytes | None = None) -> bytes:
        """Go through a text and what is wrapped in it.

        `outline` is the same text with marks for the quotes that are of something around it: by
        the others, members are found.
        """
        outline = text if outline is None else outline
        edits = edits_of(text, self.members.find(outline), self.secrets)
        new = applied(text, edits)
        if depth:
            new = self._without_inner(new, applied(outline, edits), depth - 1)
        new = self._without_shapes(new, text)
        return self.secrets.replaced(new)

    def _without_inner(self, text: bytes, outline: bytes, depth: int) -> bytes:
        """Open the coats in a text; base64 once no backslash is in its way."""
        if b"\\" in text:
            inner = unescaped(text)
            if inner != text:
                new = self._redacted(inner, depth, outline_of_unescaped(outline))
                return text if new == inner else escaped_again(text, new)
        if b"%" in text and PERCENT.search(text):
            inner = unquoted(text)
            new = self._redacted(inner, depth, outline_of_unquoted(outline))
            text = text if new == inner else quoted_again(text, new)
        for word in list(base64_words(text)):
            redacted = self._redacted if word.is_text else self._without_known
            new = redacted(word.inner, depth)
            if new != word.inner:
                text = base64_again(text, word, new)
        return text

    def _without_known(self, data: bytes, _depth: int) -> bytes:
        return self.secrets.replaced(data)

    def _without_shapes(self, text: bytes, before: bytes) -> bytes:
        due = {at for hint, at in self._hints if hint in text}
        for at in sorted(due):
            text = self._without_shape(text, before, self._shapes[at])
        return text

    def _without_shape(self, text: bytes, before: bytes, shape: Shape) -> bytes:
        pieces = []
        at = 0
        for match in shape.pattern.finditer(text):
            start, end = match.span(match.re.groups and 1)
            if start < 0 or start == end or not shape.accepts(text, match):
                continue
            pieces += [text[at:start], self._shaped(text[start:end], before[start:end], shape)]
            at = end
        return b"".join([*pieces, text[at:]]) if pieces else text

    def _shaped(self, found: bytes, before: bytes, shape: Shape) -> bytes:
        secrets = self.secrets
        if secrets.is_made(found) or secrets.is_made(_ESCAPED.sub(b"", found)):
            return found
        if b"\\" in found:
            return self._around_escapes(found, before)
        if shape.inner is not None and (inner := shape.inner(found)):
            secrets.learn(inner, shape.rule, shape.shortest)
        placeholder = secrets.learn(found, shape.rule, shape.shortest)
        secrets.count(found)
        return placeholder

    def _around_escapes(self, found: bytes, before: bytes) -> bytes:
        """Replace what is neither an escape nor was replaced already, within escapes.

        It is no secret to be looked for elsewhere: that is what it is once the escapes are open.
        """
        new = bytearray(self.secrets.placeholders.of_text(found))
        for escape in _ESCAPED.finditer(found):
            new[escape.start() : escape.end()] = escape[0]
        for at, (one, other) in enumerate(zip(found, before, strict=True)):
            if one != other:
                new[at] = one
        return bytes(new) if _is_utf8(new) or not _is_utf8(found) else found


def _is_utf8(text: bytes | bytearray) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _ends_within(text: bytes | bytearray, secret: bytes) -> bool:
    at = secret.find(b"\n")
    while 0 <= at < len(secret) - 1:
        if text.endswith(secret[: at + 1]):
            return True
        at = secret.find(b"\n", at + 1)
    return False


def _names(rules: Sequence[Rule]) -> list[Names]:
    own = [
        Names(it.label, (glob(it.value),), "all", SHORTEST, (hint(it.value),), is_chosen=True)
        for it in rules
        if it.kind == "key"
    ]
    return own + [it for name in _presets(rules) for it in presets.names(name)]


def _shapes(rules: Sequence[Rule]) -> list[Shape]:
    own = [
        Shape(WITHHELD, (b"",), re.compile(it.value.encode(errors="surrogateescape")))
        for it in rules
        if it.kind == "re"
    ]
    return own + [it for name in _presets(rules) for it in presets.shapes(name)]


def _presets(rules: Sequence[Rule]) -> list[str]:
    return [it.value for it in rules if it.kind == "preset"]
