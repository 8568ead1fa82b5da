"""The list of dialects, ours and those that other packages add."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import entry_points

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


@cache
def dialects() -> Sequence[Dialect]:
    """Return all dialects; those of other packages are asked before ours."""
    return (*_others(), *OURS)


def get_dialect(name: str) -> Dialect:
    """Return the dialect of that name; raises TapError where there is none."""
    for dialect in dialects():
        if dialect.name == name:
            return dialect
    known = ", ".join(it.name for it in dialects())
    raise TapError(f"no dialect is called {name!r}; there are {known}", USAGE)


def find_dialect(name: str) -> Dialect | None:
    """Return the dialect of that name, None where there is none."""
    return next((it for it in dialects() if it.name == name), None)


def _others() -> list[Dialect]:
    """Load the dialects of other packages; one that cannot be loaded is left out."""
    found = []
    for entry in entry_points(group=GROUP):
        try:
            dialect = entry.load()
        except Exception:  # noqa: BLE001, S112, PERF203  a stranger's code must not end a recording
            continue
        if isinstance(dialect, Dialect):
            found.append(dialect)
    return found
