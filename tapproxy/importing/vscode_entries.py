"""Cuts the output of a language client of VS Code into entries, each with its instant."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from tapproxy.importing.api import Source
from tapproxy.importing.entries import in_text
from tapproxy.importing.instants import local

_CLOCKED = re.compile(
    r"\[(?P<level>Trace|LSP|Info|Warn|Error|Debug)(?:\s*-\s*(?P<clock>[^\]\n]+))?\] "
)
"""As vscode-languageclient writes it up to version 9: `[Trace - 10:12:45 AM] `."""
_DATED = re.compile(r"(?P<moment>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[(?P<level>[a-z]+)\] ")
"""As a LogOutputChannel of VS Code writes it: `2026-11-30 10:12:45.123 [trace] `."""
_TIME = re.compile(r"(\d{1,2})[:.](\d\d)[:.](\d\d)")
_NOON = re.compile(r"p\.?\s*m|下午|午後|오후", re.IGNORECASE)
_MORNING = re.compile(r"a\.?\s*m|上午|午前|오전", re.IGNORECASE)

_HALF_A_DAY = timedelta(hours=12)
"""A clock that goes back by more than this has passed midnight."""


class TraceEntry(NamedTuple):
    """What the output has between one prefix and the next."""

    number: int  # of the first line, from 1
    text: str  # all lines, prefix included
    start: int  # index of what follows the prefix; 0 where there is none
    at_ns: int | None  # since 1970 UTC
    is_fine: bool  # the clock has milliseconds

    @property
    def has_prefix(self) -> bool:
        """Tell whether this is an entry at all, and not what comes before the first one."""
        return self.start > 0


def is_trace(line: bytes) -> bool:
    """Tell whether an entry about a message begins here."""
    match = _prefix(in_text(line))
    return match is not None and match["level"] in ("Trace", "LSP", "trace")


def trace_entries(lines: Iterable[bytes], source: Source) -> Iterator[TraceEntry]:
    """Yield the entries; what precedes the first one is one without a prefix."""
    clock = _Clock(source.modified_ns)
    entry: TraceEntry | None = None
    held: list[str] = []
    for number, line in enumerate(lines, 1):
        text = in_text(line)
        match = _prefix(text)
        if match is None and entry is not None:
            held.append(text)
            continue
        if entry is not None:
            yield entry._replace(text="".join(held))
        entry, held = _begun(number, match, clock), [text]
    if entry is not None:
        yield entry._replace(text="".join(held))


def _begun(number: int, match: re.Match[str] | None, clock: "_Clock") -> TraceEntry:
    if match is None:
        return TraceEntry(number, "", 0, None, is_fine=False)
    is_fine = "moment" in match.re.groupindex
    at_ns = _dated(match["moment"]) if is_fine else clock.instant(match["clock"] or "")
    return TraceEntry(number, "", match.end(), at_ns, is_fine)


def _prefix(text: str) -> re.Match[str] | None:
    return _CLOCKED.match(text) or _DATED.match(text)


def _dated(text: str) -> int | None:
    try:
        return local(datetime.fromisoformat(text))
    except ValueError:
        return None


class _Clock:
    """Finds the days of times that name none: the last one that can be, then day after day."""

    def __init__(self, modified_ns: int) -> None:
        changed = datetime.fromtimestamp(modified_ns / 1e9, UTC)
        self._latest = changed.astimezone().replace(tzinfo=None)
        self._moment: datetime | None = None

    def instant(self, text: str) -> int | None:
        """Return nanoseconds since 1970 UTC of a local time of day; None where it is none."""
        of_day = _time_of_day(text)
        if of_day is None:
            return None
        if self._moment is None:
            moment = datetime.combine(self._latest, of_day)
            if moment > self._latest:
                moment -= timedelta(days=1)
        else:
            moment = datetime.combine(self._moment, of_day)
            if self._moment - moment > _HALF_A_DAY:
                moment += timedelta(days=1)
        self._moment = moment
        return local(moment)


def _time_of_day(text: str) -> time | None:
    match = _TIME.search(text)
    if match is None:
        return None
    hour = int(match[1])
    if _NOON.search(text) or _MORNING.search(text):
        hour = hour % 12 + (12 if _NOON.search(text) else 0)
    try:
        return time(hour, int(match[2]), int(match[3]))
    except ValueError:
        return None
