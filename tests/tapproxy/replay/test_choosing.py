"""The session that is played: of all that are named, one that fits what the host asks for."""

import os
from pathlib import Path
from typing import Any

import pytest

from tapproxy.commands.replayable import candidates
from tapproxy.errors import USAGE, TapError
from tapproxy.replay.choosing import fitting, next_for_host, numbered
from tests.tapproxy.replay.calls_made import HELLO, folder_of_calls, header, tape, told


@pytest.fixture
def calls(tmp_path: Path) -> str:
    return folder_of_calls(tmp_path)


def test_only_sessions_started_with_the_same_words_fit(calls: str) -> None:
    found = candidates([calls])
    assert told(fitting(found, ["env"])) == [("b.tape", 1), ("a.tape", 1), ("c.tap", 1)]
    assert told(fitting(found, ["list", "--args", '{ "all": true }'])) == [("b.tape", 2)]
    assert fitting(found, []) == found


def test_what_fits_nothing_is_told_with_the_nearest(calls: str) -> None:
    with pytest.raises(TapError) as error:
        fitting(candidates([calls]), ["list", "--args", '{"all":false}'])
    assert (str(error.value), error.value.exit_code) == (
        """no session was started with list --args '{"all":false}'; """
        f"""the nearest is list --args '{{"all":true}}' in {calls}/b.tape: """
        "all was true, now false",
        USAGE,
    )


def test_where_no_command_line_is_on_record_none_is_near(tmp_path: Path) -> None:
    bare = tape(tmp_path / "bare.tape", '{"tape":1}', HELLO)
    with pytest.raises(TapError, match=r"^no session was started with env: no recorded command"):
        fitting(candidates([bare]), ["env"])


def test_a_long_command_line_is_cut(calls: str) -> None:
    with pytest.raises(TapError) as error:
        fitting(candidates([calls]), ["env", "x" * 1000])
    assert f"with env {'x' * 195}…; the nearest is env in" in str(error.value)


def test_a_number_counts_among_those_that_fit(calls: str) -> None:
    fit = fitting(candidates([calls]), ["env"])
    assert numbered(fit, 2) == fit[1]
    with pytest.raises(TapError, match=r"^--session 4: there are 3$"):
        numbered(fit, 4)
    with pytest.raises(TapError, match=r"^--session 2: there is one$"):
        numbered(fit[:1], 2)


def test_a_host_gets_the_next_of_those_that_fit_and_then_the_last_again(
    calls: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    found = candidates([calls])
    env, alone = fitting(found, ["env"]), found[1:2]
    assert [next_for_host(found, env) for _ in range(4)] == [
        (env[0], True),
        (env[1], True),
        (env[2], True),
        (env[2], False),
    ]
    assert [next_for_host(found, alone) for _ in range(2)] == [(alone[0], True)] * 2


def test_argv_that_is_bytes_is_spelled_as_the_system_does(tmp_path: Path) -> None:
    path = tape(tmp_path / "b.tape", header("xlings", {"base64": "/2E="}), HELLO)
    (found,) = candidates([path])
    assert found.argv == ["xlings", os.fsdecode(b"\xffa")]


@pytest.mark.parametrize("argv", [[1], ["x", {"base64": "?"}], [""], ["a", "b\0"], [None, "x"]])
def test_argv_that_is_no_text_is_none(argv: list[Any], tmp_path: Path) -> None:
    (found,) = candidates([tape(tmp_path / "b.tape", header(*argv), HELLO)])
    assert (found.argv, found.started.words) == ([], ())
