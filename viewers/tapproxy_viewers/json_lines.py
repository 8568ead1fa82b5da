"""JSON as indented lines, made token by token, so that numbers and repeated keys stay as sent."""

import json
import re
from collections.abc import Iterator

from tapproxy_viewers.cells import visible
from tapproxy_viewers.lines import Line

INDENT = "  "
DEEPEST = 60
"""Levels that are indented: what is nested deeper begins where these do."""

_TOKEN = re.compile(
    r"""\s*+(?:
    (?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+")(?P<key>\s*+:)?+
    |(?P<open>[{\[])(?P<close_at_once>\s*+[}\]])?+
    |(?P<close>[}\]])
    |(?P<comma>,)
    |(?P<scalar>[^\s{}\[\],:"]++)
    )""",
    re.VERBOSE | re.DOTALL,
)


def is_json(text: str) -> bool:
    """Tell whether the text is JSON; control characters are let pass within strings."""
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def json_lines(text: str) -> Iterator[Line]:
    """Yield lines of JSON, each value on its own; escapes of what can be printed are resolved."""
    line: Line = []
    depth = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "close":
            yield line
            depth -= 1
            line = _begun(depth)
        line += visible(_segments(token))
        if kind in {"comma", "open"}:
            yield line
            depth += kind == "open"
            line = _begun(depth)
    yield line


def _begun(depth: int) -> Line:
    return [("text", INDENT * min(depth, DEEPEST))]


def _segments(token: re.Match[str]) -> Line:
    string = token["string"]
    if string is None:
        return [("text", token[0].strip() if token["open"] is None else _bracket(token))]
    said = _resolved(string)
    return [("text", said)] if token["key"] is None else [("key", said), ("text", ": ")]


def _bracket(token: re.Match[str]) -> str:
    return token["open"] + (token["close_at_once"] or "").strip()


def _resolved(string: str) -> str:
    if "\\" not in string:
        return string
    return json.dumps(json.loads(string, strict=False), ensure_ascii=False)
