"""Reads a log of JSON objects, line by line, and keeps of each value how it is spelt."""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, NoReturn

from tapproxy.importing.api import Source
from tapproxy_store.exact_json import column_of_key, shown
from tapproxy_store.json_shape import flaw_of
from tapproxy_store.tape_reading import BOM

_DECODER = json.JSONDecoder(parse_float=Decimal)
_SPACE = re.compile(r"[ \t\r\n]*")


class Entry:
    """An object of a log: its values by their keys, and the line that holds them."""

    __slots__ = ("_line", "_number", "_source", "values")

    def __init__(self, source: Source, number: int, line: str, values: dict[str, Any]) -> None:
        """Take the values as they were read from the line of this number."""
        self._source = source
        self._number = number
        self._line = line
        self.values = values

    def message(self, key: str) -> bytes:
        """Return what went over the wire: a text as it is, any other value as it is spelt here.

        It ends as a line does. Bytes that are not UTF-8 stay what they were.
        """
        value = self.values[key]
        text = value if isinstance(value, str) else self._line[slice(*_spans(self._line)[key])]
        data = in_bytes(text)
        return data if data.endswith(b"\n") else data + b"\n"

    def unread(self) -> dict[str, Any]:
        """Return the line as the detail of an event: nothing of a log is dropped in silence."""
        line = self._line.strip()
        try:
            line.encode()
        except UnicodeEncodeError:
            return {"line": {"base64": b64encode(in_bytes(line)).decode()}}
        return {"line": line}

    def refuse(self, key: str, expected: str) -> NoReturn:
        """Raise BadImport: the value is not what it must be."""
        found = shown(self.values[key]) if key in self.values else "nothing"
        words = f'"{key}" must be {expected}, not {found}'
        raise self._source.wrong(self._number, column_of_key(self._line, key), words)


def entries(lines: Iterable[bytes], source: Source) -> Iterator[Entry]:
    """Yield the objects, one of each line that is not blank; raises BadImport for other lines."""
    for number, line in enumerate(lines, 1):
        text = in_text(line)
        if text.strip():
            yield entry_of(text, source, number)


def entry_of(line: str, source: Source, number: int) -> Entry:
    """Return the object of the line with this number; raises BadImport."""
    flaw = flaw_of(line)
    if flaw is not None:
        raise source.wrong(number, 1, f"this JSON cannot be read: {flaw}")
    try:
        values = _DECODER.decode(line.rstrip())
    except json.JSONDecodeError as error:
        words = f"this is not JSON: {error.msg}; expected an object {{…}}"
        raise source.wrong(number, error.colno, words) from error
    except (RecursionError, ValueError) as error:
        raise source.wrong(number, 1, f"this JSON cannot be read: {unreadable(error)}") from error
    if not isinstance(values, dict):
        raise source.wrong(number, 1, f"expected an object {{…}}, not {shown(values)}")
    return Entry(source, number, line, values)


def first_value(head: Sequence[bytes]) -> Any:
    """Return the value of the first line that is not blank, None where there is none.

    Raises json.JSONDecodeError.
    """
    line = next((it for it in head if it.strip()), b"null")
    text = in_text(line)
    if (flaw := flaw_of(text)) is not None:
        raise json.JSONDecodeError(flaw, "", 0)
    try:
        return _DECODER.decode(text.rstrip())
    except json.JSONDecodeError:
        raise
    except (RecursionError, ValueError) as error:
        raise json.JSONDecodeError(unreadable(error), "", 0) from error


def unreadable(error: Exception) -> str:
    """Say why JSON that is well-formed so far cannot be read."""
    return "brackets are nested too deep" if isinstance(error, RecursionError) else str(error)


def in_text(line: bytes) -> str:
    """Return the line without a byte order mark; what is not UTF-8 becomes lone surrogates."""
    return line.decode(errors="surrogateescape").removeprefix(BOM)


def in_bytes(text: str) -> bytes:
    """Return the bytes of such a text; surrogates that stand for no byte stay as they are."""
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode(errors="surrogatepass")


def _spans(line: str) -> dict[str, tuple[int, int]]:
    """Return where each value begins and ends in the line, which is an object."""
    found: dict[str, tuple[int, int]] = {}
    place = _after_space(line, line.index("{") + 1)
    while line[place] != "}":
        key, place = _DECODER.raw_decode(line, place)
        begin = _after_space(line, line.index(":", place) + 1)
        _, end = _DECODER.raw_decode(line, begin)
        found[key] = (begin, end)
        place = _after_space(line, end)
        if line[place] == ",":
            place = _after_space(line, place + 1)
    return found


def _after_space(line: str, place: int) -> int:
    match = _SPACE.match(line, place)
    return match.end() if match else place
