"""Takes down what a log says as records: numbers them, and keeps offsets and times."""

from typing import Any

from tapproxy.importing.api import Source
from tapproxy.importing.instants import EARLIEST_NS
from tapproxy_store.records import Chunk, Event, Session, Stream


class Scribe:
    """Makes the records of one import, in their order.

    Times are instants in nanoseconds, or None where the log has none; then, and where a clock goes
    back, the record has the time of the one before it.
    """

    def __init__(self, source: Source, format_name: str, *, exact: bool = False) -> None:
        """Note in the facts where all comes from, and whether bytes are those of the wire."""
        self._source = source
        self._imported = {"format": format_name, "from": source.name, "exact": exact}
        self._sessions = 0
        self._records = 0  # of all sessions
        self._zero_ns: int | None = None  # the instant at which t_ns is 0
        self._t_ns = 0  # of the last record
        self._ends: dict[Stream, int] = {}

    def begin(self, at_ns: int | None, name: str = "", **facts: Any) -> Session:
        """Begin a session; without a wall clock it began when the file was last changed."""
        self._sessions += 1
        self._zero_ns, self._t_ns, self._ends = at_ns, 0, {}
        started_ns = at_ns if at_ns is not None and at_ns >= EARLIEST_NS else None
        return Session(
            id=self._sessions,
            name=name or self._source.session_name,
            started_ns=self._source.modified_ns if started_ns is None else started_ns,
            started_mono_ns=0,
            duration_ns=None,
            outcome=None,
            framing="lines",
            facts=facts | {"imported": dict(self._imported)},
        )

    def chunk(self, stream: Stream, at_ns: int | None, data: bytes) -> Chunk:
        """Take down bytes."""
        start = self._ends.get(stream, 0)
        self._ends[stream] = start + len(data)
        self._tick(at_ns)
        return Chunk(self._records, self._sessions, stream, self._t_ns, start, data)

    def event(self, kind: str, at_ns: int | None, detail: dict[str, Any]) -> Event:
        """Take down what is not bytes."""
        self._tick(at_ns)
        return Event(self._records, self._sessions, self._t_ns, kind, detail)

    @property
    def has_chunks(self) -> bool:
        """Tell whether the session has any bytes yet."""
        return bool(self._ends)

    @property
    def now_ns(self) -> int | None:
        """The instant of the last record; None where the log has no times."""
        return None if self._zero_ns is None else self._zero_ns + self._t_ns

    def _tick(self, at_ns: int | None) -> None:
        self._records += 1
        if at_ns is None:
            return
        if self._zero_ns is None:
            self._zero_ns = at_ns - self._t_ns
        self._t_ns = max(self._t_ns, at_ns - self._zero_ns)
