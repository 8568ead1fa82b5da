"""What `tap_record` keeps, and when."""

import re

import pytest

from tapproxy.opening import opened
from tests.tapproxy.testing.page import ANSWER, QUESTION, edit, run

pytest_plugins = "pytester"


def test_a_recording_is_kept_where_the_test_fails_and_told(page: pytest.Pytester) -> None:
    edit(page, "test_calculator.py", "== 3", "== 4")
    result = run(page, "-k", "record")
    result.assert_outcomes(failed=1, deselected=3)
    path = re.search(r"(?m)^see it: tap show (.+)$", result.stdout.str())
    assert path is not None
    with opened(path[1]) as recording:
        assert recording.counts(1).bytes == {"in": len(QUESTION), "out": len(ANSWER), "err": 0}


@pytest.mark.parametrize(("option", "kept"), [((), 0), (("--tap-keep",), 1)])
def test_a_recording_is_removed_where_the_test_passes_unless_it_is_to_be_kept(
    page: pytest.Pytester, option: tuple[str, ...], kept: int
) -> None:
    run(page, "-k", "record", "--basetemp=temp", *option).assert_outcomes(passed=1, deselected=3)
    assert len(list(page.path.glob("temp/tap-record0/*"))) == kept
