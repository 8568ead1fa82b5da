"""Names of members that a rule looks for, and which of their values are secret."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Only = Literal["all", "scalars", "strings", "values"]
"""Which values: strings and numbers, also within objects and lists; strings and numbers; strings
alone; or whatever is within an object or a list (of `{"name": …, "value": …}` the value)."""

_SIGNS = {"*": rb'[^"\\]{0,100}', "?": rb'[^"\\]'}


@dataclass(frozen=True, slots=True)
class Names:
    """Names that one rule looks for; each a regular expression without groups."""

    rule: str
    patterns: tuple[bytes, ...]
    only: Only
    shortest: int  # bytes of a value from which on it is a secret elsewhere, too
    hints: tuple[bytes, ...] = (b"",)  # without one of them, in small letters, no name is there
    least: int = 1  # bytes of a value that is a secret at all
    is_chosen: bool = False  # by the user: a word after it in text is a value, too


def glob(name: str) -> bytes:
    """Return the expression of a name with `*` and `?` in it."""
    return b"".join(_SIGNS.get(it) or re.escape(it).encode(errors="surrogateescape") for it in name)


def hint(name: str) -> bytes:
    """Return the longest part of such a name that stands in all that it fits, in small letters."""
    return max(re.split(r"[*?]", name), key=len).encode(errors="surrogateescape").lower()


def either_of(hints: Sequence[bytes]) -> re.Pattern[bytes] | None:
    """Return what finds each of some hints in small letters; None where one of them is anything."""
    if not all(hints):
        return None
    return re.compile(b"|".join(map(re.escape, dict.fromkeys(hints))) or b"(?!)")
