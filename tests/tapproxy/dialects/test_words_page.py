"""The page of words has every flag that a dialect can set, and no sentence that none says."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tapproxy_viewers.timeline import REMARKS
from tests.tapproxy.dialects.flag_words import flag_words, nodes

PAGE = (Path(__file__).parents[3] / "docs" / "words.md").read_text(encoding="utf-8")

SIGN = "✗"
"""The sign of what failed stands in the place of a sentence."""


def cells(head: str, column: int) -> Iterator[str]:
    """Yield what is in code in one column of the tables whose first column has that head."""
    for table in re.findall(rf"(?m)^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE):
        for row in table.splitlines():
            yield from re.findall(r"`([^`]+)`", row.split(" | ")[column])


TEXTS = "\n".join(str(it.value) for it in nodes() if isinstance(it, ast.Constant))
"""All texts in the dialects' source."""

LEAST_FIXED = 8
"""Characters of a sentence that are always the same, for it to be told by them."""


def pattern(sentence: ast.JoinedStr) -> str:
    """Return an expression for what an f-string can say; "" where that is nearly anything."""
    fixed = [it.value if isinstance(it, ast.Constant) else None for it in sentence.values]
    if sum(len(str(it)) for it in fixed if it is not None) < LEAST_FIXED:
        return ""
    return "".join(".+" if it is None else re.escape(str(it)) for it in fixed)


PATTERNS = [pattern(it) for it in nodes() if isinstance(it, ast.JoinedStr)]


def is_said(sentence: str) -> bool:
    """Tell whether a dialect says so: in an f-string, or all that is between what differs."""
    if any(re.fullmatch(it, sentence) for it in PATTERNS):
        return True
    return all(piece.strip(" :") in TEXTS for piece in sentence.split("…"))


def test_every_flag_that_a_dialect_can_set_is_on_the_page_and_no_other() -> None:
    assert set(cells("flag", 0)) == flag_words()


def test_what_the_page_quotes_is_what_dialects_say() -> None:
    quoted = (
        {*cells("flag", 1), *cells("trait", 0)} - {SIGN} - {f"({it})" for it in REMARKS.values()}
    )
    assert {it for it in quoted if not is_said(it)} == set()
    assert not is_said("… no sentence of any dialect: …")
