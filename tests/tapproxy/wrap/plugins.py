"""Plugins of every layout for tests, a host that finds and starts them, and what is on the disk."""

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SUPERVISOR = ROOT / "tests/programs/lingxi_supervisor.py"
PLUGIN = ROOT / "tests/programs/lingxi_plugin.py"

LAYOUTS = {
    "single": "single",
    "same": "same/same",
    "binned": "binned/bin/binned",
    "mained": "mained/main",
    "first": "first/whatever",
}
"""A plugin's name, and where its program is among the plugins."""

SCRIPT = """#!{python}
import os, runpy, sys
folder = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(folder, {name!r} + ".txt")) as file:
    resource = file.read()
with open({starts!r}, "a") as file:
    file.write({name!r} + " " + resource + " " + os.getcwd() + "\\n")
sys.argv[1:] = {arguments!r}
runpy.run_path({plugin!r}, run_name="__main__")
"""
"""A plugin that needs what lies beside it, and tells that it was started."""

Listing = dict[str, tuple[str, int, int, int]]
"""Of each path below: hash of its bytes, or where it leads; mode; change; a program's access."""


@dataclass(frozen=True, slots=True)
class Found:
    """A plugin that the host found, and what it heard from it."""

    path: str
    said: str
    trouble: str


@dataclass(frozen=True, slots=True)
class Home:
    """A project and a home with plugins."""

    folder: Path

    @property
    def project(self) -> Path:
        """The project's folder."""
        return self.folder / "project"

    @property
    def plugins(self) -> Path:
        """The project's folder of plugins."""
        return self.project / ".lingxi/plugins"

    @property
    def starts(self) -> Path:
        """The file in which each start is a line."""
        return self.folder / "starts"

    def add(self, name: str, path: str, *arguments: str) -> Path:
        """Put a plugin's program and its resource there."""
        program = self.plugins / path
        program.parent.mkdir(parents=True, exist_ok=True)
        (program.parent / f"{name}.txt").write_text(f"resource of {name}")
        text = SCRIPT.format(
            python=sys.executable,
            name=name,
            starts=str(self.starts),
            plugin=str(PLUGIN),
            arguments=list(arguments),
        )
        program.write_text(text)
        program.chmod(0o755)
        for made in (program, program.parent):
            os.utime(made, ns=(1_700_000_000_123_456_789, 1_700_000_000_987_654_321))
        return program

    def host(self, generation: int, *options: str) -> list[Found]:
        """Have a host find and start all plugins; return them by path."""
        command = [sys.executable, str(SUPERVISOR), "--generation", str(generation), *options]
        done = subprocess.run(
            [*command, str(self.project), str(self.folder)],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        found = [Found(**json.loads(line)) for line in done.stdout.splitlines()]
        return sorted(found, key=lambda it: it.path)

    def started(self) -> list[str]:
        """Return the starts since the last call, sorted."""
        lines = self.starts.read_text().splitlines() if self.starts.exists() else []
        self.starts.unlink(missing_ok=True)
        return sorted(lines)


def home_with_plugins(folder: Path) -> Home:
    """Make plugins of every layout."""
    home = Home(folder)
    for name, path in LAYOUTS.items():
        home.add(name, path)
    return home


def listing(folder: Path) -> Listing:
    """List everything below a folder, without a trace."""
    paths = [folder, *sorted(folder.rglob("*"))]
    return {str(path.relative_to(folder)): listed(path) for path in paths}


def listed(path: Path) -> tuple[str, int, int, int]:
    """Return what a listing has of a path."""
    told = path.lstat()
    if path.is_symlink():
        return str(path.readlink()), told.st_mode, told.st_mtime_ns, 0
    if path.is_dir():
        return "", told.st_mode, told.st_mtime_ns, 0
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))
    accessed = told.st_atime_ns if told.st_mode & 0o100 else 0  # others are read by the plugins
    return digest, told.st_mode, told.st_mtime_ns, accessed


def lasting(folder: Path) -> dict[str, tuple[str, int, int]]:
    """List everything below a folder, without the times of access: starting a program sets them."""
    return {path: (what, mode, time) for path, (what, mode, time, _) in listing(folder).items()}
