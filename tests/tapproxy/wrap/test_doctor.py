"""`tap doctor`: what it finds, what it advises, and that it starts nothing of the user's."""

import os
import shutil
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from tapproxy.wrap.doctoring import about_recordings
from tapproxy.wrap.findings import Finding
from tests.tapproxy.calls import tap
from tests.tapproxy.wrap.acts import OFF, Desk, Dying, dies
from tests.tapproxy.wrap.plugins import ROOT

STARTED = "started"


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project with one plugin, which tells when it is started."""
    folder = tmp_path / "project/.lingxi/plugins"
    install(folder / "it", tmp_path)
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    return folder


def install(path: Path, home: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\ntouch {home / STARTED}\n")
    path.chmod(0o755)


def doctor(*options: str, code: int = 0) -> list[str]:
    """Return what is found beyond the versions, which are looked at here."""
    done = tap("doctor", *options)
    assert (done.err, done.code) == ("", code)
    versions, compiler, test, *rest = done.out.splitlines()
    assert versions.startswith("ok tap 0.1.0, Python 3.")
    assert ", SQLite 3." in versions
    assert compiler.startswith("ok launchers are compiled by ") or "no C compiler" in compiler
    assert test == "ok recording works: a small child was recorded and read"
    return rest


def test_all_is_well(plugins: Path, tmp_path: Path) -> None:
    recordings = tmp_path / "recordings"
    assert doctor() == [
        "ok nothing is wrapped",
        f"ok plugin it in {plugins}: not wrapped",
        f"ok {recordings}: 0 recordings, 0 B",
    ]
    tap("wrap", "--lingxi", "it")
    (recordings / "a.tap").parent.mkdir()
    shutil.copy(ROOT / "fixtures/recordings/v1.tap", recordings / "a.tap")
    size = (recordings / "a.tap").stat().st_size / 1000
    assert doctor() == [
        "ok lingxi it is wrapped, and starts: record",
        f"ok plugin it in {plugins}: wrapped",
        f"ok {recordings}: 1 recording, {size:.1f} kB",
    ]
    assert not (tmp_path / STARTED).exists()


def test_what_is_amiss_with_a_wrapped_plugin_is_told_with_what_to_do(plugins: Path) -> None:
    tap("wrap", "--lingxi", "it", "--no-native")
    plugin = plugins / "it"
    original = plugins / ".tap/it/real/it"

    plugin.chmod(0o644)
    assert doctor(code=1)[:2] == [f"✗  {plugin} cannot be executed", f"   `chmod +x {plugin}`"]
    plugin.chmod(0o755)

    original.chmod(0o644)
    assert doctor(code=1)[:2] == [
        f"✗  {original}, the original, cannot be executed",
        "   install the plugin again, and wrap it again",
    ]
    original.chmod(0o755)

    settings = plugins / ".tap/it/settings"
    kept = settings.read_bytes()
    settings.write_text("")
    assert doctor(code=1)[:2] == [
        f"✗  {settings} cannot be read: it runs unrecorded",
        f"   `tap wrap {plugin} --record` writes it anew",
    ]
    settings.write_bytes(kept.replace(b"record\n", b"replay\n", 1) + b"recording /no/such.tap\n")
    assert doctor(code=1)[:2] == [
        "✗  it is to be played from /no/such.tap, which is gone",
        f"   `tap wrap {plugin} --record` lets the program run again",
    ]
    settings.write_bytes(kept)

    new = plugins / ".new"
    new.write_text("#!/bin/sh\n")
    new.chmod(0o755)
    new.rename(plugin)
    assert doctor(code=1)[:2] == [
        f"✗  {plugin} is another program now (an update?), and is not recorded",
        f"   `tap wrap {plugin}` wraps the new one",
    ]
    plugin.unlink()
    assert doctor(code=1)[:2] == [
        f"✗  {plugin} is gone",
        f"   `tap unwrap --force {plugin}` takes away what tap has put beside it",
    ]


def test_a_tap_that_has_moved_is_noticed(plugins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/old/python")
        desk.wrap(plugins / "it")
    assert doctor(code=1)[:2] == [
        "✗  it runs unrecorded: /old/python is gone (was tap moved?)",
        f"   `tap wrap {plugins / 'it'}` leads its launcher to this tap",
    ]
    assert tap("wrap", "it").out.splitlines() == [
        f"{plugins / 'it'}: a new launcher (launcher for /bin/sh)",
        f"{plugins / 'it'} is wrapped already (off)",
    ]
    assert doctor()[0] == "ok lingxi it is wrapped, and starts: off"


def test_what_is_half_done_is_told_and_with_fix_undone_or_completed(plugins: Path) -> None:
    desk = Desk()
    assert dies(partial(desk.wrap, plugins / "it", OFF, Dying(12)))
    assert doctor(code=1)[:2] == [
        f"✗  {plugins / 'it'}: wrapping it has begun, and was not completed",
        "   `tap doctor --fix` completes or undoes it",
    ]
    done = tap("doctor", "--fix")
    assert done.out.splitlines()[0] == f"{plugins / 'it'}: undid what had begun, it is as it was"
    assert doctor()[0] == "ok nothing is wrapped"
    desk.wrap(plugins / "it")
    assert dies(partial(desk.unwrap, Dying(9)))
    done = tap("doctor", "--fix")
    told = f"{plugins / 'it'}: completed what had begun, it is as it was"
    assert done.out.splitlines()[0] == told


def test_what_a_host_makes_of_the_folders_of_plugins(
    plugins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("one/whatever", "two/a", "two/b"):
        install(plugins / path, tmp_path)
    (plugins / "none").mkdir()
    tap("wrap", "--lingxi", "it", "--no-native")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    assert doctor(code=1) == [
        "ok nothing is wrapped",
        f"ok plugin it in {plugins}: not wrapped",
        f"ok {plugins}/none: no host finds a program in it",
        f"ok plugin one in {plugins}: not wrapped",
        f"ok plugin two in {plugins}: not wrapped",
        f"✗  {plugins}/two: hosts take whichever program comes first, such as two/a",
        "   call the plugin's program two, or main",
        f"✗  {plugins}/.tap/it is of no plugin that is wrapped here",
        f"   `tap unwrap --force {plugins}/it` takes it out, unless it is another user's",
        f"ok {tmp_path / 'recordings'}: 0 recordings, 0 B",
    ]


def test_a_command_that_is_not_found_by_way_of_its_shim_is_told(
    plugins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "bin/xlings", tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    tap("wrap", "--command", "xlings")
    shims = tmp_path / "data/tap/shims"
    assert doctor(code=1)[:2] == [
        f"✗  xlings is not found by way of {shims}/xlings here",
        f"   put its folder first in PATH: export PATH={shims}:$PATH",
    ]
    monkeypatch.setenv("PATH", f"{shims}:{os.environ['PATH']}")
    assert doctor()[0] == "ok command xlings is wrapped, and starts: record"
    (tmp_path / "bin/xlings").unlink()
    assert doctor(code=1)[:2] == [
        f"✗  there is no program xlings behind {shims}/xlings",
        "   install it again, or `tap unwrap xlings`",
    ]
    assert plugins.exists()
    assert not (tmp_path / STARTED).exists()


def test_where_nothing_can_be_recorded_the_test_recording_says_so(
    plugins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "packages/tapproxy"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("")
    monkeypatch.setattr("tapproxy.wrap.doctoring.own_environment", lambda: dict(os.environ))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
    from tapproxy.wrap.doctoring import self_test

    found = self_test()
    assert not found.ok
    assert found.what.startswith("a test recording failed: ")
    assert plugins.exists()


def test_a_disk_that_is_nearly_full_and_a_folder_that_is_none_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1))
    folder = str(tmp_path / "there")
    assert list(about_recordings([folder])) == [
        Finding(ok=True, what=f"{folder}: 0 recordings, 0 B"),
        Finding(
            ok=False,
            what=f"{folder}: only 1 B of disk left",
            advice="remove recordings; where the disk is full, sessions go on unrecorded",
        ),
    ]


def test_a_registry_that_cannot_be_read_does_not_end_the_visit(
    plugins: Path, tmp_path: Path
) -> None:
    desk = Desk()
    desk.wrap(plugins / "it")
    (path,) = Path(desk.registry.folder).glob("*.json")
    path.write_text("[]")
    found = doctor(code=1)
    assert found[0].startswith(
        f"✗  cannot read {path}, which says what is wrapped (it is no entry): "
    )
    assert found[-1] == f"ok {tmp_path / 'recordings'}: 0 recordings, 0 B"
