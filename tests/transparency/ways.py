"""Starts a child bare or through tap, in all else alike."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import Literal

import pytest

from tests.transparency.child import Child, Stream
from tests.transparency.links import Link, pipe_from_child, pipe_to_child

Way = Literal["bare", "tapped"]
Arguments = Sequence[str | bytes]

ROOT = Path(__file__).parents[2]
SOURCES = os.pathsep.join(str(ROOT / name) for name in (".", "store", "viewers"))
PYTHON = (sys.executable, "-I", "-S")
"""An interpreter that starts as fast as one can: no site-packages, no environment."""
TAP = (sys.executable, "-m", "tapproxy")

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc or uses pidfds")


def program(name: str, *arguments: str) -> list[str]:
    """Return the command of one of the tiny programs in tests/programs."""
    return [*PYTHON, str(ROOT / "tests" / "programs" / name), *arguments]


def plugin(*lines: str) -> list[str]:
    """Return the command of a plugin that does what a few lines of Python say."""
    return [*PYTHON, "-c", "\n".join(("import os, select, signal, sys, threading", *lines))]


def environment(**more: str) -> dict[str, str]:
    """Return the environment in which both ways start: ours, and where our packages are."""
    return {**os.environ, "PYTHONPATH": SOURCES, **more}


def lean_environment() -> dict[str, str]:
    """Return the same without coverage's variables: they cost time and memory."""
    return {name: value for name, value in environment().items() if not name.startswith("COV")}


@dataclass(slots=True)
class Starter:
    """Starts children one way; the fixture ends them."""

    way: Way
    folder: Path
    children: list[Child] = field(default_factory=list)

    @property
    def tapped(self) -> bool:
        """Whether tap stands between."""
        return self.way == "tapped"

    def __call__(
        self,
        command: Arguments,
        *,
        stdin: Link | None = None,
        stdout: Link | None = None,
        stderr: Link | None = None,
        under: Sequence[str] = (),
        options: Sequence[str] = (),
        file: str | None = None,
        env: dict[str, str] | dict[bytes, bytes] | None = None,
        cwd: str | None = None,
        fd3: int | None = None,
        before: Callable[[], object] | None = None,
        group: int | None = 0,
        session: bool = False,
    ) -> Child:
        """Start a command, by default over three pipes and in a process group of its own.

        `under` is a program of the host's side that starts the command. `fd3` is a descriptor
        that the child gets as its descriptor 3; `before` runs in the child before the command.
        The links' child ends are closed here.
        """
        links: dict[Stream, Link] = {
            "in": stdin or pipe_to_child(),
            "out": stdout or pipe_from_child(),
            "err": stderr or pipe_from_child(),
        }
        if self.tapped:
            file = file or str(self.folder / f"{len(self.children)}.tap")
            command = [*TAP, "run", "-o", file, *options, "--", *command]
        process = Popen(
            [*under, *command],
            stdin=links["in"].child,
            stdout=links["out"].child,
            stderr=links["err"].child,
            env=environment() if env is None else env,
            cwd=cwd or self.folder,
            close_fds=fd3 is None,
            preexec_fn=partial(_prepare, fd3, before),  # noqa: PLW1509 - no threads here yet
            process_group=None if session else group,
            start_new_session=session,
        )
        for fd in {link.child for link in links.values()}:
            os.close(fd)
        ends = {name: link.host for name, link in links.items() if link.host is not None}
        child = Child(process, ends, file if self.tapped else None)
        self.children.append(child)
        return child

    def end(self) -> None:
        """End all children."""
        for child in self.children:
            child.end()


def _prepare(fd3: int | None, before: Callable[[], object] | None) -> None:
    if fd3 is not None:
        os.dup2(fd3, 3)
        os.set_inheritable(3, True)  # noqa: FBT003 - its only parameter
    if before is not None:
        before()
