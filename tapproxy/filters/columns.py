"""Keys that look at one column of the tables `frames` and `messages`."""

from collections.abc import Callable
from operator import attrgetter

from tapproxy.filters.candidate import Candidate
from tapproxy.filters.expressions import Condition, Matches, Sql
from tapproxy.filters.letters import Word, named, plain, wrong
from tapproxy.filters.patterns import stored_pattern
from tapproxy.filters.quantities import Scale
from tapproxy.filters.ranges import number_range

SPEAKERS = {
    "host": "in",
    "plugin": "out",
    "client": "in",
    "server": "out",
    "in": "in",
    "out": "out",
}
"""Who speaks on which stream; what is on stderr is said to neither side."""

STREAMS = {"in": "in", "out": "out", "err": "err"}

Read = Callable[[Word], Condition]
"""Makes a condition of one value; FilterError where it is none."""


def message_text(name: str) -> Read:
    """Return the reader for a column of `messages` that holds text."""

    def read(word: Word) -> Condition:
        wanted = stored_pattern(word)
        return Condition(_of_message(name, wanted.holds()), Sql(*wanted.sql(f"m.{name}")))

    return read


def message_id(word: Word) -> Condition:
    """Read an id: its JSON text, or for a string what stands between its quotes."""
    wanted = stored_pattern(word)
    in_quotes = wanted.in_json_quotes()
    alone, quoted = wanted.holds(), in_quotes.holds()
    (either, first), (other, second) = wanted.sql("m.id"), in_quotes.sql("m.id")
    return Condition(
        _of_message("id", lambda text: alone(text) or quoted(text)),
        Sql(f"({either} OR {other})", first + second),
    )


def message_number(name: str, scale: Scale) -> Read:
    """Return the reader for a column of `messages` that holds numbers."""

    def read(word: Word) -> Condition:
        wanted = number_range(word, scale)
        return Condition(_of_message(name, wanted.holds()), Sql(*wanted.sql(f"m.{name}")))

    return read


def frame_number(value: str, expression: str, scale: Scale) -> Read:
    """Return the reader for a number of `frames`: an attribute, and the same in SQL."""
    get = attrgetter(value)

    def read(word: Word) -> Condition:
        wanted = number_range(word, scale)
        holds = wanted.holds()
        return Condition(
            lambda candidate: holds(get(candidate.frame)), Sql(*wanted.sql(expression))
        )

    return read


def gap(scale: Scale) -> Read:
    """Return the reader for the time since the frame before, which no column holds."""

    def read(word: Word) -> Condition:
        holds = number_range(word, scale).holds()

        def matches(candidate: Candidate) -> bool:
            value = candidate.gap_ns
            return value is not None and holds(value)

        return Condition(matches)

    return read


def stream(choices: dict[str, str], wanted: str) -> Read:
    """Return the reader for words that name a stream; `wanted` says which there are."""

    def read(word: Word) -> Condition:
        name = choices.get(plain(word))
        if name is None:
            raise wrong(f"{named(word)} is not known here; {wanted}", word)
        return Condition(
            lambda candidate: candidate.frame.stream == name, Sql("f.stream = ?", (name,))
        )

    return read


def _of_message(name: str, holds: Callable[..., bool]) -> Matches:
    get = attrgetter(name)

    def matches(candidate: Candidate) -> bool:
        message = candidate.message
        if message is None:
            return False
        value = get(message)
        return value is not None and holds(value)

    return matches
