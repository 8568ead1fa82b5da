"""A message without the values that differ from run to run."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

ANY = "*"
"""The step of a pattern that stands for any one key or index."""

ANY_ORDER = "{}"
"""The last step of a pattern for a list whose items come in any order: they are put into one."""

Steps = tuple[str, ...]
"""A pattern, or what is left of it."""

Branch: TypeAlias = "dict[str, Branch] | None"
"""What is volatile below a step: all of it where this is None, else at what steps further on."""

Tree = dict[str, Branch]

NOTHING: Tree = {}

_BRACKETED = r"""\[(?:([0-9]+|\*)|'([^']*)'|"([^"]*)")\]"""
_STEP = re.compile(rf"{_BRACKETED}|\.?((?:\\.|[^\\])+?)(?=\.|{_BRACKETED}|\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\([.\[\\])")


def without_volatile(value: Any, patterns: Sequence[str]) -> Any:
    """Return the JSON value without the members at the paths; what is untouched is shared.

    A path is keys and indexes with dots between them, or a JSONPath (RFC 9535) of such steps. A
    list keeps its length: an item that is volatile becomes null. Where the last step is `{}`, the
    items of a list are sorted. `value` itself is not changed.
    """
    return _pruned(value, _tree_of(tuple(patterns))) if patterns else value


@lru_cache(64)
def _tree_of(patterns: tuple[str, ...]) -> Tree:
    return _tree([steps_of(pattern) for pattern in patterns])


def steps_of(path: str) -> Steps:
    r"""Return the steps of a path: of `params.items.*.id` or of `$.params['items'][*].id`.

    In a name without quotes, `\.` is a dot and `\[` a bracket.
    """
    steps = []
    for found in _STEP.finditer(path.removeprefix("$") if path.startswith(("$.", "$[")) else path):
        index, quoted, in_quotes, plain = found.groups()[:4]
        step = next((it for it in (index, quoted, in_quotes) if it is not None), None)
        steps.append(_ESCAPED.sub(r"\1", plain) if step is None else step)
    return tuple(steps)


def _tree(patterns: Sequence[Steps]) -> Tree:
    """Return a branch for each first step; in that of a key is also what is below ANY."""
    tree: Tree = {}
    for first in {it[0] for it in patterns}:
        below = [it[1:] for it in patterns if it[0] in (first, ANY)]
        tree[first] = None if () in below else _tree(below)
    return tree


def _pruned(value: Any, tree: Tree) -> Any:
    if isinstance(value, dict):
        touched = value if ANY in tree else [key for key in tree if key in value]
        kept = dict(value) if touched else value
        for key in touched:
            below = _below(key, tree)
            if below is None:
                del kept[key]
            else:
                kept[key] = _pruned(value[key], below)
        return kept
    if isinstance(value, list) and tree:
        items = [_pruned_item(item, _below(str(at), tree)) for at, item in enumerate(value)]
        return sorted(items, key=repr) if ANY_ORDER in tree else items
    return value


def _below(step: str, tree: Tree) -> Branch:
    return tree[step] if step in tree else tree.get(ANY, NOTHING)


def _pruned_item(item: Any, below: Branch) -> Any:
    return None if below is None else _pruned(item, below)
