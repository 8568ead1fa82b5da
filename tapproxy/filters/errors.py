"""What is told of a filter that cannot be read: one line that names the place."""

from collections.abc import Iterable
from difflib import get_close_matches

from tapproxy.errors import USAGE, TapError
from tapproxy_viewers.cells import width_of
from tapproxy_viewers.visible import shown


class FilterError(TapError):
    """A filter is wrong; `column` counts characters from 1, `length` those that are meant."""

    def __init__(self, reason: str, column: int, length: int = 1) -> None:
        super().__init__(f"filter, column {column}: {reason}", USAGE)
        self.column = column
        self.length = length

    def pointing(self, text: str) -> str:
        """Return the filter that was read, and below it a line that points at the place."""
        start = self.column - 1
        before, meant = shown(text[:start]), shown(text[start : start + self.length])
        return f"{shown(text)}\n{' ' * width_of(before)}{'^' * max(width_of(meant), 1)}"


def meant(word: str, choices: Iterable[str]) -> str:
    """Guess which of the choices a wrong word meant; say all of them where none is close."""
    choices = list(choices)
    close = get_close_matches(word, choices, 1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(choices)}"
