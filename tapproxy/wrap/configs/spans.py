"""What the readers of all languages return: the values of a text, each with where it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Path = tuple[str, ...]
"""The names that lead to a value, outermost first."""

DEEPEST = 200
"""Levels of nesting that are read; configurations have a handful."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value; its text is `text[start:end]`, offsets in characters."""

    kind: Literal["text", "list", "table", "other"]
    start: int
    end: int
    value: str = ""  # of a text: what it says
    items: tuple["Node", ...] = ()  # of a list
    pairs: tuple["Pair", ...] = ()  # of a table, in their order

    @property
    def texts(self) -> list[str] | None:
        """Return what a list of texts says; None if this is no such list."""
        if self.kind != "list" or any(it.kind != "text" for it in self.items):
            return None
        return [it.value for it in self.items]


@dataclass(frozen=True, slots=True)
class Pair:
    """A name with its value. With dots in between, the name is what is behind the last."""

    path: Path  # from the table in which it is written
    start: int
    name_start: int
    name_end: int
    value: Node
    is_line: bool = False  # the language wants it on a line of its own


@dataclass(frozen=True, slots=True)
class Document:
    """A text and all pairs of its tables. Of pairs with the same path it is the last."""

    text: str
    pairs: Mapping[Path, Pair] = field(repr=False)

    def written(self, node: Node) -> str:
        """Return a value as it is written."""
        return self.text[node.start : node.end]


class NotReadable(ValueError):
    """The text is not of its language from this offset on, in characters, for this reason."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


def flat(pairs: tuple[Pair, ...], above: Path = ()) -> dict[Path, Pair]:
    """Return pairs and all that are in their tables; the last one of a name holds."""
    found: dict[Path, Pair] = {}
    for path, pair in {(*above, *it.path): it for it in pairs}.items():
        found[path] = pair
        found |= flat(pair.value.pairs, path)
    return found


def position(text: str, at: int) -> tuple[int, int]:
    """Return the line and the column of an offset, both from 1, as editors count them."""
    before = text[:at].removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
