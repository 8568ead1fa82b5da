"""`tap ls` lists what there is, and harms nothing."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy_store import locks
from tests.viewers.made import MS, record, session


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make one finished recording, a damaged one, a living one, and two journals."""
    folder = tmp_path / "recordings"
    record(
        str(folder / "20261130-203001-a-1.tap"),
        session(),
        ("in", MS, b"ask\n"),
        ("out", 2 * MS, b"one\n"),
        ("out", 3 * MS, b"two\n"),
    )
    (folder / "20261130-203002-b-2.tap").write_text("something else")
    record(str(folder / "20261130-203003-c-3.tap"), session(duration_ns=None, outcome=None))
    (folder / "20261130-203003-c-3.tap.wire").touch()
    (folder / "20261130-203004-d-4.tap.wire").touch()
    (folder / "20261130-203005-e-5.tap.wire").touch()
    return folder


@pytest.fixture
def living(folder: Path) -> Iterator[Path]:
    """Hold the journals of c and e, as the recorders of living sessions do."""
    held = [os.open(journal, os.O_RDONLY) for journal in folder.glob("*[35].tap.wire")]
    for journal in held:
        locks.hold(journal)
    yield folder
    for journal in held:
        os.close(journal)


def test_recordings_are_listed_newest_first(
    living: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    before = sorted(living.iterdir())
    run_group(["ls"])
    *listed, empty, place = capsys.readouterr().out.splitlines()
    assert (empty, place) == ("", f"  {living}")
    shown = [line.split() for line in listed]
    assert [line[0] for line in shown] == [
        "name",
        "20261130-203005-e-5",
        "20261130-203004-d-4",
        "20261130-203003-c-3",
        "20261130-203002-b-2",
        "20261130-203001-a-1",
    ]
    assert " ".join(shown[1][1:]) == "has only just begun"
    assert " ".join(shown[2][1:]) == "unfinished, will be completed when opened"
    assert "still running" in " ".join(shown[3])
    assert " ".join(shown[4][1:]).startswith("is not a recording")
    assert shown[5][-5:] == ["0", "server.py", "--greet", "'hello", "you'"]
    assert sorted(living.iterdir()) == before


@pytest.mark.usefixtures("living")
def test_programs_get_a_status_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    run_group(["ls", "--json"])
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [it["status"] for it in listed] == [
        "live",
        "unfinished",
        "live",
        "damaged",
        "finished",
    ]
    assert (listed[4]["frames"], listed[4]["bytes"]) == (
        {"in": 1, "out": 2, "err": 0},
        {"in": 4, "out": 8, "err": 0},
    )


def test_an_empty_folder_is_told_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_group(["ls"])
    assert capsys.readouterr().out == (
        f"No recordings in {tmp_path / 'recordings'} yet.\n"
        "Put `tap run --` before a command to record it, or try `tap demo`.\n"
    )
    run_group(["ls", "--json"])
    assert capsys.readouterr().out == ""
