"""Reads a filter: terms joined by space (and), `or`, `not` and parentheses."""

from tapproxy.filters.bodies import ESCAPED
from tapproxy.filters.errors import FilterError
from tapproxy.filters.expressions import Expression, joined, negated
from tapproxy.filters.letters import Word, is_quoted, plain, words, wrong
from tapproxy.filters.terms import term

MOST_CHARACTERS = 10_000
"""SQLite takes globs of up to 50,000 bytes."""

MOST_VALUES = 500
"""SQLite's expressions may be 1,000 deep, and a row of terms is as deep as it is long."""

MOST_NESTED = 10
"""SQLite's parser has room for 100 open things; each parenthesis of ours takes up to five."""


def expression(text: str) -> Expression | None:
    """Return what the filter says, None for an empty one; FilterError where it is wrong."""
    if len(text) > MOST_CHARACTERS:
        raise FilterError(f"a filter has at most {MOST_CHARACTERS} characters", MOST_CHARACTERS + 1)
    _check_encoding(text)
    read = list(words(text))
    return _Parser(read).whole() if read else None


def _check_encoding(text: str) -> None:
    """Raise FilterError for half a character; a byte as Python hands it on is none."""
    try:
        text.encode(errors=ESCAPED)
    except UnicodeEncodeError as error:
        raise FilterError("half a character", error.start + 1) from error


class _Parser:
    """Goes through the words once; each method reads one rule of the grammar.

    `after` is the word that wants something behind it: an operator or an opening parenthesis.
    """

    def __init__(self, read: list[Word]) -> None:
        self._words = read
        self._at = 0
        self._open = 0
        self._values = 0

    def whole(self) -> Expression:
        """Read all words."""
        read = self._either(None)
        if self._at < len(self._words):
            raise wrong(") closes nothing", self._words[self._at])
        return read

    def _either(self, after: Word | None) -> Expression:
        parts = [self._both(after)]
        while word := self._taken("or"):
            parts.append(self._both(word))
        return joined(parts, "or")

    def _both(self, after: Word | None) -> Expression:
        parts = [self._single(after)]
        while self._sign() not in ("or", ")", None):
            parts.append(self._single(self._taken("and")))
        return joined(parts, "and")

    def _single(self, after: Word | None) -> Expression:
        is_negated = False
        while word := self._taken("not"):
            is_negated, after = not is_negated, word
        self._check_operand(after)
        opening = self._taken("(")
        read = self._grouped(opening) if opening else self._term()
        return negated(read) if is_negated else read

    def _check_operand(self, after: Word | None) -> None:
        sign = self._sign()
        if sign in ("or", "and"):
            raise wrong(f"nothing stands before {sign}", self._words[self._at])
        if sign == ")" and after is None:
            raise wrong(") closes nothing", self._words[self._at])
        if sign == ")" and after is not None and plain(after) == "(":
            raise wrong("nothing stands in ( ); a value with parentheses needs quotes", after)
        if sign in (")", None) and after is not None:
            raise wrong(f"nothing follows {plain(after)}", after)

    def _grouped(self, opening: Word) -> Expression:
        self._open += 1
        if self._open > MOST_NESTED:
            raise wrong(f"at most {MOST_NESTED} parentheses may be open", opening)
        read = self._either(opening)
        if not self._taken(")"):
            raise wrong("( is not closed", opening)
        self._open -= 1
        return read

    def _term(self) -> Expression:
        word = self._words[self._at]
        before = self._words[self._at - 1] if self._at else ()
        self._at += 1
        read = term(word, before)
        self._values += len(read.conditions)
        if self._values > MOST_VALUES:
            raise wrong(f"a filter has at most {MOST_VALUES} values", word)
        return read

    def _sign(self) -> str | None:
        """Return the next word if it is unquoted, in lower case, without taking it."""
        if self._at == len(self._words):
            return None
        word = self._words[self._at]
        return "" if is_quoted(word) else plain(word).lower()

    def _taken(self, sign: str) -> Word | None:
        """Take the next word if it is that sign."""
        if self._sign() != sign:
            return None
        self._at += 1
        return self._words[self._at - 1]
