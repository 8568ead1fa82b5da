"""The trace of a language client of VS Code: its output with `"trace.server": "verbose"`.

The trace tells methods, ids and values, but not the bytes: messages are put together anew. All
else in the output (the server's stderr, what it logs) is taken as stderr. (vscode-jsonrpc,
connection.ts: trace…; vscode-languageclient, client.ts: logTrace, logObjectTrace; from version 10
on, the lines are those of a LogOutputChannel.)
"""

from collections.abc import Iterable, Iterator, Sequence

from tapproxy.importing.api import Format, Record, Source
from tapproxy.importing.entries import in_bytes
from tapproxy.importing.scribe import Scribe
from tapproxy.importing.vscode_entries import TraceEntry, is_trace, trace_entries
from tapproxy.importing.vscode_messages import Message, message_of
from tapproxy_store.records import Stream

MS = 1_000_000
"""Nanoseconds."""

_OTHER: dict[Stream, Stream] = {"in": "out", "out": "in"}


def recognise(head: Sequence[bytes]) -> bool:
    """Tell whether one of the first lines begins an entry of a trace."""
    return any(is_trace(line) for line in head)


def read(lines: Iterable[bytes], source: Source) -> Iterator[Record]:
    """Yield a session for each `initialize`, with the messages that follow; raises BadImport."""
    taker = _Taker(source)
    for entry in trace_entries(lines, source):
        yield from taker.take(entry)


class _Taker:
    """What the next entry follows on."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._scribe = Scribe(source, "vscode-lsp")
        self._begun = False
        self._has_timestamps = False  # which are of another zone than the clock, perhaps
        self._asked: dict[tuple[Stream, str], int] = {}  # when, by direction and id

    def take(self, entry: TraceEntry) -> Iterator[Record]:
        """Yield the message of an entry, and what stands after it."""
        message = message_of(entry, self._source)
        at_ns = self._instant(entry, message)
        if not self._begun or (message is not None and self._restarts(message)):
            self._begun = True
            self._asked.clear()
            yield self._scribe.begin(at_ns)
        rest = entry.text
        if message is not None:
            rest = message.rest
            yield self._scribe.chunk(message.stream, at_ns, message.body)
            self._note(message)
        for line in rest.splitlines():
            if line.strip():
                yield self._scribe.chunk("err", at_ns, in_bytes(line) + b"\n")

    def _restarts(self, message: Message) -> bool:
        asks = message.kind == "request" and message.stream == "in"
        return asks and message.method == "initialize" and self._scribe.has_chunks

    def _note(self, message: Message) -> None:
        now_ns = self._scribe.now_ns
        if message.kind == "request" and now_ns is not None:
            self._asked[message.stream, message.id] = now_ns

    def _instant(self, entry: TraceEntry, message: Message | None) -> int | None:
        """Return when it was: a latency knows more than a clock of whole seconds."""
        if message is not None and message.at_ns is not None:
            self._has_timestamps = True
            return message.at_ns
        if self._has_timestamps:
            return None
        if message is None or message.latency_ms is None or entry.is_fine:
            return entry.at_ns
        asked_ns = self._asked.pop((_OTHER[message.stream], message.id), None)
        return entry.at_ns if asked_ns is None else asked_ns + message.latency_ms * MS


VSCODE_LSP = Format("vscode-lsp", "traces of VS Code's language clients", recognise, read)
