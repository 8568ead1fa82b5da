"""The command as a user meets it: help, and one line with an exit code for what is wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tapproxy import __version__
from tests.tapproxy.calls import Said, said, tap
from tests.viewers.made import MS, record, session


@pytest.fixture(autouse=True)
def _usual_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what the user has really recorded out of the messages."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def folder() -> str:
    """Give the user's folder, with three recordings."""
    path = os.environ["TAP_DIR"]
    for name in ("20261130-203005-alpha-1", "20261130-203006-beta-2", "20261201-080000-beta-3"):
        record(os.path.join(path, f"{name}.tap"), session(), ("in", MS, b"ask\n"))
    return path


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_names_every_command(option: str) -> None:
    answer = tap(option)
    commands = [line.split()[0] for line in answer.out.split("Commands:\n")[1].splitlines()[:16]]
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("Usage: tap [OPTIONS] COMMAND [ARGS]...\n")
    assert commands == [
        "run", "ls", "show", "tail", "stats", "diff", "replay", "wrap", "unwrap", "doctor",
        "redact", "export", "import", "index", "rm", "demo",
    ]  # fmt: skip


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version_is_told(option: str) -> None:
    assert tap(option) == Said(0, f"tap {__version__}\n", "")


def test_tap_alone_shows_the_help_and_is_no_success() -> None:
    assert tap() == Said(2, tap("--help").out, "")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "nonsense",
            "No such command 'nonsense'; there are run, ls, show, tail, stats, diff, replay, "
            "wrap, unwrap, doctor, redact, export, import, index, rm, demo (see `tap --help`)",
        ),
        ("-z", "No such option '-z' (see `tap --help`)"),
        ("show -z", "No such option '-z' (see `tap show --help`)"),
        ("run -z x", "No such option '-z' (see `tap run --help`)"),
        ("run -o", "Option '-o' requires an argument (see `tap run --help`)"),
        ("run", "name the command to run: `tap run -- COMMAND` (see `tap run --help`)"),
        ("run -o a.tap --", "name the command to run: `tap run -- COMMAND` (see `tap run --help`)"),
        ("demo x", "Got unexpected extra argument (x) (see `tap demo --help`)"),
        (
            "show nosuch",
            "no recording nosuch: no file of that name here, and nothing in {folder} begins so; "
            "`tap ls` lists what there is",
        ),
        (
            "index nosuch",
            "no recording nosuch: no file of that name here, and nothing in {folder} begins so; "
            "`tap ls` lists what there is",
        ),
        ("show last~9", "no recording last~9: {folder} has 3, up to last~2"),
        (
            "index 20261130",
            "20261130 may be any of 20261130-203006-beta-2, 20261130-203005-alpha-1; "
            "type more of the name",
        ),
        ("show ./nosuch.tap", "no file ./nosuch.tap; `tap ls` lists the recordings"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder: str, line: str, message: str) -> None:
    assert tap(*line.split()) == Said(2, "", f"tap: {message.format(folder=folder)}\n")


def test_where_nothing_is_recorded_yet_it_is_said_how_to_begin() -> None:
    folder = os.environ["TAP_DIR"]
    expected = (
        f"tap: no recordings in {folder} yet; `tap run -- COMMAND` makes one, `tap demo` too; "
        "what -o FILE wrote is shown by `tap show FILE`\n"
    )
    assert tap("show") == Said(2, "", expected)


def test_a_place_that_cannot_be_written_is_no_usage_error(tmp_path: Path) -> None:
    place = str(tmp_path / ("x" * 300) / "a.tap")
    answer = tap("run", "-o", place, "--on-record-error", "stop", "--", "never-started")
    expected = (
        f"tap: cannot record to {place} (File name too long); "
        "choose another place with -o FILE or TAP_DIR\n"
    )
    assert answer == Said(3, "", expected)


def main_with(patch: str) -> list[str]:
    """Return a command that runs tap after a change to it."""
    code = f"""
import sys
import tapproxy.commands.group as group
def fail(error):
    raise error
{patch}
sys.argv = ["tap", "ls"]
from tapproxy.cli import main
main()
"""
    return [sys.executable, "-c", code]


def test_what_nobody_foresaw_is_one_line_and_no_traceback() -> None:
    answer = said(main_with("group.run_group = lambda _: fail(ValueError('caf\\u00e9 \\udcff'))"))
    expected = (
        "tap: internal error, ValueError: café \\udcff (set TAP_DEBUG=1 for the whole story)\n"
    )
    assert answer == Said(1, "", expected)


def test_what_nobody_foresaw_is_told_in_full_when_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TAP_DEBUG", "1")
    answer = said(main_with("group.run_group = lambda _: fail(ValueError('so'))"))
    lines = answer.err.splitlines()
    assert (answer.code, lines[0], lines[-2:]) == (
        1,
        "Traceback (most recent call last):",
        [
            "ValueError: so",
            "tap: internal error, ValueError: so (set TAP_DEBUG=1 for the whole story)",
        ],
    )


def test_a_ctrl_c_ends_it_without_a_word() -> None:
    assert said(main_with("group.run_group = lambda _: fail(KeyboardInterrupt())")) == Said(
        130, "", ""
    )


def test_nothing_that_takes_long_is_imported_before_the_first_byte() -> None:
    code = """
import sys
import tapproxy.wire.session as session
from tapproxy.cli import main
heavy = ("click", "rich", "sqlite3", "sqlite_utils", "anyio", "orjson", "dataclasses", "pathlib")
sys.argv = ["tap", "run", "-o", "x.tap", "--name", "n", "--", "plugin"]
session.run = lambda order: sys.exit(repr(sorted(set(heavy) & set(sys.modules))))
main()
"""
    result = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, check=False, timeout=30
    )
    assert result.stderr == b"[]\n"
