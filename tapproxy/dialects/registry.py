"""The list of dialects, ours and those that other packages add."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from tapproxy.dialects.acp import ACP
from tapproxy.dialects.api import Dialect
from tapproxy.dialects.dap import DAP
from tapproxy.dialects.jsonl import JSONL
from tapproxy.dialects.jsonrpc import JSONRPC
from tapproxy.dialects.lingxi import LINGXI
from tapproxy.dialects.lsp import LSP
from tapproxy.dialects.mcp import MCP
from tapproxy.dialects.raw import RAW
from tapproxy.dialects.xlings import XLINGS
from tapproxy.errors import USAGE, TapError

OURS: tuple[Dialect, ...] = (LINGXI, XLINGS, ACP, MCP, DAP, LSP, JSONRPC, JSONL, RAW)
"""In the order in which they are asked whether a session is theirs."""

GROUP = "tapproxy.dialects"
"""The entry-point group by which packages add theirs: each names a Dialect."""


class Others(NamedTuple):
    """The dialects of other packages, and why some could not be loaded, by name."""

    found: tuple[Dialect, ...]
    failed: Mapping[str, str]


def dialects() -> Sequence[Dialect]:
    """Return all dialects; those of other packages are asked before ours."""
    return (*_others().found, *OURS)


def get_dialect(name: str) -> Dialect:
    """Return the dialect of that name; raises TapError where there is none."""
    dialect = find_dialect(name)
    if dialect is not None:
        return dialect
    why_not = _others().failed.get(name)
    if why_not is not None:
        raise TapError(f"the dialect {name!r} is installed, but {why_not}", USAGE)
    known = ", ".join(it.name for it in dialects())
    raise TapError(f"no dialect is called {name!r}; there are {known}", USAGE)


def find_dialect(name: str) -> Dialect | None:
    """Return the dialect of that name, None where there is none."""
    return next((it for it in dialects() if it.name == name), None)


@cache
def _others() -> Others:
    """Load the dialects of other packages; one that cannot be loaded ends no recording."""
    if not any(map(_may_name_some, sys.path)):
        return Others((), {})
    from importlib.metadata import entry_points

    found: list[Dialect] = []
    failed: dict[str, str] = {}
    for entry in entry_points(group=GROUP):
        try:
            dialect = entry.load()
        except Exception as error:  # noqa: BLE001  a stranger's code may fail in any way
            failed[entry.name] = f"cannot be loaded: {type(error).__name__}: {error}"
            continue
        if isinstance(dialect, Dialect):
            found.append(dialect)
        else:
            failed[entry.name] = f"{entry.value} is no Dialect"
    return Others(tuple(found), failed)


def _may_name_some(folder: str) -> bool:
    """Tell whether a package in a folder of sys.path may add dialects.

    importlib.metadata knows, but its import takes longer than that of all of ours, and a host
    waits for a replay to start.
    """
    if os.path.isfile(folder):
        return True  # an archive: who looks into it needs more than we have here
    for path in _lists_in(folder or os.curdir):
        with suppress(OSError), open(path, "rb") as file:
            if GROUP.encode() in file.read():
                return True
    return False


def _lists_in(folder: str) -> Iterator[str]:
    """Yield where the packages in a folder list their entry points (PyPA, entry points)."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if name.lower().endswith(("-info", ".egg")):  # .dist-info, .egg-info, EGG-INFO
                inner = os.path.join(folder, name)
                yield os.path.join(inner, "entry_points.txt")
                yield os.path.join(inner, "EGG-INFO", "entry_points.txt")
