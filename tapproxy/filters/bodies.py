"""`text:` looks for text anywhere in the bytes of a frame."""

from tapproxy.filters.expressions import Condition
from tapproxy.filters.letters import Word
from tapproxy.filters.patterns import pattern

ESCAPED = "surrogateescape"
"""How Python hands on bytes of an argument that are not UTF-8; bodies are read likewise."""


def text_condition(word: Word) -> Condition:
    """Read a text to look for."""
    wanted = pattern(word)
    if not wanted.is_glob:
        data = wanted.text.encode(errors=ESCAPED)
        return Condition(lambda candidate: data in candidate.body())
    is_found = wanted.is_found()
    return Condition(lambda candidate: is_found(candidate.body().decode(errors=ESCAPED)))
