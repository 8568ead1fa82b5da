"""What a replay tells in the end: the verdict, what was found, and how long it took."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal

from tapproxy_viewers import words
from tapproxy_viewers.cells import width_of
from tapproxy_viewers.jsonl import Json
from tapproxy_viewers.lines import Line, plain
from tapproxy_viewers.palette import CHANGE, SEPARATOR, TIMES
from tapproxy_viewers.visible import shown
from tapproxy_viewers.wrapping import wrapped

FoundKind = Literal["changed", "missing", "extra", "late", "miss", "forwarded", "unused", "stuck"]

KINDS: Final[dict[FoundKind, str]] = {
    "changed": "notable",
    "missing": "bad",
    "extra": "event",
    "late": "slow",
    "miss": "bad",
    "forwarded": "event",
    "unused": "event",
    "stuck": "bad",
}
"""Style by kind, in the order in which they are counted."""

NO_DIFFERENCE: Final[frozenset[FoundKind]] = frozenset({"forwarded"})
"""What is told, and lets the live peer be as the recorded one."""

MOST_LINES = 50
"""Findings that are told one by one."""

KIND_WIDTH = max(len(it) for it in KINDS if it not in NO_DIFFERENCE)
BETWEEN = "  "
INDENT = "  "


@dataclass(frozen=True, slots=True)
class Found:
    """One difference between the live peer and the recorded one."""

    kind: FoundKind
    words: str  # what it is about, in one line; of an event, what it is now
    frame: int | None = None  # its number in the recording, where it is there
    path: str | None = None  # of the first value that differs; empty: the whole
    recorded: str | None = None  # that value as JSON text, which may be cut
    live: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of the replay of one session."""

    recording: str  # name of the one that was replayed
    role: str  # the side that was played: plugin, host
    same: int  # frames and events of the peer that came as recorded
    steps: int  # that were taken
    took_ns: int
    counts: dict[FoundKind, int] = field(default_factory=dict)  # of all that was found
    found: tuple[Found, ...] = ()  # the first of them
    recorded_ns: int | None = None  # how long the session took when it was recorded
    pace: float = 1.0  # as fast as recorded; 0: without waiting
    ended: str | None = None  # why it ended before its time
    replay: str | None = None  # name of the replay's own recording
    skipped: int = 0  # steps that were left out by hand
    edited: int = 0  # steps that were taken with other bytes, by hand
    by_hand: bool = False  # somebody was asked before each step

    @property
    def differs(self) -> bool:
        """Whether the live peer was not as the recorded one."""
        counted = (count for kind, count in self.counts.items() if kind not in NO_DIFFERENCE)
        return self.ended is not None or any(counted)

    @property
    def word(self) -> str:
        """The verdict in a word."""
        return "differs" if self.differs else "same"


def report(verdict: Verdict, width: int, *, most: int = MOST_LINES) -> Iterator[Line]:
    """Draw the verdict, a paragraph for each finding, and the circumstances."""
    style = "bad" if verdict.differs else "good"
    yield from wrapped([(style, verdict.word), ("text", f": {reasons(verdict)}")], width, 0)
    told = list(islice(verdict.found, most))
    numbers = [len(f"#{it.frame}") for it in told if it.frame is not None]
    kind_width = max([KIND_WIDTH, *(len(it.kind) for it in told)])
    for it in told:
        yield from _paragraph(it, kind_width, max(numbers, default=0), width)
    more = sum(verdict.counts.values()) - len(told)
    if more > 0:
        yield [("quiet", f"and {more:,} more")]
    if verdict.ended is not None and all(it.words != verdict.ended for it in told):
        line: Line = [("bad", "ended early: "), ("text", verdict.ended)]
        yield from wrapped(line, width, len(INDENT))
    for said in _circumstances(verdict):
        yield from wrapped([("quiet", INDENT + said)], width, 2 * len(INDENT))


def reasons(verdict: Verdict) -> str:
    """Say what the verdict rests on: `1 changed, 1 missing · 29 of 31 same`."""
    counts = verdict.counts
    expected = verdict.same + counts.get("changed", 0) + counts.get("missing", 0)
    same = f"{verdict.same:,} of {expected:,}"
    said = [f"{counts[kind]:,} {kind}" for kind in KINDS if counts.get(kind)]
    if not verdict.differs:
        return SEPARATOR.join([same, *said])
    return f"{', '.join(said) or 'ended early'}{SEPARATOR}{same} same"


def values(found: Found) -> str | None:
    """Say which value has changed and how: `result.isError: false → true`.

    The words of other kinds tell their values already.
    """
    if found.recorded is None or found.live is None or found.kind != "changed":
        return None
    change = f"{found.recorded}{CHANGE}{found.live}"
    return f"{found.path}: {change}" if found.path else change


def subject(found: Found) -> str:
    """Say what it is about; nothing where its values say that already, as they do of an event."""
    return "" if values(found) == f"{found.recorded}{CHANGE}{found.words}" else found.words


def report_object(verdict: Verdict) -> Json:
    """Return what programs get."""
    return {
        "type": "replay",
        "verdict": verdict.word,
        "recording": verdict.recording,
        "replay": verdict.replay,
        "role": verdict.role,
        "pace": verdict.pace,
        "took_ns": verdict.took_ns,
        "recorded_ns": verdict.recorded_ns,
        "ended_early": verdict.ended,
        "counts": {
            "same": verdict.same,
            **{kind: verdict.counts.get(kind, 0) for kind in KINDS},
            "steps": verdict.steps,
            "skipped": verdict.skipped,
            "edited": verdict.edited,
        },
        "findings": [
            {
                "kind": it.kind,
                "frame": it.frame,
                "words": it.words,
                "path": it.path,
                "recorded": it.recorded,
                "live": it.live,
            }
            for it in verdict.found
        ],
    }


def _paragraph(found: Found, kind_width: int, number_width: int, width: int) -> Iterator[Line]:
    """Draw a finding: two values that do not fit on its line stand one above the other."""
    number = "" if found.frame is None else f"#{found.frame}"
    line: Line = [(KINDS[found.kind], f"{found.kind:<{kind_width}}{BETWEEN}")]
    if number_width:
        line.append(("number", f"{number:<{number_width}}{BETWEEN}"))
    indent = sum(len(text) for _, text in line)
    said, change = subject(found), values(found)
    line.append(("text", said))
    whole: Line = [*line, ("key", (BETWEEN if said else "") + change)] if change else line
    if change is None or width_of(shown(plain(whole))) <= width:
        yield from wrapped(whole, width, indent)
        return
    path = f"{found.path}: " if found.path else ""
    place = min(indent + width_of(shown(path)), width // 2)
    then: Line = [("key", path), ("text", found.recorded or "")]
    if said:
        yield from wrapped(line, width, indent)
        line = [("text", " " * indent)]
    yield from wrapped([*line, *then], width, place)
    arrow = CHANGE.strip().rjust(place - 1) + " "
    yield from wrapped([("quiet", arrow), ("text", found.live or "")], width, place)


def _circumstances(verdict: Verdict) -> Iterator[str]:
    steps = "1 step" if verdict.steps == 1 else f"{verdict.steps:,} steps"
    took = f"in {words.duration(verdict.took_ns)}"
    then = "" if verdict.recorded_ns is None else words.duration(verdict.recorded_ns)
    recorded = f" (recorded: {then})" if then else ""
    said = f"{verdict.recording} as {verdict.role}: {steps} {took}{recorded}"
    how = _by_hand(verdict) if verdict.by_hand else _pace(verdict.pace)
    yield SEPARATOR.join(filter(None, [said, how]))
    if verdict.replay is not None:
        compare = shlex.join(["tap", "diff", verdict.recording, verdict.replay])
        yield f"recorded as {verdict.replay}{SEPARATOR + compare if verdict.differs else ''}"


def _by_hand(verdict: Verdict) -> str:
    skipped = f"{verdict.skipped:,} skipped" if verdict.skipped else ""
    edited = f"{verdict.edited:,} edited" if verdict.edited else ""
    return ", ".join(filter(None, ["by hand", skipped, edited]))


def _pace(pace: float) -> str:
    if pace == 0:
        return "without waiting"
    return "" if pace == 1 else f"{pace:g}{TIMES} as fast"
