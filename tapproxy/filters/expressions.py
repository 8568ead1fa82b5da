"""What a filter says, as a tree: conditions joined by and, or and not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple, Protocol

from tapproxy.filters.candidate import Candidate

Matches = Callable[[Candidate], bool]
"""Tells whether a candidate is meant."""


Operator = Literal["and", "or"]


class Sql(NamedTuple):
    """A condition over the aliases f (frames) and m (messages), and its parameters.

    NULL is as good as false; `Not` makes it so under a negation too.
    """

    text: str
    parameters: tuple[object, ...] = ()


ALWAYS = Sql("1")
NEVER = Sql("0")


class Condition(NamedTuple):
    """What one value of one key asks for."""

    matches: Matches
    sql: Sql | None = None  # None: only the bytes tell, SQL cannot


class Expression(Protocol):
    """A part of a filter; its `str` is its canonical spelling."""

    def terms(self) -> Iterator["Term"]:
        """Yield the terms that occur in it, from left to right."""
        ...

    def is_complete(self) -> bool:
        """Tell whether SQL can decide it all."""
        ...

    def sql(self, unknown: Sql) -> Sql:
        """Return it with `unknown` (ALWAYS or NEVER) for what SQL cannot decide."""
        ...

    def matcher(self) -> Matches:
        """Return the function that decides it."""
        ...


@dataclass(frozen=True, slots=True)
class Term:
    """`key:value`, or `key:value,value` for any of several."""

    key: str
    value: str  # as a filter has it
    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return f"{self.key}:{self.value}"

    def terms(self) -> Iterator["Term"]:
        """Yield itself."""
        yield self

    def is_complete(self) -> bool:
        """Tell whether SQL can decide each of the values."""
        return all(condition.sql is not None for condition in self.conditions)

    def sql(self, unknown: Sql) -> Sql:
        """Return the condition that one of the values is met."""
        return _sql_joined([it.sql or unknown for it in self.conditions], "or")

    def matcher(self) -> Matches:
        """Return the function that tells whether one of the values is met."""
        return _joined([condition.matches for condition in self.conditions], "or")


@dataclass(frozen=True, slots=True)
class Not:
    """What the other part does not mean."""

    part: Expression

    def __str__(self) -> str:
        return f"not ({self.part})" if isinstance(self.part, Joined) else f"not {self.part}"

    def terms(self) -> Iterator[Term]:
        """Yield the part's terms."""
        return self.part.terms()

    def is_complete(self) -> bool:
        """Tell whether SQL can decide the part."""
        return self.part.is_complete()

    def sql(self, unknown: Sql) -> Sql:
        """Return the opposite; what is unknown in it is the opposite too."""
        text, parameters = self.part.sql(NEVER if unknown is ALWAYS else ALWAYS)
        return Sql(f"({text}) IS NOT TRUE", parameters)

    def matcher(self) -> Matches:
        """Return the opposite of the part's function."""
        matches = self.part.matcher()
        return lambda candidate: not matches(candidate)


@dataclass(frozen=True, slots=True)
class Joined:
    """Two parts or more, of which all or any hold. No part is joined in the same way itself."""

    operator: Operator
    parts: tuple[Expression, ...]

    def __str__(self) -> str:
        if self.operator == "or":
            return " or ".join(map(str, self.parts))
        return " ".join(f"({it})" if isinstance(it, Joined) else str(it) for it in self.parts)

    def terms(self) -> Iterator[Term]:
        """Yield the parts' terms."""
        return chain.from_iterable(part.terms() for part in self.parts)

    def is_complete(self) -> bool:
        """Tell whether SQL can decide each part."""
        return all(part.is_complete() for part in self.parts)

    def sql(self, unknown: Sql) -> Sql:
        """Return the condition that all or any parts hold."""
        return _sql_joined([part.sql(unknown) for part in self.parts], self.operator)

    def matcher(self) -> Matches:
        """Return the function that tells whether all or any parts hold."""
        return _joined([part.matcher() for part in self.parts], self.operator)


def joined(parts: Sequence[Expression], operator: Operator) -> Expression:
    """Return the parts as one; a single one is that itself."""
    if len(parts) == 1:
        return parts[0]
    flat: list[Expression] = []
    for part in parts:
        if isinstance(part, Joined) and part.operator == operator:
            flat += part.parts
        else:
            flat.append(part)
    return Joined(operator, tuple(flat))


def negated(part: Expression) -> Expression:
    """Return the opposite; of an opposite, what it was made of."""
    return part.part if isinstance(part, Not) else Not(part)


def _sql_joined(parts: Sequence[Sql], operator: Operator) -> Sql:
    """Join in one row: SQLite's parser bears many in a row, and few parentheses in another."""
    if len(parts) == 1:
        return parts[0]
    text = f" {operator.upper()} ".join(part.text for part in parts)
    return Sql(f"({text})", tuple(chain.from_iterable(part.parameters for part in parts)))


def _joined(tests: Sequence[Matches], operator: Operator) -> Matches:
    """Join by halves: calls within calls stay few, and each costs less than a step of a loop."""
    if len(tests) == 1:
        return tests[0]
    middle = len(tests) // 2
    first, second = _joined(tests[:middle], operator), _joined(tests[middle:], operator)
    if operator == "or":
        return lambda candidate: first(candidate) or second(candidate)
    return lambda candidate: first(candidate) and second(candidate)
