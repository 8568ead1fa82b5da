"""What the tests of wrapping do and look at, in one call each."""

import os
from pathlib import Path

from tapproxy.wrap.configs.words import own_command
from tapproxy.wrap.configs.wrapping import wrap_config
from tapproxy.wrap.kinds import Act
from tapproxy.wrap.modes import Mode
from tapproxy.wrap.registry import Entry
from tests.tapproxy.wrap.configs.samples import text_of

[TAP, *MODULE] = own_command()


def wrap(config: Path, act: Act, *servers: str, mode: Mode | None = None) -> None:
    """Wrap servers of a file; their recordings go to a folder beside the registry."""
    folder = os.path.join(os.path.dirname(act.registry.folder), "recordings")
    wrap_config(str(config), servers, mode, act, {"recordings": folder})


def entry(act: Act, server: str = "time") -> Entry:
    """Return the entry of a server."""
    return next(it for it in act.registry.entries() if it.part == server)


def words(config: Path, server: str = "time") -> tuple[str, ...]:
    """Return what the client starts."""
    found = text_of("cursor", str(config), config.read_text()).server(server)
    assert found is not None
    return found.words


def around(config: Path) -> set[str]:
    """Return the names in the file's folder."""
    return set(os.listdir(config.parent))
