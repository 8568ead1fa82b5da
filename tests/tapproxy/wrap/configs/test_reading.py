"""What is no configuration, or not the one that was meant: named, and left alone."""

from pathlib import Path

import pytest

from tapproxy.wrap.configs.reading import MOST_BYTES, find_server, get_server, read_config
from tapproxy.wrap.errors import WrapError

KNOWN = "Claude Code, Claude Desktop, Cursor, Visual Studio Code, Zed, Codex, Helix, Neovim"
UNKNOWN = (
    "names no server with a command in a way that tap knows: it knows the files of "
    f"{KNOWN}, and any JSON with mcpServers"
)

REFUSED = [
    ("a.json", b"", "{} is broken JSON, line 1, column 1: nothing is in it"),
    (
        "a.json",
        b'{\n  "a": 1\n  "b": 2 }',
        "{} is broken JSON, line 3, column 3: a comma or }} was expected",
    ),
    ("config.toml", b"a = 1\nb = [", "{} is broken TOML, line 2, column 6: invalid value"),
    ("init.lua", b"x = {\n", "{} is broken Lua, line 1, column 5: this {{ is never closed"),
    ("a.json", b'{"a":\n"\xff"}', "{} is not UTF-8 (line 2)"),
    ("a.json", '{"a": 1}'.encode("utf-16"), "{} is not UTF-8 (line 1)"),
    ("a.json", b'{"servers": {"a": {"host": "b"}}}', "{} " + UNKNOWN),
    ("pyproject.toml", b"[project]\nname = 'a'\n", "{} " + UNKNOWN),
]


@pytest.mark.parametrize(("name", "content", "message"), REFUSED)
def test_what_cannot_be_read_says_where_and_why(
    name: str, content: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(WrapError) as raised:
        read_config(str(path))
    said = str(raised.value)
    assert said.startswith(message.format(path))
    assert "\n" not in said
    assert raised.value.exit_code == 2
    assert path.read_bytes() == content


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    with pytest.raises(WrapError) as raised:
        read_config(str(path))
    assert (
        str(raised.value) == f"there is no {path}; name the client's file, or the client: --client"
    )


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(WrapError) as raised:
        read_config(str(tmp_path))
    assert str(raised.value) == f"{tmp_path} is a folder; name the configuration file in it"


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(WrapError) as raised:
        read_config(str(path))
    assert str(raised.value) == f"{path} is larger than 64 MB: no configuration is"


def test_a_client_s_own_file_may_name_no_servers(tmp_path: Path) -> None:
    path = tmp_path / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_text("{}")
    config = read_config(str(path))
    assert (config.format.name, config.servers) == ("cursor", [])


PROJECTS = """{"mcpServers": {"notes": {"command": "a"}}, "projects": {
  "/a": {"mcpServers": {"time": {"command": "a"}, "notes": {"command": "b"}}},
  "/b": {"mcpServers": {"time": {"command": "b"}}}
}}"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tme", "has no server tme; did you mean time?"),
        ("weather", "has no server weather; there are notes, time@/a, notes@/a, time@/b"),
        (
            "time",
            "has several servers called time: time@/a, time@/b; name one of these with --server",
        ),
    ],
)
def test_a_server_that_is_not_there_or_not_the_only_one_is_said(
    name: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / ".claude.json"
    path.write_text(PROJECTS)
    with pytest.raises(WrapError) as raised:
        get_server(read_config(str(path)), name)
    assert str(raised.value) == f"{path} {message}"


@pytest.mark.parametrize(("name", "key"), [("notes", "notes"), ("time@/b", "time@/b"), ("x", None)])
def test_a_server_is_meant_by_its_name_and_by_its_folder(
    name: str, key: str | None, tmp_path: Path
) -> None:
    path = tmp_path / ".claude.json"
    path.write_text(PROJECTS)
    found = find_server(read_config(str(path)), name)
    assert (found.key if found else None) == key
