"""Values as JSON text; ids exactly: `1` is not `"1"`, and a number is not rounded."""

import re
from typing import Any

import orjson

_ID_NUMBER = re.compile(rb'"id"\s*:\s*(-?[0-9][0-9.eE+-]*)')


def id_text(value: Any, body: bytes) -> str:
    """Return an id as JSON text; a number that is no small integer as it stands in the body."""
    if type(value) is int:
        return str(value)
    if isinstance(value, float):  # integers beyond 64 bits too
        for found in _ID_NUMBER.findall(body):
            if float(found) == value:
                return str(found.decode())
    return (written(value) or b"null").decode()


def written(value: Any) -> bytes | None:
    """Return a value as JSON; None where it is nested deeper than can be written."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return None
