"""What has changed since it was wrapped: updates, removals, what a plugin makes beside itself."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.tapproxy.calls import Said, tap
from tests.tapproxy.wrap.acts import Desk, Dying, dies
from tests.tapproxy.wrap.plugins import lasting
from tests.tapproxy.wrap.small import SAYS, installed, refused, said


def test_an_update_over_the_launcher_is_recognised_and_wrapped_again(
    plugin: Path, tmp_path: Path
) -> None:
    tap("wrap", str(plugin), "--off", "--no-native")
    new = installed(tmp_path / "new", SAYS.replace("said", "said by the update"))
    new.rename(plugin)
    text = (
        f"{plugin} is another program now (an update?): `tap wrap {plugin}` wraps it again, "
        f"`tap unwrap --force {plugin}` leaves it as it is, and takes away what tap has put "
        "beside it"
    )
    assert refused("unwrap", "it") == text
    kept = tmp_path / "data/tap/replaced/it"
    assert tap("wrap", str(plugin)).out.splitlines() == [
        f"{plugin} is another program than the one that was wrapped (an update?)",
        f"kept the program that was wrapped: {kept}",
        f"wrapped {plugin} (off, native launcher)",
    ]
    assert kept.read_text() == SAYS
    assert said(plugin) == "said by the update it\n"
    assert tap("unwrap", str(plugin)).code == 0
    assert said(plugin) == "said by the update it\n"
    assert not (plugin.parent / ".tap").exists()


def test_a_plugin_that_is_gone_is_not_put_back_unasked(plugin: Path, tmp_path: Path) -> None:
    tap("wrap", str(plugin), "--no-native")
    plugin.unlink()
    assert refused("unwrap", "it").startswith(f"{plugin} is gone: ")
    assert refused("wrap", "it") == f"there is no {plugin}"
    assert refused("wrap", "--config", "mcp.json", "--only", "x") == (
        "--only is not for servers in configurations: leave it out"
    )
    assert tap("unwrap", "it", "--force").code == 0
    assert list(plugin.parent.iterdir()) == []
    assert (tmp_path / "data/tap/replaced/it").read_text() == SAYS


def test_an_original_that_has_changed_is_put_back_only_by_force(plugin: Path) -> None:
    tap("wrap", str(plugin), "--no-native")
    original = plugin.parent / ".tap/it/real/it"
    original.write_text(SAYS + "# its own updater was here\n")
    assert refused("unwrap", "it") == (
        f"{original}, the original of {plugin}, has changed since it was wrapped; "
        f"`tap unwrap --force {plugin}` puts it back as it is now"
    )
    assert tap("unwrap", "--force", "it").code == 0
    assert plugin.read_text() == SAYS + "# its own updater was here\n"


def test_what_the_plugin_made_beside_itself_stays_beside_it(plugin: Path, folder: Path) -> None:
    (folder / "state.json").write_text("old")
    tap("wrap", str(plugin), "--no-native")
    real = folder / ".tap/it/real"
    (real / "cache").mkdir()
    (real / "cache/file").write_text("made")
    (real / "new").write_text("new")
    (real / "new").replace(real / "state.json")
    assert tap("unwrap", "it").code == 0
    assert (folder / "cache/file").read_text() == "made"
    assert (folder / "state.json").read_text() == "new"
    assert not (folder / ".tap").exists()


def test_what_has_come_to_lie_beside_it_is_found_after_another_wrap(
    plugin: Path, folder: Path
) -> None:
    before = lasting(plugin.parent)
    tap("wrap", str(plugin), "--no-native")
    (folder / "late.txt").write_text("late")
    tap("wrap", str(plugin))
    assert (folder / ".tap/it/real/late.txt").read_text() == "late"
    assert tap("unwrap", "it").code == 0
    assert lasting(folder).keys() == before.keys() | {"late.txt"}


def test_a_launcher_of_another_registry_is_not_wrapped_again(
    plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tap("wrap", str(plugin), "--no-native")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    assert refused("wrap", str(plugin)) == (
        f"{plugin} is a launcher of tap that is not on your list: it is another user's, or of "
        "another XDG_DATA_HOME, or was moved; unwrap it there, or here by "
        f"`tap unwrap --force {plugin}`"
    )


def test_a_folder_that_was_installed_anew_is_wrapped_again(folder: Path) -> None:
    for program, launcher in (("it/it", "it/it"), ("it/whatever", "it/main")):
        installed(folder / program)
        assert tap("wrap", str(folder / "it"), "--off").code == 0
        shutil.rmtree(folder / "it")
        installed(folder / program, SAYS.replace("said", "said anew"))
        before = lasting(folder)
        assert tap("wrap", str(folder / "it")).code == 0
        assert said(folder / launcher) == "said anew it\n"
        assert tap("unwrap", "it").code == 0
        assert lasting(folder) == before
        shutil.rmtree(folder / "it")


def test_a_launcher_that_was_removed_before_an_original_that_stayed_is_no_obstacle(
    folder: Path,
) -> None:
    installed(folder / "it/whatever")
    before = lasting(folder)
    tap("wrap", str(folder / "it"), "--off")
    (folder / "it/main").unlink()
    assert tap("unwrap", "it").code == 0
    assert lasting(folder).keys() == before.keys()


def test_a_plugin_that_is_gone_with_its_folder_is_forgotten_by_force(folder: Path) -> None:
    installed(folder / "it/it")
    tap("wrap", str(folder / "it"), "--no-native")
    shutil.rmtree(folder)
    assert refused("unwrap", "it").startswith(f"{folder}/it/it is gone: ")
    assert tap("unwrap", "--all", "--force").out == (
        f"{folder}/it/it is gone with its folder, and forgotten\n"
    )
    assert Desk().entries() == []


def test_a_launcher_whose_original_is_lost_is_taken_away_by_force(
    plugin: Path, folder: Path
) -> None:
    original = folder / ".tap/it/real/it"
    tap("wrap", str(plugin), "--no-native")
    original.unlink()
    assert refused("unwrap", "it") == (
        f"{original}, the original of {plugin}, is gone: install it again; "
        f"`tap unwrap --force {plugin}` takes away the launcher"
    )
    assert tap("unwrap", "--force", "it").code == 0
    assert list(folder.iterdir()) == []


def test_one_that_refuses_keeps_no_other_from_being_unwrapped(folder: Path) -> None:
    paths = [installed(folder / name) for name in "abc"]
    for path in paths:
        tap("wrap", str(path), "--no-native")
    for path in (paths[0], paths[2]):
        path.unlink()
    done = tap("unwrap", "--all")
    assert (done.out, done.code) == (f"unwrapped {paths[1]}\n", 2)
    told = [line.partition(" is gone: ")[0] for line in done.err.splitlines()]
    assert told == [f"tap: {paths[0]}", f"tap: {paths[2]}"]


def test_what_is_wished_for_an_update_is_done(plugin: Path, tmp_path: Path) -> None:
    tap("wrap", str(plugin), "--no-native", "--redact", "tokens")
    installed(tmp_path / "new", "#!/bin/sh\n").rename(plugin)
    elsewhere = tmp_path / "elsewhere"
    assert tap("wrap", str(plugin), "--off", "--recordings", str(elsewhere)).code == 0
    assert (plugin.parent / ".tap/it/settings").read_text() == (
        f"tap wrap 1\nmode off\nname it\nrecordings {elsewhere}\nredact tokens\n"
    )


def test_an_unwrap_that_was_cut_off_is_completed_by_the_next_one(plugin: Path) -> None:
    desk = Desk()
    desk.wrap(plugin)
    assert dies(partial(desk.unwrap, Dying(9)))
    assert tap("unwrap", "it") == Said(
        0, f"{plugin}: completed what had begun, it is as it was\nit is not wrapped\n", ""
    )


def test_what_cannot_be_moved_to_where_it_belongs_is_left_and_told(
    plugin: Path, folder: Path
) -> None:
    tap("wrap", str(plugin), "--no-native")
    real = folder / ".tap/it/real"
    for cache in (folder / "cache", real / "cache"):
        cache.mkdir()
        (cache / "file").write_text(str(cache))
    assert tap("unwrap", "it").out == (
        f"left {real}/cache, which the plugin has made: move it yourself\nunwrapped {plugin}\n"
    )
    assert said(plugin) == "said it\n"
    for cache in (folder / "cache", real / "cache"):
        assert (cache / "file").read_text() == str(cache)
    assert [it.name for it in real.parent.iterdir()] == ["real"]
