"""Wrapped commands: a shim first in PATH, which records the calls that are meant and no others."""

import os
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from tapproxy.wrap.commands import wrap
from tapproxy_store.locate import recordings
from tapproxy_store.reading import open_recording
from tests.bench.workbench import wait_for_ingesters
from tests.tapproxy.calls import Said, said, tap
from tests.tapproxy.wrap.acts import OFF, Desk, Dying, dies

SAYS = '#!/bin/sh\necho "$@" by {name}\nexit 3\n'


@pytest.fixture(params=["--native", "--no-native"])
def launcher(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def shims(tmp_path: Path) -> Path:
    return tmp_path / "data/tap/shims"


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put two folders with an xlings before all others in PATH."""
    folders = [tmp_path / "first bin", tmp_path / "second"]
    for folder in folders:
        install(folder / "xlings")
    found = [*map(str, folders), *os.environ["PATH"].split(":")]
    monkeypatch.setenv("PATH", ":".join(found))
    return found


def install(program: Path) -> None:
    program.parent.mkdir(exist_ok=True)
    program.write_text(SAYS.format(name=program.parent.name))
    program.chmod(0o755)


def called(*words: str, path: list[str]) -> Said:
    """Call a command as a shell would, by PATH."""
    search = ":".join(path)
    shell = 'PATH="$1"; shift; exec "$@"'
    return said(["/bin/sh", "-c", shell, "sh", search, *words])


def recorded(folder: Path) -> list[list[str]]:
    wait_for_ingesters(folder)
    found = []
    for it in recordings(str(folder)):
        with open_recording(it) as recording:
            found.append(recording.session().facts["argv"])
    return sorted(found)


def test_calls_of_the_interface_are_recorded_and_others_passed_straight_on(
    tmp_path: Path, shims: Path, path: list[str], launcher: str
) -> None:
    done = tap("wrap", "--command", "xlings", launcher)
    shim = shims / "xlings"
    assert done == Said(
        0,
        f"wrapped calls of xlings interface (record): {shim}\n"
        f"put its folder first in PATH: export PATH={shims}:$PATH\n",
        "",
    )
    ours = [str(shims), *path]
    assert called("xlings", "interface", "list", path=ours) == Said(
        3, "interface list by first bin\n", ""
    )
    assert called("xlings", "install", "interface", path=ours) == Said(
        3, "install interface by first bin\n", ""
    )
    assert called("xlings", path=ours) == Said(3, "by first bin\n", "")
    assert [it[1:] for it in recorded(tmp_path / "recordings")] == [["interface", "list"]]
    assert tap("unwrap", "xlings") == Said(0, f"unwrapped xlings: {shim} is gone\n", "")
    assert list(shims.iterdir()) == []
    assert called("xlings", path=ours) == Said(3, "by first bin\n", "")


def test_the_next_one_in_path_is_called_wherever_the_shim_stands(
    tmp_path: Path, shims: Path, path: list[str], launcher: str
) -> None:
    tap("wrap", "--command", "xlings", launcher, "--off")
    usual = path[2:]
    first, second = path[:2]
    link = tmp_path / "link"
    link.symlink_to(shims)
    for search, name in (
        ([str(shims), first, second], "first bin"),
        ([first, str(shims), second], "first bin"),
        ([str(shims), str(shims), second, first], "second"),
        ([str(link), str(shims), second], "second"),
        ([str(shims), "/no/such", "", second], "second"),
        ([str(shims)], "first bin"),
    ):
        assert called("xlings", "x", path=[*search, *usual]).out == f"x by {name}\n", search
    elsewhere = said([str(shims / "xlings"), "x"])
    assert elsewhere.out == "x by first bin\n"


def test_two_shims_of_two_registries_do_not_call_each_other_for_ever(
    tmp_path: Path, shims: Path, path: list[str], launcher: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tap("wrap", "--command", "xlings", launcher)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    tap("wrap", "--command", "xlings", launcher)
    both = [str(tmp_path / "other/tap/shims"), str(shims), *path]
    assert called("xlings", "interface", path=both).out == "interface by first bin\n"
    assert called("xlings", "interface", path=both[:2] + path[2:]).out == (
        "interface by first bin\n"
    )
    assert len(recorded(tmp_path / "recordings")) >= 2


def test_all_calls_of_other_commands_are_recorded_and_what_is_recorded_can_be_changed(
    tmp_path: Path, shims: Path, path: list[str], launcher: str
) -> None:
    install(tmp_path / "second/tool")
    assert tap("wrap", "--command", "tool", launcher).out.splitlines()[0] == (
        f"wrapped calls of tool (record): {shims}/tool"
    )
    ours = [str(shims), *path]
    called("tool", "a", path=ours)
    assert tap("wrap", "--command", "tool", "--only", "serve").code == 0
    called("tool", "b", path=ours)
    called("tool", "serve", "c", path=ours)
    assert tap("wrap", "tool", "--off").code == 0
    called("tool", "serve", "d", path=ours)
    assert sorted(it[1:] for it in recorded(tmp_path / "recordings")) == [["a"], ["serve", "c"]]
    assert tap("wrap").out == f"command  tool  off  {shims}/tool\n"


def test_the_words_of_a_call_choose_the_session_that_is_played(
    tmp_path: Path, shims: Path, path: list[str], launcher: str
) -> None:
    tap("wrap", "--command", "xlings", launcher)
    ours = [str(shims), *path]
    called("xlings", "interface", "list", path=ours)
    assert len(recorded(tmp_path / "recordings")) == 1
    assert tap("wrap", "xlings", "--replay", "last").code == 0
    for folder in path[:2]:
        Path(folder, "xlings").write_text("#!/bin/sh\necho the real one\n")
    played = called("xlings", "interface", "list", path=ours)
    assert played == Said(3, "interface list by first bin\n", "")
    assert called("xlings", "install", path=ours).out == "the real one\n"
    other = called("xlings", "interface", "other", path=ours)
    assert other.code == 2
    assert "no session was started with interface other" in other.out  # to the host, in its words
    assert "interface other" in other.err


def test_a_program_that_is_nowhere_is_told(shims: Path, path: list[str], launcher: str) -> None:
    tap("wrap", "--command", "xlings", launcher)
    for folder in path[:2]:
        Path(folder, "xlings").unlink()
    done = called("xlings", "help", path=[str(shims), *path])
    assert (done.code, done.out) == (127, "")
    assert f"{path[0]}/xlings" in done.err


def test_what_is_no_command_is_refused(shims: Path) -> None:
    assert tap("wrap", "--command", "no-such-command") == Said(
        2, "", "tap: there is no command no-such-command in PATH\n"
    )
    assert tap("wrap", "--command", "a/b") == Said(
        2, "", "tap: 'a/b' is no command's name; `tap wrap a/b` wraps a file\n"
    )
    assert not shims.exists()


def test_a_dry_run_makes_no_shim(shims: Path) -> None:
    lines = tap("wrap", "--command", "xlings", "--no-native", "--dry-run").out.splitlines()
    assert [line.split()[0] for line in lines] == ["write", "write", "write", "write", "put"]
    assert not shims.exists()


def test_killed_at_any_call_the_command_is_found(
    tmp_path: Path, shims: Path, path: list[str]
) -> None:
    desk = Desk()
    for calls in count():
        died = dies(partial(wrap, "xlings", OFF, str(tmp_path), desk.act(Dying(calls))))
        assert called("xlings", "x", path=[str(shims), *path]).out == "x by first bin\n"
        desk.recover()
        assert called("xlings", "x", path=[str(shims), *path]).out == "x by first bin\n"
        desk.unwrap()
        assert (desk.entries(), list(shims.iterdir())) == ([], [])
        if not died:
            break
    for calls in count():
        wrap("xlings", OFF, str(tmp_path), desk.act())
        died = dies(partial(desk.unwrap, Dying(calls)))
        assert called("xlings", "x", path=[str(shims), *path]).out == "x by first bin\n"
        desk.recover()
        desk.unwrap()
        assert (desk.entries(), list(shims.iterdir())) == ([], [])
        if not died:
            break
