"""A recording in a plugin's place or a host's: which tests fail, and what they are told."""

import pytest

from tests.tapproxy.testing.page import (
    KILLING,
    LASTING,
    REPLAYED,
    TAPE,
    WRONG,
    edit,
    recordings,
    run,
    run_test,
    said_on_page,
)

pytest_plugins = "pytester"


def test_the_tests_of_the_page_pass_as_they_are_copied(page: pytest.Pytester) -> None:
    run(page).assert_outcomes(passed=4)
    assert recordings(page) == ["test_calculator/test_the_sum_is_told.tape"]


def test_a_host_that_asks_for_something_else_fails_its_test_and_is_reported(
    taped: pytest.Pytester,
) -> None:
    edit(taped, "test_calculator.py", "20, 22", "20, 23")
    result = run(taped, "-k", "asks")
    result.assert_outcomes(failed=1, deselected=3)
    result.stdout.fnmatch_lines(["E*KeyError: 'result'", "*- tap replay -*", *said_on_page("miss")])


def test_a_test_that_passes_all_the_same_fails_with_the_report(taped: pytest.Pytester) -> None:
    edit(taped, "calculator.py", '["result"]', '.get("result", 42)')
    edit(taped, "test_calculator.py", "20, 22", "20, 23")
    result = run(taped, "-k", "asks")
    result.assert_outcomes(failed=1, deselected=3)
    title = "_* test_the_host_asks_as_it_did _*"
    result.stdout.fnmatch_lines([title, *said_on_page("miss")], consecutive=True)


def test_a_plugin_that_answers_something_else_fails_its_test_with_the_report(
    taped: pytest.Pytester,
) -> None:
    edit(taped, "adder.py", "sum(", "-1 + sum(")
    result = run(taped, "-k", "plugin")
    result.assert_outcomes(failed=1, deselected=3)
    first, second = said_on_page("changed")
    result.stdout.fnmatch_lines([f"E       Failed: {first}", f"E       {second}"], consecutive=True)


def test_a_stand_in_that_nothing_starts_is_an_error(taped: pytest.Pytester) -> None:
    result = run_test(taped, REPLAYED + "def test(tap_replay):\n    tap_replay(TAPE)\n")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["nothing has started the stand-in for *: is the command line *"])


def test_a_host_that_ends_after_the_test_is_judged_then(taped: pytest.Pytester) -> None:
    code = f"{LASTING}\ndef test(host):\n    host.tell({WRONG!r})\n"
    result = run_test(taped, code)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["_* ERROR at teardown of test _*", *said_on_page("miss")])


def test_a_stand_in_that_still_runs_is_an_error(
    taped: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tapproxy.testing.waiting.PATIENCE_S", 0.0)
    code = f"{LASTING}\ndef test(late_host):\n    late_host.tell({WRONG!r})\n"
    result = run_test(taped, code)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["the stand-in for * still runs *: its host has not closed *"])


def test_a_host_that_starts_its_plugin_twice_gets_one_session_after_the_other(
    page: pytest.Pytester,
) -> None:
    code = """
import sys
from calculator import add

def test(tap_cassette):
    adder = tap_cassette([sys.executable, "adder.py"])
    assert [add(adder, 1, 2), add(adder, 3, 4)] == [3, 7]
"""
    for mode in ("once", "none", "none"):
        run_test(page, code, f"--tap-mode={mode}").assert_outcomes(passed=1)


def test_a_host_that_kills_its_plugin_as_it_did_is_no_difference(page: pytest.Pytester) -> None:
    code = """
def test(tap_cassette):
    assert added(tap_cassette([sys.executable, "adder.py"]), 1, 2) == 3
"""
    for mode in ("once", "none"):
        run_test(page, KILLING + code, f"--tap-mode={mode}").assert_outcomes(passed=1)


def test_a_host_that_kills_its_plugin_as_it_did_not_fails_its_test(taped: pytest.Pytester) -> None:
    code = f"{KILLING}\ndef test(tap_replay):\n    added(tap_replay({TAPE!r}), 20, 22)\n"
    result = run_test(taped, code)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*: exit 0 as recorded, recorder killed now", "see it: tap diff *"]
    )


def test_an_option_that_tap_does_not_have_is_told_where_it_stands(taped: pytest.Pytester) -> None:
    result = run_test(taped, REPLAYED + "def test(tap_replay):\n    tap_replay(TAPE, pase=0)\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E*TypeError: tap replay: No such option '--pase'.*", "test_it.py:4:*"]
    )


def test_a_recording_that_is_not_there_is_told_with_where_it_was_looked_for(
    page: pytest.Pytester,
) -> None:
    result = run_test(page, "def test(tap_host):\n    tap_host('no.tape', ['true'])\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E*FileNotFoundError: no recording no.tape in {page.path}"])


def test_a_plugin_that_cannot_be_started_is_told(taped: pytest.Pytester) -> None:
    result = run_test(taped, REPLAYED + "def test(tap_host):\n    tap_host(TAPE, ['./none'])\n")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*Failed: tap: cannot start *./none*"])
