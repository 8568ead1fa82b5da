"""`tap wrap` and `tap unwrap` with a client's configuration, as processes."""

from pathlib import Path

import pytest

from tests.tapproxy.calls import tap
from tests.tapproxy.wrap.configs.conftest import CONFIG


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
