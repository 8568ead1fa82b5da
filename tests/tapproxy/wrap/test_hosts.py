"""Wrapped plugins before hosts of three generations: found once, started once, heard as before."""

from pathlib import Path

import pytest

from tapproxy_store.locate import recordings
from tapproxy_store.reading import open_recording
from tests.bench.workbench import wait_for_ingesters
from tests.tapproxy.calls import tap
from tests.tapproxy.wrap.plugins import LAYOUTS, Home, home_with_plugins, listing

LAUNCHERS = ["--native", "--no-native"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return home_with_plugins(tmp_path / "home")


def wrap_all(home: Home, *options: str) -> None:
    for name in LAYOUTS:
        done = tap("wrap", str(home.plugins / name), *options)
        assert (done.code, done.err) == (0, "")


def unwrap_all(home: Home) -> None:
    for name in LAYOUTS:
        done = tap("unwrap", str(home.plugins / name))
        assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("generation", "launcher", "eyes"),
    [
        *((generation, launcher, ()) for generation in (1, 3, 4) for launcher in LAUNCHERS),
        (4, "--native", ("--suspicious",)),
        (1, "--no-native", ("--suspicious",)),
    ],
)
def test_a_wrapped_plugin_is_found_started_answers_as_before_and_is_recorded(
    home: Home, tmp_path: Path, generation: int, launcher: str, eyes: tuple[str, ...]
) -> None:
    bare = home.host(generation)
    before, starts = listing(home.plugins), home.started()
    assert [Path(it.path).relative_to(home.plugins).as_posix() for it in bare] == sorted(
        LAYOUTS.values()
    )

    wrap_all(home, launcher)
    wrapped = home.host(generation, *eyes)
    assert [(it.said, it.trouble) for it in wrapped] == [(it.said, it.trouble) for it in bare]
    renamed = {str(home.plugins / "first/whatever"): str(home.plugins / "first/main")}
    assert [it.path for it in wrapped] == [renamed.get(it.path, it.path) for it in bare]
    assert home.started() == starts

    folder = tmp_path / "recordings"
    wait_for_ingesters(folder)
    told = []
    for path in recordings(str(folder)):
        with open_recording(path) as recording:
            session = recording.session()
            told.append((session.name, session.facts["argv"], session.outcome))
    programs = {name: str(home.plugins / path) for name, path in LAYOUTS.items()}
    assert sorted(told) == sorted((name, [path], "exit 0") for name, path in programs.items())

    unwrap_all(home)
    assert listing(home.plugins) == before


def test_a_plugin_that_is_killed_for_being_late_is_killed_when_it_is_wrapped(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path / "home")
    plugin = home.add("late", "late", "--late", "30")
    said = "initialized\nhook.emit: null\nhook.emit: null\nfailed: no answer in 3.0 s\n"
    assert tap("wrap", str(plugin)).code == 0
    (found,) = home.host(4)
    assert (found.said, found.trouble) == (said + "plugin ended: -15\n", "")
    wait_for_ingesters(tmp_path / "recordings")
    (path,) = recordings(str(tmp_path / "recordings"))
    with open_recording(path) as recording:
        assert recording.session().outcome == "signal SIGTERM"


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_switched_off_nothing_is_recorded_and_switched_to_replay_no_plugin_is_started(
    home: Home, tmp_path: Path, launcher: str
) -> None:
    bare = [it.said for it in home.host(3)]
    wrap_all(home, launcher, "--off")
    starts = home.started()
    assert [it.said for it in home.host(3)] == bare
    assert home.started() == starts
    assert recordings(str(tmp_path / "recordings")) == []

    wrap_all(home, "--record")
    assert [it.said for it in home.host(3)] == bare
    assert home.started() == starts
    wait_for_ingesters(tmp_path / "recordings")
    for name in LAYOUTS:
        assert tap("wrap", str(home.plugins / name), "--replay", name).code == 0
    assert [it.said for it in home.host(3)] == bare
    assert home.started() == []


def test_all_three_places_are_searched_by_name(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    below = home.project / "src/deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    monkeypatch.setenv("HOME", str(home.folder))
    root = home.folder / "root"
    elsewhere = {"one": root / "plugins/one", "two": home.folder / ".lingxiagent/plugins/two"}
    for path in elsewhere.values():
        path.parent.mkdir(parents=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    options = ("--global-root", str(root), "--no-native")
    for name, path in {"single": home.plugins / "single", **elsewhere}.items():
        done = tap("wrap", "--lingxi", name, *options)
        assert done.out == f"wrapped {path} (record, launcher for /bin/sh)\n"
    done = tap("wrap", "--lingxi", "three", *options)
    places = [home.plugins, root / "plugins", home.folder / ".lingxiagent/plugins"]
    known = "binned, first, mained, same, single, one, two"
    assert done.err == (
        f"tap: no plugin three in {', '.join(map(str, places))}; there are {known}\n"
    )
    assert done.code == 2
