"""The lines that `tap show` draws, by what was asked for."""

from collections import deque
from collections.abc import Iterator

from tapproxy.commands.asking import Asked
from tapproxy.commands.choosing import chosen
from tapproxy.commands.portions import Portion, selection_of
from tapproxy.errors import USAGE, TapError
from tapproxy.filters import Filter, parse
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session, Told
from tapproxy_viewers.chosen import Entries
from tapproxy_viewers.detail import detail
from tapproxy_viewers.exchanges import exchanges
from tapproxy_viewers.header import header
from tapproxy_viewers.layout import Layout, layout
from tapproxy_viewers.lines import Line
from tapproxy_viewers.screen import View, length, screen, timeline

NOTHING: Line = [("quiet", "nothing of it is what was asked for")]


def timeline_lines(
    recording: Recording, wanted: Filter, portion: Portion, view: View
) -> Iterator[Line]:
    """Draw what a filter and a portion leave of every session."""
    if portion.is_everything and not wanted.text:
        yield from screen(recording, view)
        return
    for session, place, head in _sessions(recording, view):
        yield from head
        entries = entries_of(recording, session, wanted, portion)
        yield from _or_nothing(timeline(recording, session, entries, view, place, whole=False))


def exchange_lines(
    recording: Recording, wanted: Filter, portion: Portion, view: View
) -> Iterator[Line]:
    """Draw the exchanges among what a filter and a portion leave of every session."""
    for session, place, head in _sessions(recording, view):
        yield from head
        entries = entries_of(recording, session, wanted, portion)
        yield from _or_nothing(exchanges(recording, session, entries, place))


def frame_lines(recording: Recording, it: Asked, *, in_hex: bool) -> Iterator[Line]:
    """Draw the one frame that was asked for, of the last session that has it."""
    number = it.frame or 0
    for session in reversed(recording.sessions()):
        told = recording.find_told(session.id, number)
        if told is not None:
            return detail(recording, told, in_hex=in_hex)
    raise TapError(f"there is no frame #{number} in {it.recording}", USAGE)


def choice(recording: Recording, it: Asked, portion: Portion) -> Entries | None:
    """Return what chooses entries by what was asked for; None where everything was."""
    wanted = it.wanted if it.frame is None else parse(f"n:{it.frame}")
    if portion.is_everything and not wanted.text:
        return None
    sessions = {session.id: session for session in recording.sessions()}
    return lambda number: entries_of(recording, sessions[number], wanted, portion)


def entries_of(
    recording: Recording, session: Session, wanted: Filter, portion: Portion
) -> Iterator[Told | Event]:
    """Yield the entries that a filter and a portion leave of a session."""
    within = selection_of(portion, recording, session.id)
    if wanted.text:
        within = within._replace(times=None)
    elif portion == Portion(last=portion.last) and portion.last:
        end = recording.last_number(session.id)
        within = within._replace(numbers=(end - portion.last + 1, end))
    entries = chosen(recording, session.id, wanted, within)
    return entries if portion.last is None else _last(entries, portion.last)


def _last(entries: Iterator[Told | Event], count: int) -> Iterator[Told | Event]:
    """Yield the last so many frames, and the events among and after them."""
    kept: deque[Told | Event] = deque()
    frames = 0
    if count == 0:
        return iter(kept)
    for entry in entries:
        kept.append(entry)
        frames += not isinstance(entry, Event)
        while frames > count:
            frames -= not isinstance(kept.popleft(), Event)
    while frames and isinstance(kept[0], Event):
        kept.popleft()
    return iter(kept)


def _sessions(recording: Recording, view: View) -> Iterator[tuple[Session, Layout, Iterator[Line]]]:
    for number, session in enumerate(recording.sessions()):
        counts = recording.counts(session.id)
        place = layout(view.width, length(session, view.now_ns), sum(counts.frames.values()))
        head = header(
            session, counts, view.width, zone=view.zone, place=view.place, verbose=view.verbose
        )
        yield session, place, _apart(head, number)


def _apart(lines: Iterator[Line], number: int) -> Iterator[Line]:
    if number:
        yield []
    yield from lines


def _or_nothing(lines: Iterator[Line]) -> Iterator[Line]:
    is_empty = True
    for line in lines:
        is_empty = False
        yield line
    if is_empty:
        yield NOTHING
