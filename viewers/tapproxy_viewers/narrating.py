"""Turns a session's entries into the rows of its timeline: gaps, missed deadlines, folded runs."""

from collections.abc import Iterable, Iterator, Sequence

from tapproxy_store.records import Event, Frame, Stream, Told
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
"""Messages of a run that are worth a fold."""

HIDDEN_EVENTS = {"end"}
"""The session's orderly end follows the exit at once and says nothing more."""


class Narrator:
    """Fed with entries in their order; remembers what the next row refers to."""

    def __init__(self, source: Source, deadlines: Deadlines) -> None:
        self._source = source
        self._deadlines = deadlines
        self._last_ns: int | None = None
        self._before: Frame | None = None
        self._heard_ns: dict[Stream, int] = {}  # when the last frame of each stream ended

    def take(self, entry: Told | Event) -> list[Row]:
        """Return the rows that the entry makes, those of what it is too late for before it."""
        if isinstance(entry, Event):
            return self._happened(entry)
        missed = self._deadlines.until(entry.frame.last_ns)
        self._deadlines.heard(entry)
        made = frame_rows(entry, self._before, self._source)
        beats = self._beats_in_time(entry)
        self._before = entry.frame
        self._heard_ns[entry.frame.stream] = entry.frame.last_ns
        return self._with_silences([*missed, *made] if missed else made, beats=beats)

    def end(self, t_ns: int) -> list[Row]:
        """Return what was due until the session's end, or until now."""
        return self._with_silences(self._deadlines.until(t_ns))

    def silence(self, t_ns: int) -> list[Row]:
        """Return the gap between the last row and the session's end, or now, where there is one."""
        since_ns = 0 if self._last_ns is None else t_ns - self._last_ns
        return [SilenceRow(since_ns)] if since_ns > SILENCE_NS else []

    def _happened(self, event: Event) -> list[Row]:
        if event.kind in HIDDEN_EVENTS:
            return []
        missed = self._deadlines.happened(event)
        return self._with_silences([*missed, event_row(event)])

    def _beats_in_time(self, told: Told) -> bool:
        """Tell whether a frame is a heartbeat as soon after the side's last word as it should."""
        if not told.messages or told.messages[0].kind != HEARTBEAT:
            return False
        frame, within_ns = told.frame, told.messages[0].within_ns
        last_ns = self._heard_ns.get(frame.stream)
        return last_ns is None or within_ns is None or frame.last_ns - last_ns <= within_ns

    def _with_silences(
        self, made: Sequence[FrameRow | EventRow], *, beats: bool = False
    ) -> list[Row]:
        """Put the gap that a row ends before it; a heartbeat that comes in time ends none."""
        told: list[Row] = []
        for row in made:
            last_ns = row.t_ns if self._last_ns is None else self._last_ns
            is_gap = row.t_ns - last_ns > SILENCE_NS
            if is_gap and not (beats and isinstance(row, FrameRow)):
                told.append(SilenceRow(row.t_ns - last_ns))
            self._last_ns = max(last_ns, row.t_ns)
            told.append(row)
        return told


def rows(
    entries: Iterable[Told | Event], source: Source, *, ends_ns: int = 0, whole: bool = True
) -> Iterator[Row]:
    """Turn a session's entries into rows, until the instant `ends_ns`.

    `whole` where they are all that there are, so that what is missing can be told.
    """
    narrator = Narrator(source, Deadlines(silence=whole))
    for entry in entries:
        yield from narrator.take(entry)
    yield from narrator.end(ends_ns)
    if whole:
        yield from narrator.silence(ends_ns)


def open_rows(frames: Iterable[Frame], source: Source) -> Iterator[Row]:
    """Turn what has come of frames that are not over yet into rows, for a session that lives."""
    for frame in frames:
        yield bare_row(frame, None, source, is_open=True)


def folded(unfolded: Iterable[Row]) -> Iterator[Row]:
    """Make one row of consecutive messages of one run, and of stderr that repeats itself."""
    run: list[FrameRow] = []  # the first ones, and in the end the last
    count = 0
    for row in unfolded:
        if run and isinstance(row, FrameRow) and _goes_on(run[0], row):
            del run[LEAST_FOLDED - 1 :]
            run.append(row)
            count += 1
            continue
        yield from _as_one(run, count)
        run, count = [], 0
        if isinstance(row, FrameRow) and _may_begin(row):
            run, count = [row], 1
        else:
            yield row
    yield from _as_one(run, count)


def _as_one(run: list[FrameRow], count: int) -> list[Row]:
    return [*run] if count < LEAST_FOLDED else [FoldRow(run[0], run[-1], count)]


def _may_begin(row: FrameRow) -> bool:
    """Tell whether a run can begin with it, or go on with it: nothing in it deserves a look."""
    message = row.message
    if row.notes or (message is None and row.stream != "err"):
        return False
    return message is None or (message.run is not None and not _failed(message.flags))


def _failed(flags: str | None) -> bool:
    return flags is not None and "error" in flags.split()


def _goes_on(first: FrameRow, row: FrameRow) -> bool:
    if first.stream != row.stream or not _may_begin(row):
        return False
    if first.message is None or row.message is None:
        return row.message is first.message and _says_the_same(first, row)
    return first.message.run == row.message.run


def _says_the_same(first: FrameRow, row: FrameRow) -> bool:
    return row.text == first.text != "" and not row.more and not first.more
