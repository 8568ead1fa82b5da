"""Installs the third-party clients and servers that tests/real talks to, each in its own folder.

`python tests/real/install.py [--to DIR]`; what is already there is left as it is.
"""

import argparse
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PINS = Path(__file__).parent / "pins"
STAMP = "installed.txt"
VENVS = ("mcp", "lsp", "dap", "acp")
"""One virtual environment each: their requirements contradict each other."""


def peers_folder() -> Path:
    """Where the peers are: `$TAP_PEERS`, else a folder in the user's cache."""
    if asked := os.environ.get("TAP_PEERS"):
        return Path(asked).absolute()
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache, "tap-peers")


def pins_of(name: str) -> Path:
    """Return the file that names the versions of one folder."""
    return PINS / ("node.json" if name == "node" else f"{name}.txt")


def is_installed(folder: Path, name: str) -> bool:
    """Tell whether a folder of peers is whole and of today's pins."""
    home = folder / name
    stamp, python = home / STAMP, home / "bin" / "python"
    runs = name == "node" or python.exists()  # a link that dangles once its Python was removed
    return runs and stamp.is_file() and stamp.read_text() == pins_of(name).read_text()


def install(folder: Path, name: str) -> str:
    """Install one folder of peers unless it is there; return what was done."""
    if is_installed(folder, name):
        return f"{name}: already there"
    home = folder / name
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    if name == "node":
        fill_node_folder(home)
    else:
        fill_venv(home, pins_of(name))
    shutil.copy(pins_of(name), home / STAMP)
    return f"{name}: installed"


def fill_venv(home: Path, pins: Path) -> None:
    """Make a virtual environment with the pinned packages."""
    run([sys.executable, "-m", "venv", str(home)])
    pip = [str(home / "bin" / "python"), "-m", "pip"]
    run([*pip, "install", "--quiet", "--disable-pip-version-check", "-r", str(pins)])


def fill_node_folder(home: Path) -> None:
    """Install the pinned npm packages, without running their install scripts."""
    shutil.copy(pins_of("node"), home / "package.json")
    run(["npm", "install", "--prefix", str(home), "--ignore-scripts", "--no-audit", "--no-fund"])


def run(argv: list[str]) -> None:
    """Run a package manager; its output is shown only when it fails."""
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.stderr.buffer.write(done.stdout)
        raise SystemExit(f"exit {done.returncode}: {' '.join(argv)}")


def main() -> None:
    """Install every folder at once: nearly all of the time is waiting for downloads."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", metavar="DIR", type=Path, default=peers_folder())
    folder = parser.parse_args().to.absolute()
    names = [*VENVS, "node"] if shutil.which("npm") else list(VENVS)
    with ThreadPoolExecutor() as pool:
        for line in pool.map(lambda name: install(folder, name), names):
            print(line)
    print(f"the peers are in {folder}")
    if folder != peers_folder():
        print(f"the tests find them there with TAP_PEERS={folder}")


if __name__ == "__main__":
    main()
