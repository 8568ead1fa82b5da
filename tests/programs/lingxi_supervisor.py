"""Finds plugins and starts each of them, as LingXi hosts of three generations do.

`lingxi_supervisor.py --generation N [--suspicious] [--global-root FOLDER] PROJECT HOME`. Prints a
line of JSON for each plugin that it found: its path, and what `lingxi_host.py` says of it. The real
ones pass over hidden entries among the plugins (not within a plugin's folder), and take a folder
for executable. With `--suspicious` every executable file is taken, hidden or not, and no folder.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HOST = Path(__file__).with_name("lingxi_host.py")

PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR")
"""What generation 4 lets through, besides LC_* and what these tests do not have."""

CALLS = "start,before,echo,done,command"


Taken = Callable[[Path], bool]
"""Whether a path is taken for a program."""


def found(folder: Path, taken: Taken, *, hidden: bool) -> list[Path]:
    """Return the programs of a folder of plugins."""
    names = os.listdir(folder) if folder.is_dir() else []
    entries = [folder / name for name in names if hidden or not name.startswith(".")]
    return [path for entry in entries if (path := resolved(entry, taken)) is not None]


def resolved(entry: Path, taken: Taken) -> Path | None:
    """Return the program that is started for a file or folder among the plugins."""
    if not entry.is_dir():
        return entry if taken(entry) else None
    for candidate in (entry.name, f"bin/{entry.name}", "main"):
        if taken(entry / candidate):
            return entry / candidate
    return next((entry / it for it in os.listdir(entry) if taken(entry / it)), None)


def is_executable(path: Path) -> bool:
    """Tell it as Foundation does: of a folder, too."""
    return os.access(path, os.X_OK)


def is_program(path: Path) -> bool:
    """Tell it as it is meant."""
    return path.is_file() and os.access(path, os.X_OK)


def talk(path: Path, generation: int) -> str:
    """Start a plugin in its folder, without arguments, and talk to it."""
    inherited = generation < 4
    environment = {
        name: value
        for name, value in os.environ.items()
        if inherited or name in PASSED_ON or name.startswith("LC_")
    }
    command = [sys.executable, str(HOST), "--generation", str(generation), "--calls", CALLS]
    done = subprocess.run(
        [*command, "--", str(path)],
        cwd=path.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return json.dumps({"path": str(path), "said": done.stdout, "trouble": done.stderr})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--generation", type=int, choices=(1, 3, 4), default=4)
    parser.add_argument("--suspicious", action="store_true")
    parser.add_argument("--global-root", type=Path)
    parser.add_argument("project", type=Path)
    parser.add_argument("home", type=Path)
    options = parser.parse_args()
    folders = [options.project / ".lingxi/plugins", options.home / ".lingxiagent/plugins"]
    if options.global_root is not None:
        folders.insert(1, options.global_root / "plugins")
    hidden = options.suspicious
    taken = is_program if hidden else is_executable
    paths = [path for folder in folders for path in found(folder, taken, hidden=hidden)]
    with ThreadPoolExecutor(8 if options.generation == 4 else 1) as pool:
        for line in pool.map(lambda path: talk(path, options.generation), paths):
            print(line)


if __name__ == "__main__":
    main()
