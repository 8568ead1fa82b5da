"""Launchers, native and for /bin/sh: what a program behind one sees, and that it always starts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tapproxy.wrap import launcher as making
from tapproxy.wrap.launched import Wish
from tapproxy.wrap.modes import Mode
from tapproxy_store.locate import recordings
from tapproxy_store.reading import open_recording
from tests.bench.workbench import wait_for_ingesters
from tests.tapproxy.calls import tap
from tests.tapproxy.wrap.acts import Desk
from tests.tapproxy.wrap.plugins import ROOT, lasting

TELLS = f"""#!{sys.executable}
import json, os, sys
beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "beside.txt")
with open(beside) as file:
    print(json.dumps([os.getcwd(), sys.argv[1:], file.read(), dict(os.environ)]))
"""

SEES = """
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char path[8192], cwd[8192], text[64] = "";
    path[readlink("/proc/self/exe", path, sizeof path - 1)] = 0;
    strcpy(strrchr(path, '/') + 1, "beside.txt");
    FILE *file = fopen(path, "r");
    if (file && fgets(text, sizeof text, file)) fclose(file);
    printf("%s|%s|%d|%s\\n", argv[0], getcwd(cwd, sizeof cwd), argc, text);
    return 0;
}
"""

LONG = "x" * 100
NAMES = [
    "plain",
    "with space",
    "quo'te\"s $HOME `id`",
    "ünïcode 你好",
    "-dash",
    "per%cent\\back",
    "x" * 250,
]

needs_compiler = pytest.mark.skipif(making.find_compiler() is None, reason="no C compiler")
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


@pytest.fixture(params=[True, False], ids=["native", "script"])
def native(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def wrap(path: Path, *options: str, native: bool) -> None:
    done = tap("wrap", str(path), "--native" if native else "--no-native", *options)
    assert (done.err, done.code) == ("", 0)


def installed(folder: Path, name: str, text: str = TELLS) -> Path:
    """Install a plugin with something beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "beside.txt").write_text("found")
    program = folder / name
    program.write_text(text)
    program.chmod(0o755)
    return program


def output(path: Path, *arguments: str, **environment: str) -> str:
    """Start a program in its folder as a host does; return what it prints."""
    done = subprocess.run(
        [path, *arguments],
        cwd=path.parent,
        env=environment,
        input="",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_names_of_all_sorts_and_long_paths(tmp_path: Path, name: str, native: bool) -> None:  # noqa: FBT001
    folder = tmp_path / name / LONG / LONG / "plugins"
    program = installed(folder, name)
    arguments = ["a b", "", "'", '"', "\\", "$x", "*", "é"]
    bare, before = json.loads(output(program, *arguments, PATH="/bin")), lasting(folder)
    wrap(program, native=native)
    told = json.loads(output(program, *arguments, PATH="/bin"))
    assert told[:3] == bare[:3] == [str(folder), arguments, "found"]
    assert tap("unwrap", str(program)).code == 0
    assert lasting(folder) == before


@needs_compiler
@only_linux
@pytest.mark.parametrize("mode", ["--record", "--off"])
@pytest.mark.parametrize("path", ["it", "it/it", "it/bin/it", "it/z"])
def test_a_binary_sees_its_own_name_its_folder_and_what_lies_beside_it(
    tmp_path: Path, path: str, mode: str
) -> None:
    program = tmp_path / "plugins" / path
    program.parent.mkdir(parents=True)
    (program.parent / "beside.txt").write_text("found")
    command = ["cc", "-x", "c", "-o", str(program), "-"]
    subprocess.run(command, input=SEES, text=True, check=True, timeout=60)
    bare = output(program)
    assert bare == f"{program}|{program.parent}|1|found\n"
    wrap(tmp_path / "plugins/it", mode, native=True)
    launcher = program.with_name("main") if program.name == "z" else program
    assert output(launcher) == bare


def test_the_environment_is_the_hosts(tmp_path: Path) -> None:
    program = installed(tmp_path / "plugins", "it")
    given = {"PATH": "/bin", "PYTHONPATH": "/nowhere", "PYTHONHOME": "", "LC_ALL": "C", "X": "1=2"}
    bare = output(program, **given)
    wrap(program, native=making.find_compiler() is not None)
    assert output(program, **given) == bare


@pytest.mark.parametrize("why", ["python is gone", "tap is gone", "tap is broken"])
def test_where_tap_is_gone_the_original_starts(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    why: str,
    native: bool,  # noqa: FBT001
) -> None:
    program = installed(tmp_path / "plugins", "it")
    start = tmp_path / "tapproxy/wrap/start.py"
    if why == "python is gone":
        monkeypatch.setattr(sys, "executable", "/no/python")
    else:
        monkeypatch.setattr(making, "start_script", lambda: str(start))
    if why == "tap is broken":
        start.parent.mkdir(parents=True)
        start.write_text((ROOT / "tapproxy/wrap/start.py").read_text())
    Desk().wrap(program, Wish(Mode("record"), native=native))
    told = json.loads(output(program, "a", PATH="/bin"))
    assert told[:3] == [str(program.parent), ["a"], "found"]


@pytest.mark.parametrize("data", [b"", b"tap wrap 2\nmode record\n", b"mode record\n", b"\0" * 99])
def test_where_the_settings_say_nothing_the_original_starts(
    tmp_path: Path,
    data: bytes,
    native: bool,  # noqa: FBT001
) -> None:
    program = installed(tmp_path / "plugins", "it")
    wrap(program, native=native)
    (tmp_path / "plugins/.tap/it/settings").write_bytes(data)
    assert json.loads(output(program, PATH="/bin"))[2] == "found"
    (tmp_path / "plugins/.tap/it/settings").unlink()
    assert json.loads(output(program, PATH="/bin"))[2] == "found"
    assert recordings(str(tmp_path / "recordings")) == []
    assert "settings cannot be read: off" in tap("wrap").out
    assert tap("wrap", str(program), "--record").code == 0
    output(program, PATH="/bin")
    assert len(recordings(str(tmp_path / "recordings"))) == 1


def test_settings_that_only_python_cannot_read_start_the_original(
    tmp_path: Path,
    native: bool,  # noqa: FBT001
) -> None:
    program = installed(tmp_path / "plugins", "it")
    wrap(program, native=native)
    settings = tmp_path / "plugins/.tap/it/settings"
    settings.write_bytes(settings.read_bytes() + b"no-value\n")
    assert json.loads(output(program, PATH="/bin"))[2] == "found"
    assert recordings(str(tmp_path / "recordings")) == []


def test_started_through_a_link_from_elsewhere(tmp_path: Path, native: bool) -> None:  # noqa: FBT001
    program = installed(tmp_path / "plugins", "it")
    wrap(program, "--off", native=native)
    (tmp_path / "elsewhere").mkdir()
    for number, target in enumerate([program, Path("../plugins/it")]):
        link = tmp_path / f"elsewhere/link{number}"
        link.symlink_to(target)
        assert json.loads(output(link, PATH="/bin:/usr/bin"))[2] == "found"


def test_a_script_without_a_first_line_is_started_by_the_shell(
    tmp_path: Path,
    native: bool,  # noqa: FBT001
) -> None:
    program = installed(tmp_path / "plugins", "it", 'echo started "$1"\n')
    for mode in ("--record", "--off"):
        wrap(program, mode, native=native)
        assert output(program, "a b", PATH="/bin") == "started a b\n"


def test_nothing_of_the_original_is_left_to_the_host_when_it_is_missing(
    tmp_path: Path,
    native: bool,  # noqa: FBT001
) -> None:
    program = installed(tmp_path / "plugins", "it")
    wrap(program, "--off", native=native)
    (tmp_path / "plugins/.tap/it/real/it").unlink()
    done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 127
    assert str(tmp_path / "plugins/.tap/it/real/it") in done.stderr


def test_a_recording_that_is_to_be_played_and_is_gone_is_told(tmp_path: Path) -> None:
    program = installed(tmp_path / "plugins", "it")
    wrap(program, native=False)
    output(program, PATH=os.environ["PATH"])
    wait_for_ingesters(tmp_path / "recordings")
    (path,) = recordings(str(tmp_path / "recordings"))
    with open_recording(path) as recording:
        assert recording.session().name == "it"
    assert tap("wrap", "it", "--replay", "last").code == 0
    Path(path).unlink()
    done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr == f"tap: no file {path}; `tap ls` lists the recordings\n"


def test_settings_that_name_no_folder_record_where_recordings_usually_go(
    tmp_path: Path,
) -> None:
    program = installed(tmp_path / "plugins", "it")
    wrap(program, native=False)
    (tmp_path / "plugins/.tap/it/settings").write_text("tap wrap 1\nmode record\n")
    before = lasting(tmp_path / "plugins").keys()
    assert json.loads(output(program, PATH="/bin", TAP_DIR=os.environ["TAP_DIR"]))[2] == "found"
    wait_for_ingesters(tmp_path / "recordings")
    (path,) = recordings(str(tmp_path / "recordings"))
    with open_recording(path) as recording:
        assert recording.session().name == "it"
    assert lasting(tmp_path / "plugins").keys() == before
