"""What is wrapped and on no list: its folder was moved, or the list is damaged or gone."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tapproxy.calls import tap
from tests.tapproxy.wrap.plugins import lasting
from tests.tapproxy.wrap.small import installed, refused, said

Bent = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize("program", ["one/one", "one/bin/one", "one/main", "one/whatever"])
def test_a_folder_that_was_renamed_is_unwrapped_where_it_is(folder: Path, program: str) -> None:
    installed(folder / program)
    before = [it.relative_to(folder / "one") for it in (folder / "one").rglob("*")]
    tap("wrap", str(folder / "one"), "--off", "--no-native")
    (folder / "one").rename(folder / "two")
    launcher = folder / "two" / ("main" if program == "one/whatever" else Path(program[4:]))
    assert said(launcher) == "said it\n"
    reason = (
        f"{launcher} is a launcher of tap that is not on your list: it was moved, or somebody else "
        f"has put it there; `tap unwrap --force {launcher}` takes it out all the same"
    )
    assert refused("unwrap", str(folder / "two")) == reason
    assert said(launcher) == "said it\n"
    found = [it for it in tap("doctor").out.splitlines() if it.startswith("✗")]
    gone = (folder / "one" / launcher.relative_to(folder / "two")).parent
    assert found == [f"✗  {gone} is gone, or was moved, with what is wrapped in it"]
    assert tap("unwrap", "--force", "one").out.endswith(" is gone with its folder, and forgotten\n")
    done = tap("unwrap", "--force", str(folder / "two"))
    assert (done.out, done.err, done.code) == (f"unwrapped {launcher}\n", "", 0)
    assert [it.relative_to(folder / "two") for it in (folder / "two").rglob("*")] == before
    assert said(folder / "two" / program[4:]) == "said it\n"


@pytest.mark.parametrize("link", ["", "../one", "/absolute"])
def test_without_the_list_the_very_file_is_put_back(
    folder: Path, plugin: Path, tmp_path: Path, link: str
) -> None:
    (folder / "beside.txt").write_text("beside")
    if link:
        plugin.rename(tmp_path / "one")
        plugin.symlink_to(link if link.startswith(".") else tmp_path / "one")
    before = lasting(folder)
    tap("wrap", str(plugin), "--off", "--no-native")
    shutil.rmtree(tmp_path / "data/tap/wrapped")
    done = tap("unwrap", "--force", str(plugin))
    assert (done.out, done.err, done.code) == (f"unwrapped {plugin}\n", "", 0)
    assert lasting(folder) == before
    assert tap("wrap").out.startswith("Nothing is wrapped.")


def test_a_program_that_is_no_launcher_is_not_touched(plugin: Path, folder: Path) -> None:
    before = lasting(folder)
    done = tap("unwrap", "--force", str(plugin))
    assert (done.out, done.code) == (f"{plugin} is not wrapped\n", 0)
    assert lasting(folder) == before


BENT: dict[str, Bent] = {
    "empty": lambda _: None,
    "a list": lambda _: [],
    "another thing": lambda _: {"a": 1},
    "of another kind": lambda it: {**it, "kind": "nope"},
    "a kind that is none": lambda it: {**it, "kind": []},
    "of another state": lambda it: {**it, "state": "bogus"},
    "a path that is none": lambda it: {**it, "path": 5},
    "without details": lambda it: {**it, "details": {}},
    "details that are none": lambda it: {**it, "details": 5},
}


@pytest.mark.parametrize("bent", BENT.values(), ids=BENT)
def test_an_entry_that_is_damaged_is_named_and_keeps_no_other_from_being_unwrapped(
    folder: Path, plugin: Path, tmp_path: Path, bent: Bent
) -> None:
    other = installed(folder / "other")
    before = lasting(folder)
    tap("wrap", str(plugin), str(other), "--off", "--no-native")
    (path,) = (tmp_path / "data/tap/wrapped").glob("it-*.json")
    path.write_text(json.dumps(bent(json.loads(path.read_text()))))
    listed = tap("wrap")
    assert (listed.out, listed.code) == (f"lingxi  other  off  {other}\n", 2)
    named = f"tap: cannot read {path}, which says what is wrapped ("
    assert listed.err.startswith(named)
    assert listed.err.endswith(
        "): remove it, and then take out what it was about with `tap unwrap --force PATH`\n"
    )
    assert f"✗  {named[5:]}" in tap("doctor").out
    done = tap("unwrap", "--all")
    assert (done.out, done.err, done.code) == (f"unwrapped {other}\n", listed.err, 2)
    path.unlink()
    assert tap("unwrap", "--force", str(plugin)).code == 0
    assert lasting(folder) == before


def test_an_entry_with_damaged_details_is_told(plugin: Path, tmp_path: Path) -> None:
    tap("wrap", str(plugin), "--off", "--no-native")
    (path,) = (tmp_path / "data/tap/wrapped").glob("it-*.json")
    entry = json.loads(path.read_text())
    path.write_text(json.dumps({**entry, "details": {**entry["details"], "layout": {}}}))
    reason = f"{plugin}: what is on record of it is damaged: "
    assert refused("unwrap", str(plugin)).startswith(reason)
    assert f"✗  {reason}" in tap("doctor").out
    path.unlink()
    assert tap("unwrap", "--force", str(plugin)).code == 0
