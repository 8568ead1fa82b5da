"""A recording as a trace that https://ui.perfetto.dev and chrome://tracing open.

The format is Google's "Trace Event Format": a JSON object whose `traceEvents` may be in any order.
Exchanges and stalls are async events (`b`, `e`), since those of one side may overlap; all else is
instants (`i`), counters (`C`) and names (`M`). Times are microseconds.
"""

from collections.abc import Iterator

from tapproxy_store.reading import Recording
from tapproxy_store.records import STREAMS, Event, Frame, Session, Told
from tapproxy_viewers.chosen import Entries, source_of, wanted
from tapproxy_viewers.happenings import STREAM_NAMES
from tapproxy_viewers.jsonl import Json, dumped
from tapproxy_viewers.naming import called, command_of
from tapproxy_viewers.narrating import HIDDEN_EVENTS
from tapproxy_viewers.palette import ELLIPSIS, LANES
from tapproxy_viewers.spans import Spans, said, track
from tapproxy_viewers.timeline import UNKNOWN, FrameRow, event_row, frame_rows
from tapproxy_viewers.visible import shown

TEXT_SIZE = 400
"""Bytes of a frame that is not understood."""

LONGEST_NAME = 80
"""Characters of such a frame by which its instant is called."""


def perfetto_trace(recording: Recording, entries: Entries | None = None) -> Iterator[bytes]:
    """Yield the trace, one event a line; a later session begins as much later as it did."""
    head = dumped({"displayTimeUnit": "ms", "otherData": {"recording": called(recording.path)}})
    yield head.removesuffix(b"}\n") + b',"traceEvents":['
    separator = b"\n"
    sessions = recording.sessions()
    for session in sessions:
        offset_ns = session.started_ns - sessions[0].started_ns
        for event in Trace(recording, session).events(entries):
            yield separator + dumped(_timed(event, offset_ns)).removesuffix(b"\n")
            separator = b",\n"
    yield b"\n]}\n"


def _timed(event: Json, offset_ns: int) -> Json:
    """Return the event with its time as the format wants it."""
    if "t_ns" not in event:
        return event
    t_ns = event.pop("t_ns")
    return event | {"ts": (offset_ns + t_ns) / 1000}


class Trace:
    """Makes the events of one session: it is a process, its streams are threads.

    An event has `t_ns`, nanoseconds since the session's start, in the place of the format's `ts`.
    """

    def __init__(self, recording: Recording, session: Session) -> None:
        self._session = session
        self._recording = recording
        self._source = source_of(recording, session, TEXT_SIZE)
        self._spans = Spans(session)
        self._before: Frame | None = None
        self._last_ns = session.duration_ns or 0

    def events(self, entries: Entries | None) -> Iterator[Json]:
        """Yield names, then what happened, then the ends of what is still open."""
        yield from self._names()
        for entry in wanted(self._recording, self._session.id, entries):
            if isinstance(entry, Event):
                yield from self._happened(entry)
            else:
                yield from self._told(entry)
        yield from self._spans.rest(self._last_ns)

    def _names(self) -> Iterator[Json]:
        names = {"process_name": {"name": shown(self._session.name)}}
        names["process_labels"] = {"labels": shown(command_of(self._session))}
        for name, args in names.items():
            yield {"ph": "M", "name": name, "args": args} | track(self._session.id, "in")
        for stream in STREAMS:
            named: Json = {"ph": "M", "name": "thread_name", "args": {"name": LANES[stream]}}
            yield named | track(self._session.id, stream)

    def _told(self, told: Told) -> Iterator[Json]:
        frame = told.frame
        self._last_ns = max(self._last_ns, frame.last_ns)
        lane = track(self._session.id, frame.stream)
        for row in frame_rows(told, self._before, self._source):
            for event in self._row(row):
                yield lane | event
        self._before = frame
        name, count = STREAM_NAMES[frame.stream], {"bytes": frame.end_offset}
        yield {"ph": "C", "name": name, "t_ns": frame.last_ns, "args": count} | lane

    def _row(self, row: FrameRow) -> Iterator[Json]:
        message = row.message
        if message is not None and message.asks:
            yield from self._spans.asked(row, message)
            return
        if message is not None and message.answers is not None:
            ended = list(self._spans.answered(row, message))
            yield from ended or [_instant(row)]
            return
        yield _instant(row)

    def _happened(self, event: Event) -> Iterator[Json]:
        self._last_ns = max(self._last_ns, event.t_ns)
        spans = list(self._spans.happened(event))
        if spans or event.kind in HIDDEN_EVENTS:
            yield from spans
            return
        name = shown(event_row(event).words)
        args = {"kind": event.kind, **event.detail}
        instant = {"ph": "i", "s": "g", "name": name, "t_ns": event.t_ns, "args": args}
        yield instant | track(self._session.id, "in")


def _instant(row: FrameRow) -> Json:
    message = row.message
    if message is None or message.kind == UNKNOWN:
        text = shown(row.text) + ELLIPSIS * row.more
        name = text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + ELLIPSIS
        note = {"note": ", ".join(row.notes)} if row.notes else {}
        args: Json = {"frame": row.number, "text": text} | note
    else:
        name = " ".join(filter(None, [message.kind, message.method]))
        args = said(row, message)
    return {"ph": "i", "s": "t", "name": shown(name) or "(empty)", "t_ns": row.t_ns, "args": args}
