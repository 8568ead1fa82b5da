"""The sessions of mcp-rec: `{"ts": …, "dir": "client->server", "msg": {…}}` on each line.

As mcp-rec 0.1.1 writes them with `mcp-rec record -o FILE`. It parses each message and writes it
again, keeps what is no JSON as the text `_raw`, does not record stderr, and appends to a file that
exists: an `initialize` request begins another session.
"""

from collections.abc import Iterable, Iterator, Sequence
from json import JSONDecodeError
from typing import Any

from tapproxy.importing.api import Format, Record, Source
from tapproxy.importing.entries import Entry, entries, first_value, in_bytes
from tapproxy.importing.instants import instant
from tapproxy.importing.scribe import Scribe
from tapproxy_store.records import Stream

_STREAMS: dict[str, Stream] = {"client->server": "in", "server->client": "out"}


def recognise(head: Sequence[bytes]) -> bool:
    """Tell whether the first line is one of mcp-rec's."""
    try:
        value = first_value(head)
    except JSONDecodeError:
        return False
    return isinstance(value, dict) and list(value) == ["ts", "dir", "msg"] and _goes(value)


def read(lines: Iterable[bytes], source: Source) -> Iterator[Record]:
    """Yield a session for each `initialize`, with the messages that follow; raises BadImport."""
    scribe = Scribe(source, "mcp-rec")
    begun = False
    for entry in entries(lines, source):
        if not _goes(entry.values):
            entry.refuse("dir", '"client->server" or "server->client"')
        at_ns = instant(entry.values.get("ts"))
        if at_ns is None:
            entry.refuse("ts", "seconds since 1970")
        if "msg" not in entry.values:
            entry.refuse("msg", "the message")
        stream = _STREAMS[entry.values["dir"]]
        if not begun or (scribe.has_chunks and stream == "in" and _initializes(entry)):
            begun = True
            yield scribe.begin(at_ns)
        yield scribe.chunk(stream, at_ns, _message(entry))


def _goes(values: dict[str, Any]) -> bool:
    direction = values.get("dir")
    return isinstance(direction, str) and direction in _STREAMS


def _initializes(entry: Entry) -> bool:
    message = entry.values["msg"]
    return isinstance(message, dict) and message.get("method") == "initialize"


def _message(entry: Entry) -> bytes:
    message = entry.values["msg"]
    if isinstance(message, dict) and message.get("_unparsed") is True:
        raw = message.get("_raw")
        if isinstance(raw, str):
            return in_bytes(raw) + b"\n"
    return entry.message("msg")


MCP_REC = Format("mcp-rec", "sessions of mcp-rec", recognise, read)
