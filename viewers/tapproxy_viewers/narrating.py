"""Turns a session's entries into the rows of its timeline: gaps, missed deadlines, folded runs."""

from collections.abc import Iterable, Iterator

from tapproxy_store.records import Event, Frame, Told
from tapproxy_viewers import words
from tapproxy_viewers.deadlines import Deadlines
from tapproxy_viewers.timeline import (
    HEARTBEAT,
    EventRow,
    FoldRow,
    FrameRow,
    Row,
    SilenceRow,
    Source,
    bare_row,
    event_row,
    frame_rows,
)

SILENCE_NS = words.SECOND
"""Nothing for longer than this is drawn as a gap."""

LEAST_FOLDED = 3
"""Frames of a run that are worth a fold."""

HIDDEN_EVENTS = {"end"}
"""The session's orderly end follows the exit at once and says nothing more."""


class Narrator:
    """Fed with entries in their order; remembers what the next row refers to."""

    def __init__(self, source: Source, *, whole: bool = True) -> None:
        """`whole`: every frame and event is fed, so that what is missing can be told."""
        self._source = source
        self._deadlines = Deadlines(whole=whole)
        self._last_ns: int | None = None
        self._before: Frame | None = None

    def take(self, entry: Told | Event) -> Iterator[Row]:
        """Yield the rows that the entry makes, those of what it is too late for before it."""
        if isinstance(entry, Event):
            if entry.kind in HIDDEN_EVENTS:
                return
            yield from self._missed(entry.t_ns)
            self._deadlines.happened(entry)
            yield from self._after_silence(event_row(entry))
            return
        frame = entry.frame
        yield from self._missed(frame.last_ns)
        self._deadlines.heard(entry)
        for row in frame_rows(entry, self._before, self._source):
            yield from self._after_silence(row)
        self._before = frame

    def end(self, t_ns: int) -> Iterator[Row]:
        """Yield what was due until the session's end, or until now."""
        yield from self._missed(t_ns)

    def _missed(self, t_ns: int) -> Iterator[Row]:
        for row in self._deadlines.until(t_ns):
            yield from self._after_silence(row)

    def _after_silence(self, row: FrameRow | EventRow) -> Iterator[Row]:
        """Yield the row, before it the gap that it ends; a heartbeat in its time ends none."""
        last_ns = self._last_ns
        self._last_ns = row.t_ns if last_ns is None else max(last_ns, row.t_ns)
        if last_ns is not None and row.t_ns - last_ns > SILENCE_NS and not _is_tick(row):
            yield SilenceRow(row.t_ns - last_ns)
        yield row


def rows(
    entries: Iterable[Told | Event], source: Source, *, ends_ns: int = 0, whole: bool = True
) -> Iterator[Row]:
    """Turn a session's entries into rows, until the instant `ends_ns`."""
    narrator = Narrator(source, whole=whole)
    for entry in entries:
        yield from narrator.take(entry)
    yield from narrator.end(ends_ns)


def open_rows(frames: Iterable[Frame], source: Source) -> Iterator[Row]:
    """Turn what has come of frames that are not over yet into rows, for a session that lives."""
    for frame in frames:
        yield bare_row(frame, None, source, is_open=True)


def folded(unfolded: Iterable[Row]) -> Iterator[Row]:
    """Make one row of consecutive frames of one run, and of stderr that repeats itself."""
    run: list[FrameRow] = []
    count = 0
    for row in unfolded:
        if run and isinstance(row, FrameRow) and _continues(run[0], row):
            count += 1
            run[1:] = [*run[1 : LEAST_FOLDED - 1], row]
            continue
        yield from _as_one(run, count)
        run, count = ([row], 1) if isinstance(row, FrameRow) else ([], 0)
        if not run:
            yield row
    yield from _as_one(run, count)


def _as_one(run: list[FrameRow], count: int) -> Iterator[Row]:
    if count < LEAST_FOLDED:
        yield from run
    else:
        yield FoldRow(run[0], run[-1], count)


def _continues(first: FrameRow, row: FrameRow) -> bool:
    if first.stream != row.stream or first.notes or row.notes:
        return False
    if first.message is None or row.message is None:
        return first.stream == "err" and row.text == first.text != ""
    if "error" in (row.message.flags or "").split():
        return False
    return first.message.run is not None and first.message.run == row.message.run


def _is_tick(row: FrameRow | EventRow) -> bool:
    return isinstance(row, FrameRow) and row.message is not None and row.message.kind == HEARTBEAT
