"""What is said where nothing of a session is what was asked for: why, and what there is instead."""

from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from tapproxy.filters import Filter
from tapproxy.filters.expressions import Term
from tapproxy.filters.flag_words import UNANSWERED
from tapproxy_store.pages import Selection
from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Session
from tapproxy_viewers.lines import Line
from tapproxy_viewers.visible import shown

MOST_VALUES = 8
"""Values of a key that are told, the most frequent ones."""

NOUNS = {"kind": "kinds", "method": "methods", "flag": "flags"}
"""Keys whose values are told."""

SINGLE = {"n", "kind", "method", "id", "dir", "stream"}
"""Keys of which a message has one value, so that two terms of one never hold at once."""

OTHER_NAMES = {"no-answer": UNANSWERED, "failed": "error", "failure": "error"}
"""What a flag may be taken to be called, by what a timeline shows."""


NONE = {"frame": "no frame is in that portion", "exchange": "nothing in it asks for an answer"}
"""What is said without a filter."""


def nothing(recording: Recording, session: Session, wanted: Filter, what: str = "frame") -> Line:
    """Say that no frame (or exchange) is what was asked for."""
    if not wanted.text:
        return [("quiet", NONE[what])]
    hints = [*_never_both(wanted), *_instead(recording, session, wanted.terms)]
    said = f"no {what} matches {wanted.text}"
    return [("quiet", shown("; ".join([said, *hints])))]


def _never_both(wanted: Filter) -> Iterator[str]:
    keys = wanted.keys
    if len(wanted.terms) < 2 or len(keys) > 1 or not keys <= SINGLE:
        return
    if wanted.text == " ".join(map(str, wanted.terms)):
        values = ",".join(term.value for term in wanted.terms)
        one = f"#{values}" if keys == {"n"} else f"{wanted.terms[0].key}:{values}"
        yield f"all terms must hold at once: write '{one}', or put `or` between them"


def _instead(recording: Recording, session: Session, terms: tuple[Term, ...]) -> Iterator[str]:
    """Yield the values that there are, for terms of which none occurs."""
    for key in dict.fromkeys(term.key for term in terms if term.key in NOUNS):
        values = [value for term in terms if term.key == key for value in term.value.split(",")]
        there = _values(recording, session, key)
        if any(fnmatchcase(it, value) for it in there for value in values):
            continue
        guesses = [f"did you mean {key}:{OTHER_NAMES[it]}? " for it in values if it in OTHER_NAMES]
        here = f"{NOUNS[key]} here: {_listed(there)}" if there else f"no {NOUNS[key]} here"
        yield "".join(guesses) + here


def _values(recording: Recording, session: Session, key: str) -> list[str]:
    """Return the values of a key that occur in a session, the most frequent ones first."""
    counts: Counter[str] = Counter()
    if key == "flag":
        counts.update(_flags(recording, session))
    else:
        for group in recording.figures(session.id).traffic:
            value = group.kind if key == "kind" else group.method
            if value is not None:
                counts[value] += group.count
    return [value for value, _ in counts.most_common()]


def _flags(recording: Recording, session: Session) -> Iterator[str]:
    flagged = Selection("m.flags IS NOT NULL OR f.flaw IS NOT NULL OR m.asks")
    for entry in recording.entries(session.id, flagged):
        if isinstance(entry, Event):
            continue
        if entry.frame.flaw is not None:
            yield entry.frame.flaw
        for message in entry.messages:
            yield from (message.flags or "").split()
            if message.asks and message.answered_after_ns is None:
                yield UNANSWERED


def _listed(values: Iterable[str]) -> str:
    first, *others = values
    told = [first, *others[: MOST_VALUES - 1]]
    more = len(others) + 1 - len(told)
    return ", ".join(told) + (f" and {more} more" if more else "")
