"""Where a replay gets its script from: one session of a recording."""

from collections.abc import Iterator
from functools import partial

from tapproxy.replay.script import Expected, Item, Role
from tapproxy.replay.scripting import script
from tapproxy.replay.spoken import BATCH, Spoken
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session


class Source:
    """A session as a script, and what its frames say."""

    def __init__(self, recording: Recording, session: Session) -> None:
        self.session = session
        self._recording = recording

    def items(self, role: Role, *, strict: bool = False) -> Iterator[Item]:
        """Return the script of the side that is played."""
        records = self._recording.records(self.session.id)
        return script(records, self._recording.told(self.session.id), role, strict=strict)

    def spoken(self, expected: Expected) -> Spoken:
        """Return a frame that is expected as a live one is told; its layers are read on demand."""
        told, number, body = expected.what, expected.number, expected.body
        if isinstance(told, Event):
            raise TypeError("an event says nothing")
        frame, messages = told
        if not messages:
            return Spoken(number, frame.stream, body, None, frame=frame.number)
        if len(messages) > 1:
            asks = any(it.asks for it in messages)
            return Spoken(number, frame.stream, body, BATCH, asks=asks, frame=frame.number)
        (it,) = messages
        decoded = partial(self._recording.decoded, it)
        return Spoken(
            number, frame.stream, body, it.kind, it.method, it.id, bool(it.asks), it.answers,
            decoded, frame.number, it.latency_ns, it.flags is None and it.note is None,
        )  # fmt: skip
