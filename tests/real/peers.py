"""The third-party hosts and plugins of these tests: one entry each."""

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.real.install import is_installed, peers_folder

CLIENTS = Path(__file__).parent / "clients"
PROGRAMS = Path(__file__).parents[1] / "dialect_fixtures" / "programs"
FOLDER = peers_folder()
NODE = FOLDER / "node"
EVERYTHING = NODE / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist"
ESBUILD = next(NODE.glob("node_modules/@esbuild/*/bin/esbuild"), NODE / "esbuild")


@dataclass(frozen=True, slots=True)
class Peer:
    """A client script with the server that it takes as its arguments."""

    name: str
    program: str  # without which these tests cannot be wanted: a name in PATH
    folder: str | None  # folders of install.py; None: nothing is to be installed
    client: list[str]
    server: list[str]
    framing: str  # of both directions: lines, content-length, raw
    links: Mapping[str, str]  # what the host gives its plugin for each stream
    outcomes: tuple[str, ...]  # how the session may end
    options: tuple[str, ...] = ()  # of tap run
    is_reversible: bool = False  # with REVERSED=1 it asks at once in another order


PIPES = {"in": "pipe", "out": "pipe", "err": "pipe"}
SOCKETS = {"in": "socket", "out": "socket", "err": "socket"}
ENDED_OR_TOLD_TO = ("exit 0", "signal SIGTERM")
"""MCP hosts close stdin and send TERM two seconds later, esbuild does both at once."""


def python_of(venv: str) -> str:
    """Return the interpreter of one virtual environment."""
    return str(FOLDER / venv / "bin" / "python")


PEERS = [
    Peer(
        name="mcp-python",
        program=sys.executable,
        folder="mcp",
        client=[python_of("mcp"), str(CLIENTS / "mcp_time.py")],
        server=[str(FOLDER / "mcp" / "bin" / "mcp-server-time"), "--local-timezone", "UTC"],
        framing="lines",
        links=PIPES,
        outcomes=ENDED_OR_TOLD_TO,
        is_reversible=True,
    ),
    Peer(
        name="mcp-python-with-node",
        program="node",
        folder="mcp node",
        client=[python_of("mcp"), str(CLIENTS / "mcp_everything.py")],
        server=["node", str(EVERYTHING / "index.js")],
        framing="lines",
        links=PIPES,
        outcomes=ENDED_OR_TOLD_TO,
        is_reversible=True,
    ),
    Peer(
        name="mcp-typescript",
        program="node",
        folder="node",
        client=["node", str(CLIENTS / "mcp_everything.mjs"), str(NODE)],
        server=["node", str(EVERYTHING / "index.js")],
        framing="lines",
        links=SOCKETS,
        outcomes=ENDED_OR_TOLD_TO,
        is_reversible=True,
    ),
    Peer(
        name="mcp-typescript-with-python",
        program="node",
        folder="mcp node",
        client=["node", str(CLIENTS / "mcp_time.mjs"), str(NODE)],
        server=[str(FOLDER / "mcp" / "bin" / "mcp-server-time"), "--local-timezone", "UTC"],
        framing="lines",
        links=SOCKETS,
        outcomes=ENDED_OR_TOLD_TO,
        is_reversible=True,
    ),
    Peer(
        name="lsp-ruff",
        program=sys.executable,
        folder="lsp",
        client=[python_of("lsp"), str(CLIENTS / "lsp_ruff.py")],
        server=[str(FOLDER / "lsp" / "bin" / "ruff"), "server"],
        framing="content-length",
        links=PIPES,
        outcomes=("exit 0",),
    ),
    Peer(
        name="lsp-clangd",
        program=sys.executable,
        folder="lsp",
        client=[python_of("lsp"), str(CLIENTS / "lsp_clangd.py")],
        server=[str(FOLDER / "lsp" / "bin" / "clangd"), "--background-index=false"],
        framing="content-length",
        links=PIPES,
        outcomes=("exit 0",),
    ),
    Peer(
        name="acp-python",
        program=sys.executable,
        folder="acp",
        client=[python_of("acp"), str(PROGRAMS / "acp_client.py")],
        server=[python_of("acp"), str(PROGRAMS / "acp_agent.py")],
        framing="lines",
        links=PIPES,
        outcomes=ENDED_OR_TOLD_TO,
    ),
    Peer(
        name="dap-debugpy",
        program=sys.executable,
        folder="dap",
        client=[python_of("dap"), str(CLIENTS / "dap_debugpy.py")],
        server=[python_of("dap"), "-m", "debugpy.adapter"],
        framing="content-length",
        links=PIPES,
        outcomes=("exit 0",),
    ),
    Peer(
        name="git-upload-pack",
        program="git",
        folder=None,
        client=[sys.executable, str(CLIENTS / "git_clone.py")],
        server=["git", "upload-pack"],
        framing="raw",
        links=PIPES,
        outcomes=("exit 0",),
        options=("--framing", "raw"),  # it begins with lines, and goes on with a pack
    ),
    Peer(
        name="esbuild-service",
        program="node",
        folder="node",
        client=["node", str(CLIENTS / "esbuild_service.mjs"), str(NODE)],
        server=[str(ESBUILD)],
        framing="raw",
        links={**SOCKETS, "err": "pipe"},
        outcomes=ENDED_OR_TOLD_TO,
    ),
]


def why_not(peer: Peer) -> str | None:
    """Say why a peer cannot be run at all here, if so: its host program is not on this machine."""
    return None if shutil.which(peer.program) else f"there is no {peer.program} on this machine"


def missing(peer: Peer) -> str | None:
    """Say what has to be installed first, if anything."""
    if peer.folder is None or all(is_installed(FOLDER, it) for it in peer.folder.split()):
        return None
    return "peers are not installed: python tests/real/install.py"
