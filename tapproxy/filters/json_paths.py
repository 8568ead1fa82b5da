"""Looks into JSON along a path: `params.name`, `result.*.type`, `params.items.0`."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import orjson

from tapproxy.filters.candidate import Candidate
from tapproxy.filters.expressions import Condition
from tapproxy.filters.letters import Word, alternatives, split, wrong
from tapproxy.filters.patterns import Holds, pattern

Step = Callable[[Any], Iterable[Any]]
"""Returns the values to which one step of a path leads; none where there is no such member."""

_STRANGE = "<>!,"
"""Signs of languages that this one is not; as part of a name they are quoted."""

_INDEX = re.compile("[0-9]{1,9}", re.ASCII)


def json_conditions(word: Word) -> list[Condition]:
    """Read `path`, `path=value` or `path=value,value`; FilterError where it is wrong."""
    path, *values = split(word, "=", 1)
    steps = _steps(path, word)
    if not values:
        return [Condition(lambda candidate: any(True for _ in _reached(candidate, steps)))]
    return [_compared(steps, pattern(it).holds()) for it in alternatives(values[0], word)]


def _compared(steps: Sequence[Step], holds: Holds) -> Condition:
    return Condition(lambda candidate: any(map(holds, map(_text, _reached(candidate, steps)))))


def _steps(path: Word, within: Word) -> list[Step]:
    strange = [it for it in path if not it.quoted and it.character in _STRANGE]
    if strange:
        sign = strange[0].character
        raise wrong(
            f"{sign} means nothing in a path; quote it if it is part of a name", (strange[0],)
        )
    parts = split(path, ".")
    if not all(parts):
        raise wrong("a step of the path is missing; write it as in params.name=echo", within)
    return [_step(part) for part in parts]


def _step(part: Word) -> Step:
    wanted = pattern(part)
    return _named(wanted.text) if not wanted.is_glob else _fitting(wanted.holds())


def _named(name: str) -> Step:
    index = int(name) if _INDEX.fullmatch(name) else None

    def step(value: Any) -> Iterable[Any]:
        if isinstance(value, dict):
            return (value[name],) if name in value else ()
        if isinstance(value, list) and index is not None:
            return value[index : index + 1]
        return ()

    return step


def _fitting(holds: Holds) -> Step:
    def step(value: Any) -> Iterable[Any]:
        if isinstance(value, dict):
            return (member for name, member in value.items() if holds(name))
        if isinstance(value, list):
            return (member for index, member in enumerate(value) if holds(str(index)))
        return ()

    return step


def _reached(candidate: Candidate, steps: Sequence[Step]) -> Iterator[Any]:
    """Yield the values at the end of the path; none where the frame is no JSON."""
    decoded = candidate.decoded()
    try:
        values: Iterable[Any] = [orjson.loads(candidate.body() if decoded is None else decoded)]
    except ValueError:
        return
    for step in steps:
        values = chain.from_iterable(map(step, values))
    yield from values


def _text(value: Any) -> str:
    """Return a string as it is, and all else as JSON without spaces."""
    if isinstance(value, str):
        return value
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:  # orjson reads deeper nesting than it writes
        return ""
