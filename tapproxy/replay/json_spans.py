"""Where in the bytes of a message its JSON values stand, without a value being made of them."""

from collections.abc import Sequence
from typing import NamedTuple

from tapproxy.replay.json_grammar import (
    SPACES,
    match_flat,
    match_next_item,
    match_next_member,
    match_opening,
    match_shallow,
    search_bracket,
)
from tapproxy.replay.json_patterns import Node, Path, tree_of
from tapproxy.replay.json_strings import unescaped

DEEPEST = 1024
"""Levels of nesting in a JSON text: what orjson reads."""

MOST_TEXTS = 10_000
"""Places of one body at which a JSON text may begin; real ones have a handful."""

QUOTE = ord('"')
_LIST = ord("[")


class Found(NamedTuple):
    """A value that a pattern names."""

    path: Path
    start: int  # offset of its first byte in the body
    end: int  # past its last byte


class Reached(NamedTuple):
    """A value that patterns name, or a string in which they may go on."""

    path: Path
    start: int
    end: int
    node: Node


class _Broken(ValueError):  # never leaves this file
    """No JSON from this offset on."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class _TooDeep(ValueError):  # never leaves this file
    """More levels than JSON may have here."""


class _Level:
    """An object or list that is being read."""

    __slots__ = ("find_following", "index", "is_list", "node", "path", "start")

    def __init__(self, start: int, path: Path, node: Node | None, *, is_list: bool) -> None:
        self.start = start
        self.path = path
        self.node = node  # None: nothing is wanted of it
        self.is_list = is_list
        self.find_following = match_next_item if is_list else match_next_member
        self.index = -1  # of a list's item


def spans(body: bytes, patterns: Sequence[str]) -> list[Found]:
    """Return the values of a body at some patterns, in the order of their first bytes.

    The body may hold one JSON text or several (objects or lists), and anything else around them.
    What is broken holds nothing. Of members with the same name all are found. NaN, Infinity,
    control characters and bytes that are not UTF-8 are let pass, as the dialects do.
    """
    return [Found(*it[:3]) for it in reached(body, tree_of(patterns)) if it.node.wanted]


def reached(body: bytes, tree: Node) -> list[Reached]:
    """Return the values that a tree leads to in all JSON texts of a body, outer before inner."""
    found: list[Reached] = []
    at = broken_until = 0
    for _ in range(MOST_TEXTS):
        opening = search_bracket(body, at)
        if opening is None:
            break
        start = opening.start()
        reader = _Reader(body)
        try:
            at = reader.read(start, tree, ())
        except _Broken as broken:
            broken_until = max(broken_until, broken.at)
            last = (body.rfind(it, start + 1, broken.at + 1) for it in (b"{", b"["))
            at = max(start + 1, *last)
        except _TooDeep:
            return []
        else:
            if at > broken_until:  # else it is a part of what is broken
                found += reader.found
    return _sorted(found)


def reached_within(text: bytes, string: Reached) -> list[Reached]:
    """Return the same of what a string holds; nothing where that is no JSON object or list."""
    start = len(text) - len(text.lstrip(SPACES))
    reader = _Reader(text)
    try:
        end = reader.read(start, string.node._replace(wanted=False), string.path)
    except (_Broken, _TooDeep):
        return []
    return [] if text[end:].strip(SPACES) else _sorted(reader.found)


def _goes_on(node: Node, body: bytes, at: int) -> bool:
    """Tell whether something is wanted within the value that begins there."""
    if node.is_leaf:
        return False
    if body.startswith(b"[", at):
        return node.other_item is not None or bool(node.items)
    return node.other_member is not None or bool(node.members)


def _sorted(found: list[Reached]) -> list[Reached]:
    return sorted(found, key=lambda it: (it.start, -it.end))


class _Reader:
    """Goes through one JSON text: into the values in which something is wanted, past the others."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self.found: list[Reached] = []
        self._levels: list[_Level] = []
        self._path: Path = ()  # of the value at hand, where something is wanted of it
        self._node: Node | None = None

    def read(self, at: int, tree: Node, path: Path) -> int:
        """Return the end of the text that begins there; raises _Broken and _TooDeep."""
        body, levels = self._body, self._levels
        self._node, self._path = tree, path
        while True:
            node = self._node
            goes_on = node is not None and _goes_on(node, body, at)
            value = (match_flat if goes_on else match_shallow)(body, at)
            if value is None:
                at = self._open(at)
                continue
            if node is not None and (node.wanted or body[at] == QUOTE):
                self.found.append(Reached(self._path, at, value.end(), node))
            at = self._go_on(value.end())
            if not levels:
                return at

    def _open(self, at: int) -> int:
        """Enter the object or list that begins there; return where its first value begins."""
        opening = match_opening(self._body, at)
        if opening is None:
            raise _Broken(at)
        if len(self._levels) == DEEPEST:
            raise _TooDeep
        is_list = self._body[at] == _LIST
        level = _Level(at, self._path, self._node, is_list=is_list)
        self._levels.append(level)
        self._enter(level, opening[1])
        return opening.end()

    def _go_on(self, at: int) -> int:
        """Close the levels that end after a value; return where the next value begins."""
        levels = self._levels
        while levels:
            level = levels[-1]
            following = level.find_following(self._body, at)
            if following is None:
                raise _Broken(at)
            at = following.end()
            name: bytes | None = following[1]
            if name is not None:
                self._enter(level, name)
                return at
            levels.pop()
            if level.node is not None and level.node.wanted:
                self.found.append(Reached(level.path, level.start, at, level.node))
        return at

    def _enter(self, level: _Level, name: bytes) -> None:
        """Turn to the level's next item, or to its member of that name."""
        node = level.node
        if node is None:
            self._node = None
        elif level.is_list:
            level.index += 1
            self._node = node.items.get(level.index, node.other_item)
            self._path = (*level.path, level.index)
        else:
            name = unescaped(name) if b"\\" in name else name
            self._node = node.members.get(name, node.other_member)
            if self._node is not None:
                self._path = (*level.path, name.decode(errors="surrogateescape"))
