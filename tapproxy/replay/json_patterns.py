r"""Patterns of places in JSON: `params._meta.progressToken`, `items.*.id`, `edits.0.range`."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

Path = tuple[str | int, ...]
"""Member names and list indexes from the outermost value to one within it."""

ANY = "*"
ANY_ITEM = "[]"

_DOT = re.compile(r"(?<!\\)\.")
_ESCAPED = re.compile(r"\\([.*])")
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)

Steps = tuple[str, ...]


class Node(NamedTuple):
    """What is wanted of a value, and of the values within it."""

    wanted: bool  # the value itself
    members: Mapping[bytes, "Node"]  # by name, UTF-8
    other_member: "Node | None"  # any that has no entry
    items: Mapping[int, "Node"]  # by index
    other_item: "Node | None"
    is_leaf: bool  # nothing is wanted within the value


def tree_of(patterns: Sequence[str]) -> Node:
    r"""Return what some patterns want of a JSON text.

    A pattern is steps with dots between them: a member's name, an item's index, `*` for any one
    member or item, or `[]` for any one item. In a name, `\.` is a dot; the step `\*` is the member
    of that name.
    """
    return _tree(tuple(patterns))


@cache  # the patterns of the dialects: a few dozen
def _tree(patterns: tuple[str, ...]) -> Node:
    return _node({tuple(_DOT.split(it)) for it in patterns})


def _node(tails: AbstractSet[Steps]) -> Node:
    def after(*steps: str) -> set[Steps]:
        return {it[1:] for it in tails if it and it[0] in steps}

    names = {it[0] for it in tails if it} - {ANY, ANY_ITEM}
    of_any, of_any_item = after(ANY), after(ANY, ANY_ITEM)
    return Node(
        () in tails,
        {_member(it): _node(after(it) | of_any) for it in names},
        _node(of_any) if of_any else None,
        {int(it): _node(after(it) | of_any_item) for it in names if _INDEX.fullmatch(it)},
        _node(of_any_item) if of_any_item else None,
        tails <= {()},
    )


def _member(step: str) -> bytes:
    return _ESCAPED.sub(r"\1", step).encode(errors="surrogatepass")
