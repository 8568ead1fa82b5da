"""Cassettes: when they are made, replayed and missed, and what is in them."""

import json
import re

import pytest

from tests.tapproxy.testing.page import TAPE, edit, recordings, run, run_test

pytest_plugins = "pytester"


def test_a_cassette_answers_where_there_is_no_plugin(taped: pytest.Pytester) -> None:
    before = (taped.path / TAPE).read_bytes()
    (taped.path / "adder.py").unlink()
    run(taped, "--tap-mode=none", "-k", "told or asks").assert_outcomes(passed=2, deselected=2)
    assert (taped.path / TAPE).read_bytes() == before


def test_a_cassette_says_nothing_of_the_machine(taped: pytest.Pytester) -> None:
    header = (taped.path / TAPE).read_text().splitlines()[0]
    known = r'"platform": "\w+", "tap_version": "[^"]+", "descriptors": [^/]*'
    assert re.fullmatch(
        r'\{"tape": 1, "name": "[^"]+", "started": "[^"]+", "outcome": "exit 0", '
        rf'"framing": "auto", "facts": \{{"argv": \["python[\d.]*", "adder.py"\], {known}\}}\}}',
        header,
    )


@pytest.mark.parametrize("variable", ["CI", "BUILD_NUMBER"])
def test_in_ci_nothing_is_recorded_and_a_missing_cassette_fails(
    page: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "true")
    result = run(page, "-k", "told")
    result.assert_outcomes(failed=1, deselected=3)
    result.stdout.fnmatch_lines(
        [f"E*no recording {page.path / TAPE}; pytest --tap-mode=once makes it"]
    )
    assert recordings(page) == []


def test_mode_all_makes_a_cassette_anew(taped: pytest.Pytester) -> None:
    edit(taped, "test_calculator.py", "20, 22) == 42", "20, 23) == 43")
    run(taped, "-k", "told", "--tap-mode=all").assert_outcomes(passed=1, deselected=3)
    run(taped, "-k", "told", "--tap-mode=none").assert_outcomes(passed=1, deselected=3)


def test_a_test_that_fails_makes_no_cassette_and_keeps_its_recording(page: pytest.Pytester) -> None:
    edit(page, "test_calculator.py", "== 42", "== 41")
    result = run(page, "-k", "told")
    result.assert_outcomes(failed=1, deselected=3)
    result.stdout.fnmatch_lines(["*- tap record -*", "recorded: *.tap"])
    assert recordings(page) == []


def test_cassettes_are_named_after_class_test_parameters_and_their_own_name(
    page: pytest.Pytester,
) -> None:
    code = """
import sys, pytest
from calculator import add

class TestSums:
    @pytest.mark.parametrize("way", ["a/b", "a:b"])
    def test_it(self, tap_cassette, way):
        for name in (None, "other"):
            add(tap_cassette([sys.executable, "adder.py"], name=name), 1, 2)
"""
    run_test(page, code).assert_outcomes(passed=2)
    assert recordings(page) == [
        "test_it/TestSums.test_it[a%2Fb].other.tape",
        "test_it/TestSums.test_it[a%2Fb].tape",
        "test_it/TestSums.test_it[a%3Ab].other.tape",
        "test_it/TestSums.test_it[a%3Ab].tape",
    ]


def test_a_second_cassette_of_the_same_name_is_refused(page: pytest.Pytester) -> None:
    code = "def test(tap_cassette):\n    tap_cassette(['a'])\n    tap_cassette(['b'])\n"
    result = run_test(page, code)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E*ValueError: *test.tape is in use: name each of a test's cassettes"]
    )


def test_mode_new_makes_a_cassette_where_there_is_none(page: pytest.Pytester) -> None:
    run(page, "-k", "told", "--tap-mode=new").assert_outcomes(passed=1, deselected=3)
    assert recordings(page) == ["test_calculator/test_the_sum_is_told.tape"]


def test_mode_new_plays_what_a_cassette_has_without_the_plugin(taped: pytest.Pytester) -> None:
    before = (taped.path / TAPE).read_bytes()
    (taped.path / "adder.py").unlink()
    run(taped, "-k", "told", "--tap-mode=new").assert_outcomes(passed=1, deselected=3)
    assert (taped.path / TAPE).read_bytes() == before


ONE_MORE = """
import json, subprocess, sys

def test(tap_cassette):
    numbers = {numbers}
    host = subprocess.Popen(
        tap_cassette([sys.executable, "adder.py"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    for number in numbers:
        question = {{"jsonrpc": "2.0", "id": number, "method": "add", "params": [number, 1]}}
        host.stdin.write(json.dumps(question).encode() + b"\\n")
        host.stdin.flush()
        assert json.loads(host.stdout.readline())["result"] == number + 1
    host.communicate()
    {end}
"""


def grown(page: pytest.Pytester, numbers: list[int], mode: str, end: str = "pass") -> list[str]:
    """Run a test that asks for sums, and return its cassette."""
    run_test(page, ONE_MORE.format(numbers=numbers, end=end), f"--tap-mode={mode}")
    return (page.path / "recordings/test_it/test.tape").read_text().splitlines()


def test_mode_new_adds_what_a_cassette_has_no_answer_to(page: pytest.Pytester) -> None:
    before = grown(page, [1, 2], "once")
    after = grown(page, [1, 2, 3], "new")
    added = [it for it in after if it not in before]
    assert [it for it in after if it in before] == before
    said: dict[str, str] = {"in": "", "out": ""}
    for _, stream, text in map(json.loads, added):
        said[stream] += text
    assert said == {
        "in": '{"jsonrpc": "2.0", "id": 3, "method": "add", "params": [3, 1]}\n',
        "out": '{"jsonrpc": "2.0", "id": 3, "result": 4}\n',
    }
    (page.path / "adder.py").unlink()
    code = ONE_MORE.format(numbers=[1, 2, 3], end="pass")
    run_test(page, code, "--tap-mode=none").assert_outcomes(passed=1)


def test_a_test_that_fails_adds_nothing(page: pytest.Pytester) -> None:
    before = grown(page, [1, 2], "once")
    assert grown(page, [1, 2, 3], "new", end="assert not numbers") == before


def test_mode_new_tells_what_a_cassette_has_and_nobody_asks_for_any_more(
    page: pytest.Pytester,
) -> None:
    before = grown(page, [1, 2], "once")
    code = ONE_MORE.format(numbers=[1, 3], end="pass")
    result = run_test(page, code, "--tap-mode=new")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*differs: 1 missing, 1 forwarded, 1 unused*"])
    assert (page.path / "recordings/test_it/test.tape").read_text().splitlines() == before


WORDS = """
import subprocess, sys

def test(tap_cassette):
    command = tap_cassette([sys.executable, "says.py"])
    for word in {words}:
        assert subprocess.check_output([*command, word], text=True) == f"{{[word]}}\\n"
"""


def test_mode_new_adds_the_command_lines_that_a_cassette_does_not_have(
    page: pytest.Pytester,
) -> None:
    (page.path / "says.py").write_text("import sys; print(sys.argv[1:])")
    for words, mode in ((["one"], "once"), (["one", "two"], "new"), (["two", "one"], "none")):
        result = run_test(page, WORDS.format(words=words), f"--tap-mode={mode}")
        result.assert_outcomes(passed=1)
