"""Turns the frames of a session into messages, in one pass: recognises, reads, pairs."""

from collections.abc import Sequence
from tapproxy.dialects.api import UNKNOWN, Dialect, Heard, Meaning, Reading
from tapproxy.dialects.pairing import Paired, Pairing
from tapproxy.dialects.recognition import Recognised, Recognition
from tapproxy_store.recording import MessageRow
from tapproxy_store.records import ASKED_FOR
from tapproxy_viewers.visible import shown


class Interpreter:
    """Made for one session; the same frames make the same rows, however they are portioned."""

    def __init__(
        self, session: int, argv: Sequence[str], dialects: Sequence[Dialect], chosen: str | None
    ) -> None:
        """`chosen` names the dialect that was asked for; None, or one that is not installed here,
        has it recognised.
        """
        self.dialect: str | None = None  # its name, once it is known
        self.reason: str | None = None
        self._session = session
        self._argv = argv
        self._recognition = Recognition(dialects, argv)
        self._held: list[Heard] = []
        self._reading: Reading | None = None
        self._pairing = Pairing()
        asked = next((it for it in dialects if it.name == chosen), None)
        if asked is None:
            self._take(self._recognition.begin())
        else:
            self._take(Recognised(asked, ASKED_FOR))

    def hear(self, heard: Heard) -> list[MessageRow]:
        """Take the next frame; return the messages that are now known."""
        if self._reading is not None:
            return self._rows(self._reading, heard)
        self._held.append(heard)
        return self._take(self._recognition.add(heard))

    def pass_over(self, number: int, size: int) -> list[MessageRow]:
        """Take the next frame, of so many bytes, which is too large to be read."""
        note = f"{size / 1e6:.0f} MB: too large to be read"
        meaning = Meaning(UNKNOWN, note=note, flags=("oversize",))
        return [_row(self._session, number, 0, Paired(meaning))]

    def finish(self) -> list[MessageRow]:
        """Take the session as over; return what was held back for want of a dialect."""
        return [] if self._reading is not None else self._take(self._recognition.settle())

    @property
    def traits(self) -> Sequence[str]:
        """What the dialect has learnt of the session."""
        return () if self._reading is None else self._reading.traits()

    def _take(self, recognised: Recognised | None) -> list[MessageRow]:
        if recognised is None:
            return []
        dialect, self.reason = recognised
        self.dialect = dialect.name
        self._reading = dialect.begin(self._argv)
        rows = [row for heard in self._held for row in self._rows(self._reading, heard)]
        self._held = []
        return rows

    def _rows(self, reading: Reading, heard: Heard) -> list[MessageRow]:
        try:
            meanings = reading.read(heard)
        except Exception as error:  # noqa: BLE001  whatever a dialect does, the frame is kept
            note = f"the dialect {self.dialect} failed on this: {type(error).__name__}: {error}"
            meanings = (Meaning(UNKNOWN, note=note, flags=("dialect-failed",)),)
        pair, session = self._pairing.pair, self._session
        _, _, number, t_ns, _ = heard
        return [
            _row(session, number, part, pair(heard.side, number, part, t_ns, meaning))
            for part, meaning in enumerate(meanings)
        ]


def _row(session: int, frame: int, part: int, paired: Paired) -> MessageRow:
    meaning, question, latency_ns, about = paired
    kind, method, summary, key, asks, _, _, _, within_ns, run, flags, note, decoded = meaning
    return (
        session,
        frame,
        part,
        shown(kind),
        _storable(method),
        _storable(key),
        0 if asks is None else 1,
        shown(summary),
        None if question is None else question.frame,
        None if question is None else question.part,
        latency_ns,
        about,
        within_ns,
        _storable(run),
        shown(" ".join(flags)) if flags else None,
        shown(note) if note else None,
        decoded,
    )


def _storable(text: str | None) -> str | None:
    """Return the text harmless to any terminal, and without what UTF-8 cannot hold."""
    return text if text is None else shown(text)
