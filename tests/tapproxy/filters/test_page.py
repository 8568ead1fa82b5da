"""The page about filters tells what there is, and its examples are filters."""

import re
from pathlib import Path

import pytest

from tapproxy.filters import KEYS, FilterError, parse
from tapproxy.filters.quantities import SIZE, TIME

PAGE = (Path(__file__).resolve().parents[3] / "docs/filters.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?ms)^```filter\n(.*?)^```$", PAGE)
SPOKEN = re.findall(r"`'?((?:not )?(?:KEY):[^`]+?)'?`".replace("KEY", "|".join(KEYS)), PAGE)


def rows_of(heading: str) -> list[list[str]]:
    section = re.split(r"(?m)^## ", PAGE.partition(f"\n## {heading}\n")[2])[0]
    table = re.findall(r"(?m)^\| (.*) \|$", section)
    return [row.split(" | ") for row in table[1:]]


ERRORS = rows_of("Errors")
EXAMPLES = [line for block in BLOCKS for line in block.splitlines()] + [
    text for text in SPOKEN if f"`{text}`" not in [filter_ for filter_, _ in ERRORS]
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_of_the_page_is_a_filter_in_its_canonical_spelling(text: str) -> None:
    assert str(parse(text)) == text


def test_the_table_has_every_key_with_its_example_and_no_other() -> None:
    told = [(key.strip("`"), example.strip("`")) for key, _, example in rows_of("Keys")]
    assert told == [(key.name, key.example) for key in KEYS.values()]


def test_the_table_has_every_unit_and_no_other() -> None:
    told = [set(re.findall(r"`(\w+)`", units)) for _, units in rows_of("Quantities")]
    assert told == [{*TIME.units, "µs"}, {*SIZE.units}, set()]


@pytest.mark.parametrize(("text", "error"), ERRORS)
def test_the_errors_are_what_is_said(text: str, error: str) -> None:
    filter_ = text.strip("`")
    with pytest.raises(FilterError) as caught:
        parse(filter_)
    assert caught.value.told(filter_) == error
