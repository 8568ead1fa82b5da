"""JSON of plain values, without the json module: importing that would cost the first byte 3 ms."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_ESCAPES = {code: f"\\u{code:04x}" for code in range(0x20)} | {0x22: '\\"', 0x5C: "\\\\"}


def encoded(value: Mapping[str, object]) -> bytes:
    """Return a mapping of texts, integers, booleans, None, lists and mappings as UTF-8.

    A lone surrogate, which stands for a byte of a name that is not UTF-8, becomes its escape.
    """
    return _text(value).encode("utf-8", "backslashreplace")


def _text(value: object) -> str:
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPES)}"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        members = [f"{_text(str(key))}:{_text(it)}" for key, it in value.items()]
        return "{" + ",".join(members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_text, value)) + "]"
    if isinstance(value, int):
        return str(value)
    raise TypeError(type(value).__name__)
