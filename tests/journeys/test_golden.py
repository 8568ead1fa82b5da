"""A whole story for every dialect: recorded sessions, and what a person reads of each."""

from pathlib import Path

import pytest

from tapproxy.dialects.registry import OURS
from tests.dialect_fixtures.golden import drawn, golden_of, tapes
from tests.dialect_fixtures.recorded import FIXTURES


@pytest.mark.parametrize("tape", tapes(), ids=lambda it: f"{it.parent.name}-{it.stem}")
def test_a_session_is_drawn_as_it_was(tape: Path) -> None:
    assert drawn(tape) == golden_of(tape).read_text()


def test_each_dialect_has_a_session_that_it_recognises() -> None:
    recognised = {it: golden_of(it).read_text().split("\n  ")[2].split()[0] for it in tapes()}
    assert recognised == {it: it.parent.name for it in tapes()}
    assert set(recognised.values()) == {it.name for it in OURS}


def test_no_drawing_is_left_of_a_tape_that_is_gone() -> None:
    assert sorted(FIXTURES.glob("*/*.txt")) == [golden_of(it) for it in tapes()]
