"""What begins and ends, as the async events of a trace: exchanges, and stalls of a stream."""

from collections.abc import Iterator
from typing import NamedTuple

from tapproxy_store.records import STREAMS, Event, Message, Session, Stream
from tapproxy_viewers.chosen import no_answer
from tapproxy_viewers.jsonl import Json
from tapproxy_viewers.timeline import FrameRow, event_row
from tapproxy_viewers.visible import shown

MOST_OPEN = 10_000
"""Questions that wait for their answers at a time, so that memory has a bound; of an older one the
span ends when it was answered, without saying what the answer was."""


def track(session: int, stream: Stream) -> Json:
    """Return whose an event is: a session is a process, a stream a thread.

    Perfetto wants the ids of threads to differ between processes.
    """
    return {"pid": session, "tid": 10 * session + STREAMS.index(stream)}


class Open(NamedTuple):
    """A span that has begun."""

    begin: Json  # its event
    ends_ns: int | None  # since the session's start; None while that is not known


class Spans:
    """Fed with rows and events in their order; makes a `b` and an `e` of each span."""

    def __init__(self, session: Session) -> None:
        self._session = session.id
        self._no_answer = no_answer(session)
        self._open: dict[str, Open] = {}

    def asked(self, row: FrameRow, message: Message) -> Iterator[Json]:
        """Begin the span of a question; end the oldest where there are too many."""
        if len(self._open) >= MOST_OPEN:
            yield from self._end(next(iter(self._open)), row.t_ns)
        after_ns = message.answered_after_ns
        name = shown(message.method or message.kind)
        yield self._begin(
            f"{self._session}.{message.frame}.{message.part}",
            Open(
                track(self._session, row.stream)
                | {
                    "cat": "exchange",
                    "name": f"{name} ({self._no_answer})" if after_ns is None else name,
                    "t_ns": row.t_ns,
                    "args": said(row, message),
                },
                None if after_ns is None else row.t_ns + after_ns,
            ),
        )

    def answered(self, row: FrameRow, message: Message) -> Iterator[Json]:
        """End the span of the question that is answered; nothing where it has none."""
        key = f"{self._session}.{message.answers}.{message.answers_part or 0}"
        if key in self._open:
            answer = {f"answer {name}": value for name, value in said(row, message).items()}
            yield from self._end(key, row.t_ns, answer)

    def happened(self, event: Event) -> Iterator[Json]:
        """Begin or end the stall of a stream; nothing for any other event."""
        stream = event.detail.get("stream")
        key = f"{self._session}.stall.{stream}"
        if event.kind == "stall-end" and key in self._open:
            yield from self._end(key, event.t_ns, {"end": shown(event_row(event).words)})
        elif event.kind == "stall" and key not in self._open and stream in STREAMS:
            name = shown(event_row(event).words)
            begin = {"cat": "stall", "name": name, "t_ns": event.t_ns, "args": {}}
            yield self._begin(key, Open(track(self._session, stream) | begin, None))

    def rest(self, now_ns: int) -> Iterator[Json]:
        """End what is open: when it was answered, if that is known, else now."""
        for key in list(self._open):
            yield from self._end(key, now_ns)

    def _begin(self, key: str, span: Open) -> Json:
        self._open[key] = span
        return {"ph": "b", "id": key} | span.begin

    def _end(self, key: str, now_ns: int, more: Json | None = None) -> Iterator[Json]:
        begin, ends_ns = self._open.pop(key)
        if more is not None or ends_ns is None:
            ends_ns = now_ns
        yield {"ph": "e", "id": key} | begin | {"t_ns": ends_ns, "args": more or {}}


def said(row: FrameRow, message: Message) -> Json:
    """Return what there is to say of a message, by name."""
    texts = {
        "kind": message.kind,
        "id": message.id,
        "summary": message.summary,
        "flags": message.flags,
        "note": ", ".join(row.notes),
    }
    return {"frame": row.number} | {key: shown(text) for key, text in texts.items() if text}
