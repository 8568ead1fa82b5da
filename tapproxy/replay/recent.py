"""Remembers when the latest of many items was done."""


class Recent:
    """A mapping from numbers to instants that forgets the oldest: memory stays flat.

    In two halves, of which the older is dropped as a whole: an OrderedDict takes three times as
    much memory, and longer.
    """

    __slots__ = ("_half", "_newer", "_older")

    def __init__(self, least: int) -> None:
        """`least`: so many are remembered at least, twice as many at most."""
        self._half = least
        self._newer: dict[int, int] = {}
        self._older: dict[int, int] = {}

    def note(self, number: int, t_ns: int) -> None:
        """Remember one."""
        self._newer[number] = t_ns
        if len(self._newer) > self._half:
            self._older, self._newer = self._newer, {}

    def find(self, number: int) -> int | None:
        """Return when it was; None where it is forgotten, or never was."""
        found = self._newer.get(number)
        return self._older.get(number) if found is None else found
