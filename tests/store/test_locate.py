"""Finding recordings: by path, name, the beginning of a name, and age."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import platformdirs
import pytest

from tapproxy_store import locate
from tapproxy_store.errors import AmbiguousName, CannotRead, RecordingNotFound
from tests.store.nobody import as_nobody

NAMES = [
    "20261130-203005-alpha-12.tap",
    "20261130-203005-beta-13.tap",
    "20261201-080000-alpha-9.tap",
    "20261130-203005-beta-13.tap~2",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder of four recordings, each file changed later than the one before."""
    folder = tmp_path / "recordings"
    folder.mkdir()
    for age, name in enumerate(NAMES):
        (folder / name).touch()
        os.utime(folder / name, ns=(0, age * 10**9))
    monkeypatch.setenv("TAP_DIR", str(folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return folder


def test_recordings_are_listed_newest_first_by_their_names_then_by_their_age(folder: Path) -> None:
    for name in ("notes.txt", "x.tape", "20261130-203005-alpha-12.tap-wal", "x.tap~y"):
        (folder / name).touch()
    (folder / "folder.tap").mkdir()
    expected = [NAMES[2], NAMES[3], NAMES[1], NAMES[0]]
    assert locate.recordings() == [str(folder / name) for name in expected]


def test_a_journal_is_the_recording_that_it_will_become(folder: Path) -> None:
    journal = folder / "20270101-000000-gamma-1.tap.wire"
    journal.touch()
    (folder / f"{NAMES[0]}.wire").touch()
    path = str(journal).removesuffix(".wire")
    assert len(locate.recordings()) == 5
    assert locate.find_recording("last") == path
    assert locate.find_recording(str(journal)) == path
    assert locate.find_recording(path) == path


def test_a_name_of_any_other_kind_is_sorted_by_its_last_change(folder: Path) -> None:
    (folder / "mine.tap").touch()
    stamp = time.mktime((2026, 11, 30, 23, 0, 0, 0, 0, -1))
    os.utime(folder / "mine.tap", (stamp, stamp))
    assert [os.path.basename(path) for path in locate.recordings()[:2]] == [NAMES[2], "mine.tap"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("last", NAMES[2]),
        ("last~0", NAMES[2]),
        ("last~3", NAMES[0]),
        ("20261201", NAMES[2]),
        ("20261130-203005-a", NAMES[0]),
        ("20261130-203005-beta-13", NAMES[1]),
        ("20261130-203005-beta-13.tap", NAMES[1]),
        ("20261130-203005-beta-13.tap~", NAMES[3]),
        ("alpha", NAMES[2]),
        ("al", NAMES[2]),
        ("be", NAMES[3]),
    ],
)
def test_a_recording_is_found(folder: Path, name: str, found: str) -> None:
    assert locate.find_recording(name) == str(folder / found)


def test_a_path_comes_before_a_name(folder: Path) -> None:
    Path("20261201").touch()
    Path("last.tap.wire").touch()
    assert locate.find_recording("20261201") == "20261201"
    assert locate.find_recording("last.tap") == "last.tap"
    Path("20261130-203005-a").mkdir()
    assert locate.find_recording("20261130-203005-a") == str(folder / NAMES[0])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("last~4", "no recording last~4: {} has 4, up to last~3"),
        (
            "zeta",
            "no recording zeta: no file of that name here, and nothing in {} begins so; "
            "did you mean beta? `tap ls` lists what there is",
        ),
        (
            "last~x",
            "no recording last~x: no file of that name here, and nothing in {} begins so; "
            "`tap ls` lists what there is",
        ),
        ("./zeta", "no file ./zeta; `tap ls` lists the recordings"),
        (".", ". is a folder, not a recording; `tap ls` lists the recordings"),
        ("/", "/ is a folder, not a recording; `tap ls` lists the recordings"),
        ("", "a recording has no empty name; `tap ls` lists the recordings"),
    ],
)
def test_what_is_not_found_says_where_it_was_looked_for(
    folder: Path, name: str, words: str
) -> None:
    with pytest.raises(RecordingNotFound) as caught:
        locate.find_recording(name)
    assert str(caught.value) == words.format(folder)


@pytest.mark.parametrize("name", ["empty", "missing"])
def test_before_the_first_recording_the_user_is_told_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("TAP_DIR", str(tmp_path / name))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with pytest.raises(RecordingNotFound) as caught:
        locate.find_recording("last")
    assert str(caught.value) == (
        f"no recordings in {tmp_path / name} yet; `tap run -- COMMAND` makes one, `tap demo` too; "
        "what -o FILE wrote is shown by `tap show FILE`"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="XDG_DATA_HOME moves it on Linux alone")
@pytest.mark.parametrize("name", ["last", "gamma"])
def test_a_recording_whose_host_did_not_pass_the_folder_on_is_pointed_out(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("TAP_DIR", str(tmp_path / "empty"))
    usual = tmp_path / "data/tap/recordings"
    usual.mkdir(parents=True)
    shutil.copy(folder / NAMES[0], usual / "20261130-203005-gamma-1.tap")
    with pytest.raises(RecordingNotFound) as caught:
        locate.find_recording(name)
    assert str(caught.value) == (
        f"no recording {name} in {tmp_path / 'empty'}; there is one in {usual} (did the host "
        f"not pass TAP_DIR on?): `tap show {usual / '20261130-203005-gamma-1.tap'}`"
    )


@pytest.mark.usefixtures("folder")
def test_a_name_that_is_nearly_right_is_guessed() -> None:
    with pytest.raises(RecordingNotFound, match="begins so; did you mean alpha\\? `tap ls` lists"):
        locate.find_recording("aplha")


def test_a_name_that_may_be_several_lists_five_of_them(folder: Path) -> None:
    with pytest.raises(AmbiguousName) as caught:
        locate.find_recording("20261130")
    names = f"{NAMES[3]}, 20261130-203005-beta-13, 20261130-203005-alpha-12"
    assert str(caught.value) == f"20261130 may be any of {names}; type more of the name"
    for number in range(4):
        (folder / f"20261130-203004-x-{number}.tap").touch()
    with pytest.raises(AmbiguousName, match=r"alpha-12, [^,]+, [^,]+ and 2 more; type more"):
        locate.find_recording("20261130")


def test_a_session_is_found_by_its_name_the_newest_where_it_ran_often(folder: Path) -> None:
    for name in ("20270101-000000-my-plugin-1.tap", "20270101-000001-my-plugin-next-2.tap"):
        (folder / name).touch()
    assert locate.find_recording("my-plugin") == str(folder / "20270101-000000-my-plugin-1.tap")
    assert locate.find_recording("my plugin") == locate.find_recording("my-plugin")
    with pytest.raises(AmbiguousName) as caught:
        locate.find_recording("my")
    assert str(caught.value) == "my may be any of my-plugin, my-plugin-next; type more of the name"


def test_a_file_that_the_user_named_has_no_session_in_its_name(folder: Path) -> None:
    for name in ("not-a-stamp-but-long-7.tap", "20270101-000000-x.tap", "20270101-00000-x-1.tap"):
        (folder / name).touch()
    for name in ("but-long", "x", "long"):
        with pytest.raises(RecordingNotFound):
            locate.find_recording(name)


def test_a_folder_that_may_not_be_read_is_one_clear_error(open_folder: Path) -> None:
    closed = open_folder / "closed"
    closed.mkdir()
    closed.chmod(0)
    with pytest.raises(CannotRead) as caught:
        as_nobody(lambda: locate.recordings(str(closed)))
    assert str(caught.value) == f"cannot read the folder {closed}: Permission denied"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("my-plugin", "my-plugin"),
        ("/usr/bin/python3.11", "python3.11"),
        ("a b\n\x1b/c d", "c-d"),
        ("../..", "session"),
        ("-rf", "rf"),
        ("插件", "插件"),
        ("\udcff", "session"),
        ("x" * 300, "x" * 40),
    ],
)
def test_a_new_name_says_when_what_and_which_process(name: str, word: str) -> None:
    made = re.fullmatch(r"(\d{8}-\d{6})-(.*)-(\d+)\.tap", locate.recording_name(name))
    assert made is not None
    age = time.time() - time.mktime(time.strptime(made[1], "%Y%m%d-%H%M%S"))
    assert (made[2], made[3]) == (word, str(os.getpid()))
    assert -1 <= age < 60


@pytest.mark.parametrize("data_home", [None, "", "relative", "/data"])
def test_recordings_are_in_the_users_data_folder(
    monkeypatch: pytest.MonkeyPatch, data_home: str | None
) -> None:
    monkeypatch.delenv("TAP_DIR")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if data_home is not None:
        monkeypatch.setenv("XDG_DATA_HOME", data_home)
    expected = os.path.join(platformdirs.user_data_dir("tap", appauthor=False), "recordings")
    assert locate.recordings_folder() == expected


def test_the_user_may_choose_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TAP_DIR", "~/taps")
    assert locate.recordings_folder() == str(tmp_path / "taps")


def test_a_name_for_a_new_recording_costs_no_import() -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "from tapproxy_store import locate\n"
        "locate.recordings_folder(), locate.recording_name('x')\n"
        "print(sorted(set(sys.modules) - before))"
    )
    environment = {key: value for key, value in os.environ.items() if key != "TAP_DIR"}
    command = [sys.executable, "-c", code]
    out = subprocess.run(
        command, env=environment, capture_output=True, check=True, text=True
    ).stdout
    assert out == "['tapproxy_store', 'tapproxy_store.errors', 'tapproxy_store.locate']\n"
