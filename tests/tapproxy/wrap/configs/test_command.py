"""`tap wrap` and `tap unwrap` with a client's configuration, as processes."""

import os
from pathlib import Path

import pytest

from tests.tapproxy.calls import tap
from tests.tapproxy.wrap.configs.conftest import CONFIG
from tests.tapproxy.wrap.plugins import ROOT
from tests.tapproxy.wrap.small import refused

FIXTURE = ROOT / "fixtures/tapes/lingxi-late.tape"


def test_a_server_is_listed_wrapped_and_unwrapped_by_its_name(config: Path, tmp_path: Path) -> None:
    listed = tap("wrap", "--config", str(config))
    assert listed.out.splitlines()[:2] == [f"Cursor, {config}:", "  time   uvx mcp-server-time"]
    wrapped = tap("wrap", "--config", str(config), "time", "notes")
    folder = tmp_path / "recordings"
    assert [it for it in wrapped.out.splitlines() if not it.startswith("`")] == [
        f"time (Cursor): recorded from its next start on, in {folder}",
        f"notes (Cursor): recorded from its next start on, in {folder}",
    ]
    both = tap("wrap").out.splitlines()
    assert both == [
        f"config  notes (Cursor)  record  {config}",
        f"config  time (Cursor)   record  {config}",
    ]
    assert tap("unwrap", str(config)).err == (
        f"tap: {config} may be any of 'notes (Cursor)' in {config}, 'time (Cursor)' in {config}: "
        "name it so, or --config and --server\n"
    )
    assert tap("unwrap", "time", "notes (Cursor)").code == 0
    assert config.read_text() == CONFIG


def test_a_client_s_file_is_found(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert tap("wrap", "--client", "cursor", "--server", "time").code == 0
    assert tap("unwrap", "--client", "cursor", "--server", "time").code == 0
    assert config.read_text() == CONFIG


def test_bounds_of_what_is_kept_are_in_its_words_and_stay_there(config: Path) -> None:
    named = ("--config", str(config), "--server", "time")
    for given, words in (
        ((), '"--keep", "default", "--"'),
        (("--keep", "count=3"), '"--keep", "count=3", "--"'),
        (("--replay", str(FIXTURE)), '"--as", "plugin", "--keep", "count=3"]'),
        (("--record",), '"--keep", "count=3", "--"'),
        (("--keep", "none"), '"--name", "time", "--"'),
        (("--keep", "default"), '"--keep", "default", "--"'),
    ):
        assert tap("wrap", *named, *given).code == 0
        assert words in config.read_text()
    assert tap("wrap", *named, "--keep", "many").err == (
        "tap: --keep: 'many' is none of count=200, age=30d, size=1GiB\n"
    )
    assert tap("unwrap", *named).code == 0
    assert config.read_text() == CONFIG


def test_what_is_not_wrapped_is_said_not_to_be(config: Path) -> None:
    reason = f"time in {config} is not wrapped; `tap wrap` lists what is"
    assert refused("unwrap", "--config", str(config), "--server", "time") == reason
    reason = f"nothing in {config} is wrapped; `tap wrap` lists what is"
    assert refused("unwrap", "--config", str(config)) == reason


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "mcp.json"
    os.mkfifo(pipe)
    reason = f"{pipe} is a pipe or a device: name the file that the client reads"
    assert refused("wrap", "--config", str(pipe)) == reason


def test_a_file_in_which_no_server_has_a_command_says_why(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    path.write_text('{"mcpServers": {"time": {"url": "http://user:token@example.org/"}}}')
    assert refused("wrap", "--config", str(path), "time") == (
        f"time in {path} is reached over the network at example.org: no program is started whose "
        "stdin and stdout tap could record"
    )


def test_a_broken_file_is_one_line_and_exit_code_2(config: Path) -> None:
    broken = CONFIG + "}"
    config.write_text(broken)
    done = tap("wrap", "--config", str(config), "--server", "time")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"tap: {config} is broken JSON, line 9, column 1: something follows the last closing "
        "brace; it is left as it is: correct it first\n"
    )
    assert config.read_text() == broken
