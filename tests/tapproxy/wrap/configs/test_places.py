"""Where each client has its files, on each system."""

import os
from pathlib import Path

import pytest

from tapproxy.wrap.configs.formats import FORMATS
from tapproxy.wrap.configs.places import Surroundings, file_of, files_of, places_of
from tapproxy.wrap.errors import WrapError

PLACES = {
    "claude-code": {
        "linux": ["/code/.mcp.json", "/home/me/.claude.json"],
        "darwin": ["/code/.mcp.json", "/home/me/.claude.json"],
        "win32": ["/code/.mcp.json", "/home/me/.claude.json"],
    },
    "claude-desktop": {
        "linux": ["/home/me/.config/Claude/claude_desktop_config.json"],
        "darwin": ["/home/me/Library/Application Support/Claude/claude_desktop_config.json"],
        "win32": ["/home/me/AppData/Roaming/Claude/claude_desktop_config.json"],
    },
    "cursor": {
        "linux": ["/code/.cursor/mcp.json", "/home/me/.cursor/mcp.json"],
        "darwin": ["/code/.cursor/mcp.json", "/home/me/.cursor/mcp.json"],
        "win32": ["/code/.cursor/mcp.json", "/home/me/.cursor/mcp.json"],
    },
    "vscode": {
        "linux": [
            "/code/.vscode/mcp.json",
            "/code/.vscode/settings.json",
            "/home/me/.config/Code/User/mcp.json",
            "/home/me/.config/Code/User/settings.json",
        ],
        "darwin": [
            "/code/.vscode/mcp.json",
            "/code/.vscode/settings.json",
            "/home/me/Library/Application Support/Code/User/mcp.json",
            "/home/me/Library/Application Support/Code/User/settings.json",
        ],
        "win32": [
            "/code/.vscode/mcp.json",
            "/code/.vscode/settings.json",
            "/home/me/AppData/Roaming/Code/User/mcp.json",
            "/home/me/AppData/Roaming/Code/User/settings.json",
        ],
    },
    "zed": {
        "linux": ["/code/.zed/settings.json", "/home/me/.config/zed/settings.json"],
        "darwin": ["/code/.zed/settings.json", "/home/me/.config/zed/settings.json"],
        "win32": ["/code/.zed/settings.json", "/home/me/AppData/Roaming/Zed/settings.json"],
    },
    "codex": {
        "linux": ["/code/.codex/config.toml", "/home/me/.codex/config.toml"],
        "darwin": ["/code/.codex/config.toml", "/home/me/.codex/config.toml"],
        "win32": ["/code/.codex/config.toml", "/home/me/.codex/config.toml"],
    },
    "helix": {
        "linux": ["/code/.helix/languages.toml", "/home/me/.config/helix/languages.toml"],
        "darwin": ["/code/.helix/languages.toml", "/home/me/.config/helix/languages.toml"],
        "win32": ["/code/.helix/languages.toml", "/home/me/AppData/Roaming/helix/languages.toml"],
    },
    "neovim": {
        "linux": ["/home/me/.config/nvim/init.lua"],
        "darwin": ["/home/me/.config/nvim/init.lua"],
        "win32": ["/home/me/AppData/Local/nvim/init.lua"],
    },
    "mcp": {
        "linux": ["/home/me/.copilot/mcp-config.json"],
        "darwin": ["/home/me/.copilot/mcp-config.json"],
        "win32": ["/home/me/.copilot/mcp-config.json"],
    },
}

MOVED = {
    "XDG_CONFIG_HOME": "/config",
    "APPDATA": "/roaming",
    "CODEX_HOME": "/codex",
    "CLAUDE_CONFIG_DIR": "/claude",
}


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("form", FORMATS, ids=lambda it: it.name)
def test_a_client_has_its_files_in_these_places(form: object, system: str) -> None:
    around = Surroundings(system, "/home/me", "/code", {})
    found = next(it for it in FORMATS if it is form)
    assert places_of(found, around) == PLACES[found.name][system]


@pytest.mark.parametrize(
    ("name", "system", "place"),
    [
        ("zed", "linux", "/config/zed/settings.json"),
        ("zed", "darwin", "/home/me/.config/zed/settings.json"),
        ("claude-desktop", "win32", "/roaming/Claude/claude_desktop_config.json"),
        ("codex", "linux", "/codex/config.toml"),
        ("claude-code", "linux", "/claude/.claude.json"),
    ],
)
def test_variables_move_some_of_them(name: str, system: str, place: str) -> None:
    form = next(it for it in FORMATS if it.name == name)
    assert places_of(form, Surroundings(system, "/home/me", "/code", MOVED))[-1] == place


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home folder in which we work in a project."""
    for name in MOVED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    return tmp_path


def written(path: Path, server: str) -> str:
    """Write a configuration with one server; return its path."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'{{"mcpServers": {{"{server}": {{"command": "a"}}}}}}')
    return str(path)


def test_of_a_client_s_files_the_one_is_meant_that_has_the_server(home: Path) -> None:
    user = written(home / ".cursor/mcp.json", "time")
    assert file_of("cursor", []) == user
    project = written(home / "project/.cursor/mcp.json", "notes")
    assert file_of("cursor", ["time"]) == user
    assert file_of("cursor", ["notes"]) == project
    both = f"cursor has {project}, {user}"
    for servers, message in (
        ([], f"{both}: name one with --config"),
        (["far"], f"{both}; none of them has far"),
    ):
        with pytest.raises(WrapError) as raised:
            file_of("cursor", servers)
        assert str(raised.value) == message


def test_a_client_may_be_called_by_a_shorter_name(home: Path) -> None:
    around = Surroundings("linux", str(home), os.getcwd(), {})
    user = written(home / ".claude.json", "time")
    assert files_of("claude", around) == [user]


def test_a_client_without_a_file_and_one_that_is_unknown_are_said(home: Path) -> None:
    around = Surroundings("linux", str(home), os.getcwd(), {})
    for client, message in (
        (
            "codex",
            f"codex has no file here; looked for {home}/project/.codex/config.toml, "
            f"{home}/.codex/config.toml (another: --config FILE)",
        ),
        (
            "emacs",
            "no client emacs is known; known are claude-code, claude-desktop, codex, cursor, "
            "helix, mcp, neovim, vscode, zed: name its file, --config",
        ),
    ):
        with pytest.raises(WrapError) as raised:
            files_of(client, around)
        assert str(raised.value) == message
