"""The flags that the dialects can set, found in their source: no list of them has to be kept."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tapproxy.dialects

FOLDER = Path(tapproxy.dialects.__file__).parent

WORD = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
COMPOUND = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")

NO_FLAGS = {"utf-8", "prompt-reply"}
"""All other literals with a hyphen are flags."""

FLAGGING = {"remark", "noted", "_noted", "_flagged", "_stray", "_begin"}
"""Functions that take flags among their arguments; what else they take is no single word."""
PLACES = {"before", "after"}
"""Single words that they take nevertheless."""


def nodes() -> Iterator[ast.AST]:
    """Yield what the dialects' source consists of."""
    for source in FOLDER.glob("*.py"):
        yield from ast.walk(ast.parse(source.read_text(encoding="utf-8")))


def flag_words() -> set[str]:
    """Return every flag that occurs in tapproxy/dialects."""
    return set().union(*map(_of, nodes())) - NO_FLAGS - PLACES


def _of(node: ast.AST) -> Iterator[str]:
    """Yield the literals with a hyphen, and single words that stand where flags do."""
    match node:
        case ast.Constant(value=str(word)) if COMPOUND.fullmatch(word):
            yield word
        case ast.keyword(arg="flags", value=value):
            yield from _words(*ast.walk(value))
        case ast.Assign(targets=[ast.Name(id="flags")], value=value):
            yield from _words(*ast.walk(value))
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=arguments):
            if name in FLAGGING:
                yield from _words(*arguments)
        case ast.Tuple(elts=[one, other]):  # a flag and its reason
            if _is_reason(other):
                yield from _words(one)
        case ast.Assign(targets=[ast.Subscript(slice=one)], value=other):
            if _is_reason(other):
                yield from _words(one)


def _words(*nodes: ast.AST) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and WORD.fullmatch(str(node.value)):
            yield str(node.value)


def _is_reason(node: ast.AST) -> bool:
    """Tell whether a value is a text of several words, or of none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return " " in node.value or not node.value
    return isinstance(node, ast.JoinedStr)
