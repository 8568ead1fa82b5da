"""Which portion of a session is wanted: by time, by number, or around a frame."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import click

from tapproxy.commands.asking import instant
from tapproxy.errors import USAGE, TapError
from tapproxy_store.pages import LAST, Selection
from tapproxy_store.reading import Recording

AROUND = 10
"""Frames that are shown before and after the one in the middle."""

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Portion:
    """What --last, --around, --since and --until say."""

    last: int | None = None  # frames at the end
    around: int | None = None  # a frame's number
    since_ns: int | None = None  # since the session's start, nanoseconds
    until_ns: int | None = None

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return self == Portion()


def portion_options(function: F) -> F:
    """Add --last, --around, --since and --until to a command, which gets them as `portion`."""

    @wraps(function)
    def with_portion(
        last: int | None, around: int | None, since: str | None, until: str | None, **others: Any
    ) -> Any:
        since_ns = None if since is None else instant(since, "--since")
        until_ns = None if until is None else instant(until, "--until")
        return function(portion=Portion(last, around, since_ns, until_ns), **others)

    added: Any = click.option(
        "--until", metavar="TIME", help="Up to this time since the session's start: 2m."
    )(with_portion)
    added = click.option(
        "--since", metavar="TIME", help="From this time since the session's start on: 1.5s."
    )(added)
    added = click.option(
        "--around",
        metavar="N",
        type=click.IntRange(1),
        help=f"Frame #N and the {AROUND} before and after it.",
    )(added)
    decorated: F = click.option(
        "-n", "--last", metavar="N", type=click.IntRange(0), help="The last N frames alone."
    )(added)
    return decorated


def selection_of(portion: Portion, recording: Recording, session_id: int) -> Selection:
    """Return what the portion selects of a session; TapError where there is no such frame."""
    low, high = portion.since_ns or 0, portion.until_ns if portion.until_ns is not None else LAST
    terms, values = ["f.last_ns BETWEEN ? AND ?"], [low, high]
    numbers: tuple[int, int] | None = None
    if portion.around is not None:
        first, last = numbers = (portion.around - AROUND, portion.around + AROUND)
        middle = recording.find_told(session_id, portion.around)
        if middle is None:
            raise TapError(f"there is no frame #{portion.around}", USAGE)
        terms.append("f.number BETWEEN ? AND ?")
        values += [first, last]
        before = recording.find_told(session_id, max(first, 1)) or middle
        after = recording.find_told(session_id, last)
        low = max(low, before.frame.last_ns)
        high = min(high, LAST if after is None else after.frame.last_ns)
    return Selection(" AND ".join(terms), tuple(values), (low, high), numbers)
