"""Which portion of a session is wanted: by time, by number, or around a frame."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import click

from tapproxy.commands.asking import instant
from tapproxy.errors import USAGE, TapError
from tapproxy_store.pages import LAST, Selection
from tapproxy_store.reading import Recording
from tapproxy_store.records import Session

AROUND = 10
"""Frames that are shown before and after the one in the middle."""

MOST_DIGITS = 18
"""SQLite's integers have 63 bits and a sign."""

F = TypeVar("F", bound=Callable[..., Any])


class Count(click.ParamType[int]):
    """A number of frames."""

    name = "count"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it; an int, such as a default, is one already."""
        if isinstance(value, int):
            return value
        if not (value.isascii() and value.isdecimal() and len(value) < MOST_DIGITS):
            self.fail(f"{value!r} is no number", param, ctx)
        return int(value)


class Number(Count):
    """A frame's number, as it is or as #12."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it."""
        return super().convert(value.removeprefix("#"), param, ctx)


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
        if since_ns is not None and until_ns is not None and until_ns < since_ns:
            raise click.UsageError(f"--until {until} is before --since {since}: swap them.")
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
        type=Number(),
        help=f"Frame #N and the {AROUND} before and after it.",
    )(added)
    decorated: F = click.option(
        "-n", "--last", metavar="N", type=Count(), help="The last N frames alone."
    )(added)
    return decorated


def sessions_with(portion: Portion, recording: Recording) -> list[Session]:
    """Return the sessions that have the frame in the middle; TapError where none has it."""
    sessions = recording.sessions()
    if portion.around is None:
        return sessions
    found = [it for it in sessions if recording.find_told(it.id, portion.around) is not None]
    if not found:
        raise no_frame(recording, portion.around)
    return found


def no_frame(recording: Recording, number: int) -> TapError:
    """Return the error that says which frames there are instead."""
    last = max((recording.last_number(it.id) for it in recording.sessions()), default=0)
    others = f"it has #1 to #{last}" if last else "it has no frames"
    name = os.path.basename(recording.path)
    return TapError(f"there is no frame #{number} in {name}: {others}", USAGE)


def selection_of(portion: Portion, recording: Recording, session_id: int) -> Selection:
    """Return what the portion selects of a session; TapError where there is no such frame."""
    low, high = portion.since_ns or 0, portion.until_ns if portion.until_ns is not None else LAST
    terms, values = ["f.last_ns BETWEEN ? AND ?"], [low, high]
    numbers: tuple[int, int] | None = None
    if portion.around is not None:
        first, last = numbers = (portion.around - AROUND, portion.around + AROUND)
        middle = recording.find_told(session_id, portion.around)
        if middle is None:
            raise no_frame(recording, portion.around)
        terms.append("f.number BETWEEN ? AND ?")
        values += [first, last]
        before = recording.find_told(session_id, max(first, 1)) or middle
        after = recording.find_told(session_id, last)
        low = max(low, before.frame.last_ns)
        high = min(high, LAST if after is None else after.frame.last_ns)
    return Selection(" AND ".join(terms), tuple(values), (low, high), numbers)
