"""A home of its own for each test of what is written on the disk."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tapproxy.wrap.files import Files
from tapproxy.wrap.kinds import Act
from tapproxy.wrap.registry import Registry

Acting = Callable[..., Act]


@pytest.fixture
def said() -> list[str]:
    """Return the lines that the user was told."""
    return []


@pytest.fixture
def acting(tmp_path: Path, said: list[str]) -> Acting:
    """Return what makes an act: by these files, or only told."""

    def make(files: Files | None = None, **options: bool) -> Act:
        files = Files() if files is None else files
        folder = tmp_path / "registry"
        folder.mkdir(exist_ok=True)
        return Act(Registry(str(folder), files), files, said.append, **options)

    return make


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return a client's file with two servers and one on the network."""
    path = tmp_path / "home/.cursor/mcp.json"
    path.parent.mkdir(parents=True)
    path.write_text(CONFIG)
    os.chmod(path, 0o640)
    return path


CONFIG = """{
  // mine
  "mcpServers": {
    "time": { "command": "uvx", "args": ["mcp-server-time"], "env": { "TOKEN": "s" } },
    "notes": { "command": "node" },
    "far": { "url": "https://example.com/mcp" },
  }
}
"""
