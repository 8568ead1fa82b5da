"""Compiles the C programs of the bench: the reference, the hosts and the children."""

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


class NoCompiler(Exception):
    """There is no C compiler, or it does not take our sources."""


def compiled(folder: Path, names: str = "*") -> Path:
    """Compile the C files beside this one that are called so into `folder`; return it."""
    compiler = find_compiler()
    for source in sorted(HERE.glob(f"{names}.c")):
        command = [compiler, "-O2", "-pthread", "-o", str(folder / source.stem), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoCompiler(f"{source.name} does not compile:\n{done.stderr}")
    return folder


def find_compiler() -> str:
    """Return the system's `cc`; raise NoCompiler where there is none."""
    found = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not found:
        raise NoCompiler("no C compiler (cc) is in PATH; install gcc or clang: the reference is C")
    return found
