"""Turns the frames of a session into messages, in one pass: recognises, reads, pairs."""

from collections.abc import Sequence
from typing import NamedTuple

from tapproxy.dialects.api import UNKNOWN, Dialect, Heard, Meaning, Reading, Skimming
from tapproxy.dialects.brief import clipped
from tapproxy.dialects.pairing import Paired, Pairing
from tapproxy.dialects.recognition import Recognised, Recognition
from tapproxy_store.recording import MessageRow
from tapproxy_store.records import ASKED_FOR, NOT_INSTALLED
from tapproxy_viewers.visible import is_harmless, shown

LONGEST_FAILURE = 200
"""Characters of an error that a dialect raised."""

LARGEST_INTEGER = (1 << 63) - 1
"""SQLite's."""


class Cut(NamedTuple):
    """What is known of a frame that is too large to be read, besides its beginning."""

    end: bytes
    size: int  # of the whole body, bytes


class Interpreter:
    """Made for one session; the same frames make the same rows, however they are portioned.

    Whatever a dialect does, it ends no recording: what it fails on is a message that says so.
    """

    def __init__(
        self, session: int, argv: Sequence[str], dialects: Sequence[Dialect], chosen: str | None
    ) -> None:
        """Take the dialect `chosen` by name; None, or one not installed here, is recognised."""
        self.dialect: str | None = None  # its name, once it is known
        self.reason: str | None = None
        self._session = session
        self._argv = argv
        self._recognition = Recognition(dialects, argv)
        self._held: list[tuple[Heard, Cut | None]] = []
        self._reading: Reading | None = None
        self._pairing = Pairing()
        self._instead_of: str | None = None  # the dialect that was asked for and is not installed
        asked = next((it for it in dialects if it.name == chosen), None)
        if asked is not None:
            self._take(Recognised(asked, ASKED_FOR))
        else:
            self._instead_of = chosen
            self._take(self._recognition.begin())

    def hear(self, heard: Heard) -> list[MessageRow]:
        """Take the next frame; return the messages that are now known."""
        if self._reading is not None:
            return self._rows(self._reading, heard)
        self._held.append((heard, None))
        return self._take(self._recognition.add(heard))

    def pass_over(self, heard: Heard, cut: Cut) -> list[MessageRow]:
        """Take the next frame, which is too large to be read: only its beginning is there."""
        if self._reading is not None:
            return self._rows(self._reading, heard, cut)
        self._held.append((heard, cut))
        return self._take(self._recognition.pass_over())

    def finish(self) -> list[MessageRow]:
        """Take the session as over; return what was held back for want of a dialect."""
        return [] if self._reading is not None else self._take(self._recognition.settle())

    @property
    def traits(self) -> Sequence[str]:
        """What the dialect has learnt of the session."""
        if self._reading is None:
            return ()
        try:
            return [shown(it) for it in self._reading.traits()]
        except Exception as error:  # noqa: BLE001  see the class
            return [f"{self.dialect} {_failure(error)}"]

    def _take(self, recognised: Recognised | None) -> list[MessageRow]:
        if recognised is None:
            return []
        dialect, reason = recognised
        self.dialect = dialect.name
        self.reason = shown(reason)
        if self._instead_of is not None:
            self.reason = f"{shown(self._instead_of)}{NOT_INSTALLED}{self.reason}"
        self._reading = _begun(dialect, self._argv)
        held, self._held = self._held, []
        return [row for it in held for row in self._rows(self._reading, *it)]

    def _rows(self, reading: Reading, heard: Heard, cut: Cut | None = None) -> list[MessageRow]:
        pair, session = self._pairing.pair, self._session
        side, _, number, t_ns, _ = heard
        try:
            meanings = reading.read(heard) if cut is None else _skimmed(reading, heard, cut)
            return [
                _row(session, number, part, pair(side, number, part, t_ns, meaning))
                for part, meaning in enumerate(meanings)
            ]
        except Exception as error:  # noqa: BLE001  see the class
            failed = _failed(f"the dialect {self.dialect} failed on this", error)
            return [_row(session, number, 0, Paired(failed))]


class _Failed:
    """Stands in for the reading of a dialect that could not begin."""

    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning

    def read(self, heard: Heard) -> Sequence[Meaning]:
        del heard
        return (self._meaning,)

    def traits(self) -> Sequence[str]:
        return ()


def _begun(dialect: Dialect, argv: Sequence[str]) -> Reading:
    try:
        return dialect.begin(argv)
    except Exception as error:  # noqa: BLE001  see Interpreter
        return _Failed(_failed(f"the dialect {dialect.name} could not begin", error))


def _failed(what: str, error: Exception) -> Meaning:
    return Meaning(UNKNOWN, note=f"{what}: {_failure(error)}", flags=("dialect-failed",))


def _failure(error: Exception) -> str:
    return clipped(f"{type(error).__name__}: {error}", LONGEST_FAILURE)


def _skimmed(reading: Reading, heard: Heard, cut: Cut) -> list[Meaning]:
    note = f"{cut.size / 1e6:.0f} MB: too large to be read"
    meanings: Sequence[Meaning] = [Meaning(UNKNOWN)]
    if isinstance(reading, Skimming):
        meanings = reading.skim(heard, cut.end)
    return [it._replace(note=note, flags=("oversize", *it.flags)) for it in meanings]


def _row(session: int, frame: int, part: int, paired: Paired) -> MessageRow:
    """Return a message's row: harmless to any terminal, and without what UTF-8 cannot hold.

    Raises TypeError where a dialect's values are not what they should be.
    """
    meaning, question, latency_ns, about = paired
    kind, method, summary, key, asks, _, _, _, within_ns, run, flags, note, decoded = meaning
    if method is None and question is not None:
        method = question.method
    words = " ".join(flags)
    if not is_harmless("".join((kind, method or "", summary, key or "", run or "", words, note))):
        kind, summary, words, note = map(shown, (kind, summary, words, note))
        method, key, run = (it if it is None else shown(it) for it in (method, key, run))
    if within_ns is not None:
        within_ns = min(int(within_ns), LARGEST_INTEGER)
    if decoded is not None and not isinstance(decoded, bytes):
        raise TypeError("decoded is no bytes")
    return (
        session,
        frame,
        part,
        kind,
        method,
        key,
        0 if asks is None else 1,
        summary,
        None if question is None else question.frame,
        None if question is None else question.part,
        latency_ns,
        about,
        within_ns,
        run,
        words or None,
        note or None,
        decoded,
    )
