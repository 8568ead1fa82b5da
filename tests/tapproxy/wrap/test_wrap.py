"""`tap wrap` and `tap unwrap`: what they say, what they refuse, and what they leave behind."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tapproxy.wrap.errors import CouldNot
from tapproxy_store.locate import recordings
from tests.bench.workbench import wait_for_ingesters
from tests.store.nobody import as_nobody
from tests.tapproxy.calls import Said, tap
from tests.tapproxy.wrap.acts import Desk
from tests.tapproxy.wrap.plugins import lasting, listing
from tests.tapproxy.wrap.small import installed, refused, said


def test_wrapped_twice_and_unwrapped_twice(plugin: Path, folder: Path) -> None:
    before = listing(folder)
    first = tap("wrap", str(plugin), "--no-native")
    assert first == Said(0, f"wrapped {plugin} (record, launcher for /bin/sh)\n", "")
    wrapped = listing(folder)
    assert tap("wrap", str(plugin)) == Said(0, f"{plugin} is wrapped already (record)\n", "")
    assert listing(folder) == wrapped
    assert tap("wrap") == Said(0, f"lingxi  it  record  {plugin}\n", "")
    assert tap("unwrap", "it") == Said(0, f"unwrapped {plugin}\n", "")
    assert listing(folder) == before
    assert tap("unwrap", str(plugin)) == Said(0, f"{plugin} is not wrapped\n", "")
    assert tap("wrap") == Said(0, "Nothing is wrapped. `tap wrap --help` says what can be.\n", "")


def test_a_dry_run_tells_each_step_and_does_nothing(plugin: Path, folder: Path) -> None:
    before, registry = listing(folder), Desk().registry.folder
    lines = tap("wrap", str(plugin), "--no-native", "--dry-run").out.splitlines()
    box = folder / ".tap"
    entry = lines[0].split()[1]
    assert [line.partition(" (")[0] for line in lines] == [
        f"write {entry}",
        f"make the folder {box}",
        f"make the folder {box}/it",
        f"make the folder {box}/it/real",
        f"write {box}/it/settings",
        f"write {box}/it/launcher",
        f"give {plugin} a second name, {box}/it/real/it",
        f"move {box}/it/launcher to {plugin}",
        f"write {entry}",
    ]
    assert listing(folder) == before
    assert not os.path.exists(registry)
    tap("wrap", str(plugin), "--no-native")
    wrapped = listing(folder)
    lines = tap("unwrap", "it", "--dry-run").out.splitlines()
    assert lines[1:] == [
        f"move {box}/it/real/it to {plugin}",
        f"remove {box}/it/settings",
        f"remove the folder {box}/it/real",
        f"remove the folder {box}/it",
        f"remove the folder {box}",
        f"remove {entry}",
    ]
    assert listing(folder) == wrapped


@pytest.mark.parametrize("place", ["plugins", "plugins/it"])
@pytest.mark.parametrize("is_relative", [True, False])
def test_a_symbolic_link_is_wrapped_and_what_it_leads_to_left_alone(
    tmp_path: Path,
    place: str,
    is_relative: bool,  # noqa: FBT001
) -> None:
    program = installed(tmp_path / "opt/it")
    link = tmp_path / place / "it"
    link.parent.mkdir(parents=True)
    link.symlink_to(os.path.relpath(program, link.parent) if is_relative else program)
    before = listing(tmp_path / "plugins")
    for native in ("--native", "--no-native"):
        assert tap("wrap", str(link), "--off", native).code == 0
        assert not link.is_symlink()
        assert said(link) == "said it\n"
        assert said(program) == "said it\n"
        assert tap("unwrap", str(link)).code == 0
        assert listing(tmp_path / "plugins") == before


def test_a_folder_that_cannot_be_written_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with TemporaryDirectory() as made:
        home = Path(made)
        home.chmod(0o755)
        plugin = installed(home / "plugins/it")
        (home / "data").mkdir()
        (home / "data").chmod(0o777)
        monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
        plugin.parent.chmod(0o555)
        before = listing(plugin.parent)
        with pytest.raises(CouldNot) as caught:
            as_nobody(lambda: Desk().wrap(plugin))
        assert str(caught.value) == (
            f"cannot wrap {plugin}: the folder {plugin.parent} cannot be written"
        )
        assert listing(plugin.parent) == before
        assert Desk().entries() == []
        plugin.parent.chmod(0o777)
        as_nobody(lambda: Desk().wrap(plugin))
        plugin.parent.chmod(0o555)
        wrapped = lasting(plugin.parent)
        with pytest.raises(CouldNot) as caught:
            as_nobody(lambda: Desk().unwrap())
        assert str(caught.value) == (
            f"cannot unwrap {plugin}: the folder {plugin.parent} cannot be written"
        )
        assert lasting(plugin.parent) == wrapped
        plugin.parent.chmod(0o777)
        as_nobody(lambda: Desk().unwrap())
        assert said(plugin) == "said it\n"


def test_without_a_compiler_there_is_a_script_and_native_is_refused(
    plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = tap("wrap", str(plugin), "--native")
    assert (done.code, done.err) == (
        3,
        "tap: there is no C compiler (cc) in PATH; --no-native makes a script instead\n",
    )
    assert tap("wrap", str(plugin)).out == f"wrapped {plugin} (record, launcher for /bin/sh)\n"


def test_where_a_compiler_fails_that_was_not_asked_for_there_is_a_script(
    plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compiler = installed(tmp_path / "bin/cc", "#!/bin/sh\necho no headers >&2; exit 1\n")
    monkeypatch.setenv("PATH", f"{compiler.parent}:{os.environ['PATH']}")
    before = listing(plugin.parent)
    why = f"{compiler} cannot make the launcher (no headers)"
    assert tap("wrap", str(plugin), "--native") == Said(
        3, "", f"tap: {why}; --no-native makes a script instead\n"
    )
    assert listing(plugin.parent) == before
    assert tap("wrap", str(plugin)).out == (
        f"{why}: it is a script\nwrapped {plugin} (record, launcher for /bin/sh)\n"
    )


def test_two_at_once_wrap_it_once(plugin: Path) -> None:
    before = listing(plugin.parent)
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: tap("wrap", str(plugin), "--no-native"), range(4)))
    assert [it.code for it in done] == [0, 0, 0, 0]
    assert sorted(it.out.split()[0] for it in done) == [str(plugin)] * 3 + ["wrapped"]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: tap("unwrap", str(plugin)), range(4)))
    assert sorted(it.out for it in done) == [
        *[f"{plugin} is not wrapped\n"] * 3,
        f"unwrapped {plugin}\n",
    ]
    assert listing(plugin.parent) == before


def test_what_cannot_be_wrapped_is_refused(
    plugin: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    Path("plain").write_text("no program")
    Path("dangling").symlink_to("nowhere")
    Path("empty").mkdir()
    installed(Path("two/a"))
    installed(Path("two/b"))
    installed(Path("taken/whatever"))
    for name in ("main", "taken"):
        Path("taken", name).write_text("no program")
    assert refused("wrap", "nothing") == (
        "there is no file nothing: a plugin's name needs --lingxi, a command's --command"
    )
    assert refused("wrap", "plain") == (
        "plain cannot be executed, so no host starts it: `chmod +x` it first"
    )
    assert refused("wrap", "dangling") == "dangling leads to no file: it is no plugin that starts"
    assert refused("wrap", "empty") == "empty: no program in it, as a host would look for one"
    assert refused("wrap", ".") == ". is a folder of plugins: name one of those in it"
    assert refused("wrap", "two") == (
        f"{folder}/two has 2 programs (a, b), and hosts take whichever comes first: name the one "
        "that is the plugin, by its path"
    )
    assert refused("wrap", "taken") == (
        f"{folder}/taken: hosts take its first program, whichever that is, and {folder}/taken/main "
        f"and {folder}/taken/taken are taken: rename one of them"
    )
    assert refused("unwrap", "nothing") == (
        "nothing is neither a file nor wrapped; `tap wrap` lists what is"
    )
    assert refused("wrap", "it", "--off", "--record") == (
        "--record, --replay and --off contradict each other: name one"
    )
    assert refused("wrap", "it", "--only", "x") == "--only is for commands: add --command"
    assert refused("wrap", "--lingxi", "--command", "it") == (
        "--lingxi and --command contradict each other: name one"
    )
    assert refused("wrap", "--off").startswith("name what is to be wrapped (see ")
    assert refused("unwrap").startswith("name what is to be unwrapped; ")
    assert refused("wrap", "it", "--replay", "nope").startswith("no recordings in ")
    assert said(plugin) == "said it\n"


def test_one_of_two_programs_can_be_named(folder: Path) -> None:
    plugin, other = installed(folder / "two/a"), installed(folder / "two/b")
    before = lasting(folder)
    assert tap("wrap", str(plugin), "--off").code == 0
    assert (said(folder / "two/main"), said(other)) == ("said it\n", "said it\n")
    assert tap("unwrap", str(folder / "two")).code == 0
    assert lasting(folder) == before


def test_a_name_of_two_is_told_apart_by_the_path(tmp_path: Path) -> None:
    paths = [installed(tmp_path / it / "plugins/it") for it in ("a", "b")]
    for path in paths:
        tap("wrap", str(path), "--no-native")
    listed = ", ".join(map(str, paths))
    assert refused("unwrap", "it") == f"it may be any of {listed}: name it by its path"
    assert tap("unwrap", "--all").out == f"unwrapped {paths[0]}\nunwrapped {paths[1]}\n"


@pytest.mark.parametrize("order", [("it", "other"), ("other", "it")])
def test_two_files_of_one_folder_are_unwrapped_in_any_order(
    plugin: Path, folder: Path, order: tuple[str, str]
) -> None:
    installed(folder / "other")
    before = listing(folder)
    for name in ("it", "other"):
        assert tap("wrap", str(folder / name), "--no-native").code == 0
    first, second = order
    assert tap("unwrap", first).code == 0
    assert (folder / ".tap" / second / "real" / first).resolve() == folder / first
    assert tap("unwrap", second).code == 0
    assert listing(folder) == before
    assert plugin.exists()


def test_a_name_of_what_is_wrapped_is_not_taken_for_a_file_here(
    plugin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tap("wrap", str(plugin), "--no-native")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "it").mkdir()
    assert tap("wrap", "it", "--off").out == f"{plugin}: off\n"
    assert refused("wrap", "./it") == "./it: no program in it, as a host would look for one"
    assert tap("unwrap", "it").out == f"unwrapped {plugin}\n"


def test_replays_of_what_is_wrapped_have_its_bounds_and_its_rules(
    plugin: Path, tmp_path: Path
) -> None:
    tape = tmp_path / "bug.tape"
    tape.write_text('{"tape": 1}\n[0, "in", "{\\"token\\": \\"a\\"}\\n"]\n[0, "out", "ok\\n"]\n')
    folder = tmp_path / "replays"
    wished = ("--recordings", str(folder), "--keep", "count=2", "--redact", "key:token")
    assert tap("wrap", str(plugin), "--replay", str(tape), *wished).code == 0
    for _ in range(3):
        played = subprocess.run(
            [plugin],
            input=b'{"token": "hunter2hunter2"}\n',
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert played.stdout == b"ok\n"
        wait_for_ingesters(folder)
    files = list(folder.iterdir())
    assert len(recordings(str(folder))) == 2
    assert not any(b"hunter2" in it.read_bytes() for it in files if it.is_file())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may wrap what is another user's")
def test_root_is_told_that_another_user_s_host_could_not_read_the_settings(
    plugin: Path, folder: Path
) -> None:
    os.chown(folder, 12345, 12345)
    done = tap("wrap", str(plugin), "--no-native")
    assert done.out.splitlines()[1] == (
        f"{folder} is another user's (number 12345): if the host runs as that user, it cannot read "
        "the settings, and nothing is recorded; then unwrap it, and wrap it as that user"
    )


def test_a_folder_is_known_however_it_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(folder / "one/one")
    monkeypatch.chdir(folder / "one")
    for written in (f"{folder}/one/", f"{folder}/one//", ".", "./", "../one", "./one", "one"):
        assert tap("wrap", written, "--off", "--no-native").code == 0
        assert tap("unwrap", written) == Said(0, f"unwrapped {folder}/one/one\n", "")
