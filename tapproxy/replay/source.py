"""Where a replay gets its script from: one session of a recording."""

from collections.abc import Iterator

from tapproxy.replay.live import recorded
from tapproxy.replay.script import Item, Role, script
from tapproxy.replay.spoken import Spoken
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session, Told


class Source:
    """A session as a script, and the bytes of its frames."""

    def __init__(self, recording: Recording, session: Session) -> None:
        self.session = session
        self._recording = recording

    def items(self, role: Role, *, strict: bool = False) -> Iterator[Item]:
        """Return the script of the side that is played."""
        records = self._recording.records(self.session.id)
        entries = self._recording.entries(self.session.id)
        told = (entry for entry in entries if not isinstance(entry, Event))
        return script(records, told, role, strict=strict)

    def spoken(self, number: int, told: Told) -> Spoken:
        """Read a recorded frame; `number` is its place in the script."""
        body = self._recording.payload(told.frame)
        opened = self._recording.decoded(told.messages[0]) if len(told.messages) == 1 else None
        return recorded(number, told, body, opened)
