"""A filter that has been read, ready to be asked in SQL and in Python."""

from dataclasses import dataclass, field

from tapproxy.filters.expressions import ALWAYS, Matches, Sql, Term
from tapproxy.filters.parsing import expression


@dataclass(frozen=True, slots=True)
class Filter:
    """Which frames are meant. Two filters are equal if their canonical spelling is."""

    text: str  # its canonical spelling; empty: all frames
    matches: Matches = field(compare=False)  # tells whether a candidate is meant, alone
    is_complete: bool = field(compare=False)  # whether SQL alone decides
    terms: tuple[Term, ...] = field(compare=False)  # those that occur in it, from left to right
    _sql: Sql = field(compare=False, repr=False)

    def __str__(self) -> str:
        return self.text

    @property
    def keys(self) -> frozenset[str]:
        """The names of the keys that occur in it."""
        return frozenset(term.key for term in self.terms)

    def sql(self) -> tuple[str, list[object]]:
        """Return a condition for WHERE and its parameters, in parentheses where it needs some.

        It is over the aliases f (a row of frames) and m (its row of messages, LEFT JOINed: all
        NULL where there is none). Each row that the filter means fulfils it; where the filter is
        not complete, other rows may too, and `matches` decides. It may be NULL instead of false.
        """
        return self._sql.text, list(self._sql.parameters)


def parse(text: str) -> Filter:
    """Read a filter; an empty one means all frames. FilterError names the place of a mistake."""
    read = expression(text)
    if read is None:
        return Filter("", lambda _: True, is_complete=True, terms=(), _sql=ALWAYS)
    return Filter(
        str(read), read.matcher(), read.is_complete(), tuple(read.terms()), read.sql(ALWAYS)
    )
