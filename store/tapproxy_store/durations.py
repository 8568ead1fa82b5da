"""Many durations in little memory: their number, sum and largest, and their percentiles."""

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

MOST_EXACT = 20_000
"""So many are kept as they are; more, to a thousandth of each, so that memory stays flat."""

BITS = 11
"""Leading binary digits that are kept of each then: it loses less than a thousandth."""


@dataclass(slots=True)
class Durations:
    """Grows while they are read; all in nanoseconds."""

    count: int = 0
    total_ns: int = 0
    max_ns: int = 0
    _exact: "array[int]" = field(default_factory=lambda: array("q"))
    _rounded: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, durations_ns: Iterable[int]) -> "Durations":
        """Return these."""
        durations = cls()
        durations.extend(durations_ns)
        return durations

    def extend(self, durations_ns: Iterable[int]) -> None:
        """Add more."""
        more = array("q", durations_ns)
        if not more:
            return
        self.count += len(more)
        self.total_ns += sum(more)
        self.max_ns = max(self.max_ns, *more)
        if not self._rounded:
            self._exact += more
            if len(self._exact) <= MOST_EXACT:
                return
            more, self._exact = self._exact, array("q")
        self._rounded.update(map(_rounded, more))

    def add(self, other: "Durations") -> None:
        """Add all of the others."""
        exact, rounded = other._exact, other._rounded  # noqa: SLF001  one of ours
        if rounded:
            self._rounded.update(map(_rounded, self._exact))
            self._exact = array("q")
            self._rounded.update(rounded)
            self.count += other.count
            self.total_ns += other.total_ns
            self.max_ns = max(self.max_ns, other.max_ns)
        self.extend(exact)

    def percentile(self, percent: int) -> int:
        """Return the smallest that so many percent of all do not exceed; there must be some."""
        rank = -(-self.count * percent // 100)
        if not self._rounded:
            return sorted(self._exact)[rank - 1]
        for duration_ns, times in sorted(self._rounded.items()):
            rank -= times
            if rank <= 0:
                return duration_ns
        return self.max_ns


def _rounded(duration_ns: int) -> int:
    spare = duration_ns.bit_length() - BITS
    return duration_ns >> spare << spare if spare > 0 else duration_ns
