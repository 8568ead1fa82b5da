"""The lines that `tap show` draws, by what was asked for."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import dropwhile

from tapproxy.commands.asking import Asked
from tapproxy.commands.choosing import chosen
from tapproxy.commands.nothing import nothing
from tapproxy.commands.portions import Portion, no_frame, selection_of, sessions_with
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


def timeline_lines(
    recording: Recording, wanted: Filter, portion: Portion, view: View
) -> Iterator[Line]:
    """Draw what a filter and a portion leave of every session."""
    if portion.is_everything and not wanted.text:
        yield from screen(recording, view)
        return
    for session, place, head in _sessions(recording, portion, view):
        yield from head
        entries = entries_of(recording, session, wanted, portion)
        lines = timeline(recording, session, entries, view, place, whole=False)
        yield from _or(lines, partial(nothing, recording, session, wanted))


def exchange_lines(
    recording: Recording, wanted: Filter, portion: Portion, view: View
) -> Iterator[Line]:
    """Draw the exchanges among what a filter and a portion leave of every session."""
    for session, place, head in _sessions(recording, portion, view):
        yield from head
        entries = entries_of(recording, session, wanted, portion)
        lines = exchanges(recording, session, entries, place)
        yield from _or(lines, partial(nothing, recording, session, wanted, "exchange"))


def frame_lines(recording: Recording, it: Asked, *, in_hex: bool) -> Iterator[Line]:
    """Draw the one frame that was asked for, of the last session that has it."""
    number = it.frame or 0
    for session in reversed(recording.sessions()):
        told = recording.find_told(session.id, number)
        if told is not None:
            return detail(recording, told, in_hex=in_hex)
    raise no_frame(recording, number)


def choice(recording: Recording, it: Asked, portion: Portion) -> Entries | None:
    """Return what chooses entries by what was asked for; None where everything was."""
    wanted = it.wanted if it.frame is None else parse(f"n:{it.frame}")
    if portion.is_everything and not wanted.text:
        return None
    sessions = {session.id: session for session in sessions_with(portion, recording)}

    def entries(number: int) -> Iterator[Told | Event]:
        found = sessions.get(number)
        return iter(()) if found is None else entries_of(recording, found, wanted, portion)

    return entries


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
        if end:  # however many are asked for, none has to be kept
            entries = chosen(recording, session.id, wanted, within)
            return dropwhile(lambda it: isinstance(it, Event), entries)
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


def _sessions(
    recording: Recording, portion: Portion, view: View
) -> Iterator[tuple[Session, Layout, Iterator[Line]]]:
    for number, session in enumerate(sessions_with(portion, recording)):
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


def _or(lines: Iterator[Line], otherwise: Callable[[], Line]) -> Iterator[Line]:
    """Yield the lines, or another one where there are none."""
    is_empty = True
    for line in lines:
        is_empty = False
        yield line
    if is_empty:
        yield otherwise()
