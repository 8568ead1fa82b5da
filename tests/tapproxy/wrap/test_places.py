"""Where hosts look for plugins, and by which rule they take a program for one."""

from pathlib import Path

import pytest

from tapproxy.wrap.hidden import hidden
from tapproxy.wrap.layout import lay_out
from tapproxy.wrap.places import Plugin, find_plugin, plugin_folders, plugin_of, plugins
from tests.programs.lingxi_supervisor import found, is_executable, is_program


def install(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    path.chmod(mode)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "plugins"
    made.mkdir()
    return made


ALL = ["it/it", "it/bin/it", "it/main", "it/other"]
RULES = ["same name", "bin", "main", "first"]


@pytest.mark.parametrize("number", range(4), ids=RULES)
def test_of_a_folder_the_first_rule_that_fits_is_taken(folder: Path, number: int) -> None:
    for path in ALL[number:]:
        install(folder / path)
    place, path = str(folder / "it"), str(folder / ALL[number])
    wanted = Plugin("it", RULES[number], path, place)  # type: ignore[arg-type]
    assert find_plugin(place) == wanted
    assert plugin_of(path) == wanted
    assert list(plugins(str(folder))) == [wanted]
    hosts = [found(folder, taken, hidden=False) for taken in (is_program, is_executable)]
    if number != 1:  # a host takes the folder bin for a program where it looks for the first one
        assert hosts == [[Path(path)], [Path(path)]]


def test_what_is_hidden_or_cannot_be_executed_is_no_plugin(folder: Path) -> None:
    install(folder / ".hidden")
    install(folder / "data.txt", 0o644)
    install(folder / "it/it", 0o644)
    (folder / "empty").mkdir()
    (folder / "dangling").symlink_to("nowhere")
    assert list(plugins(str(folder))) == []
    assert found(folder, is_executable, hidden=False) == []


def test_a_file_elsewhere_is_a_plugin_by_itself(tmp_path: Path) -> None:
    path = install(tmp_path / "tools/thing")
    assert plugin_of(str(path)) == Plugin("thing", "file", str(path), str(path))
    install(tmp_path / "plugins/main")
    path = tmp_path / "plugins/main"
    assert plugin_of(str(path)) == Plugin("main", "file", str(path), str(path))


def test_the_nearest_project_comes_first_then_the_root_then_the_home(tmp_path: Path) -> None:
    inner = tmp_path / "a/b/.lingxi/plugins"
    for path in (inner, tmp_path / "a/.lingxi/plugins"):
        path.mkdir(parents=True)
    home = "/home/me/.lingxiagent/plugins"
    assert plugin_folders(str(tmp_path / "a/b"), "/home/me", "/root") == [
        str(inner),
        "/root/plugins",
        home,
    ]
    below = plugin_folders(str(tmp_path / "a/b/c"), "/home/me")
    assert below == [str(inner), home]
    assert plugin_folders("/", "/home/me") == [home]


def test_the_parts_of_each_layout_lie_where_no_rule_finds_them(folder: Path) -> None:
    single = lay_out(plugin_of(str(install(folder / "one"))))
    assert single.original == single.program == f"{folder}/.tap/one/real/one"
    assert single.settings == f"{folder}/.tap/one/settings"
    inner = lay_out(plugin_of(str(install(folder / "two/bin/two"))))
    assert inner.original == inner.program == f"{folder}/two/bin/.two.tap-original"
    assert inner.settings == f"{folder}/two/bin/.two.tap"
    first = lay_out(plugin_of(str(install(folder / "three/it"))))
    assert first.original == first.program == f"{folder}/three/it"
    assert (first.launcher, first.settings) == (
        f"{folder}/three/main",
        f"{folder}/three/.main.tap",
    )
    assert [it.moves for it in (single, inner, first)] == [True, True, False]


@pytest.mark.parametrize("name", ["x" * 255, "é" * 127, "你" * 85, ".dotted"])
def test_hidden_names_are_as_short_as_file_systems_want_them(tmp_path: Path, name: str) -> None:
    made = [hidden(str(tmp_path / name), ending) for ending in ("tap", "tap-original")]
    for path in made:
        install(Path(path))
        assert Path(path).name.startswith(".")
    assert len(set(made)) == 2
    assert made[0] == hidden(str(tmp_path / name), "tap")
