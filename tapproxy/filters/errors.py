"""What is told of a filter that cannot be read: one line that names the place."""

from collections.abc import Iterable

from tapproxy.errors import USAGE, TapError

MOST_AROUND = 40
"""Characters of the filter that are told before and after the place."""


class FilterError(TapError):
    """A filter is wrong; `column` counts characters from 1, `length` those that are meant."""

    def __init__(self, reason: str, column: int, length: int = 1) -> None:
        super().__init__(f"filter, column {column}: {reason}", USAGE)
        self.column = column
        self.length = length

    def told(self, text: str) -> str:
        """Return the message, and the filter that was read, in which [ ] marks the place.

        Where all of the filter is meant, that says nothing more.
        """
        start = self.column - 1
        before, after = text[:start], text[start + self.length :]
        if not before and not after:
            return str(self)
        if len(before) > MOST_AROUND:
            before = f"…{before[-MOST_AROUND:]}"
        if len(after) > MOST_AROUND:
            after = f"{after[:MOST_AROUND]}…"
        return f"{self} (here: {before}[{text[start : start + self.length]}]{after})"


def meant(word: str, choices: Iterable[str]) -> str:
    """Guess which of the choices a wrong word meant; say all of them where none is close."""
    choices = list(choices)
    from difflib import get_close_matches

    close = get_close_matches(word, choices, 1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(choices)}"
