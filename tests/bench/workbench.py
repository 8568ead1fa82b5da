"""What every measure works with: compiled programs, a scratch folder, and how tap is called."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree

ROOT = Path(__file__).resolve().parents[2]
LONGEST_RUN_S = 300.0
LONGEST_INGEST_S = 120.0


@dataclass(frozen=True, slots=True)
class Workbench:
    """The place of one run of the bench."""

    programs: Path  # folder of the compiled C programs
    scratch: Path  # folder for journals and recordings
    tap: list[str]  # what to type for `tap`
    rounds: int
    scale: float  # of sizes and counts
    env: dict[str, str]
    notes: list[str] = field(default_factory=list)

    @classmethod
    def prepare(
        cls, folder: Path, rounds: int, scale: float, compiled: Callable[[Path], Path]
    ) -> "Workbench":
        """Make the folders, compile, and find tap: a script beside this Python, else the module."""
        programs, scratch = folder / "bin", folder / "scratch"
        programs.mkdir()
        env = {**os.environ, "TAP_DIR": str(scratch), "MCP_REC_NO_NOTICE": "1"}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed tap is not compiled at each start
        script = Path(sys.executable).with_name("tap")
        if script.exists():
            return cls(compiled(programs), scratch, [str(script)], rounds, scale, env)
        env["PYTHONPATH"] = os.pathsep.join(str(ROOT / part) for part in (".", "store", "viewers"))
        tap = [sys.executable, "-m", "tapproxy"]
        return cls(compiled(programs), scratch, tap, rounds, scale, env)

    def program(self, name: str, *arguments: object) -> list[str]:
        """Return the command line of one of our C programs."""
        return [str(self.programs / name), *map(str, arguments)]

    def scaled(self, count: int) -> int:
        """Return `count`, smaller or larger as `--scale` asks."""
        return max(1, round(count * self.scale))

    def output(self, command: list[str]) -> str:
        """Run a command, return its stdout; its stderr is in the exception when it fails."""
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                check=False,
                env=self.env,
                timeout=LONGEST_RUN_S,
            )
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{' '.join(command)}: not over after {LONGEST_RUN_S:.0f} s") from error
        if done.returncode:
            raise Failed(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Give an empty folder; on the way out wait for the ingester in it, then remove it."""
        self.scratch.mkdir()
        try:
            yield self.scratch
            wait_for_ingesters(self.scratch)
        finally:
            rmtree(self.scratch, ignore_errors=True)

    def note(self, text: str) -> None:
        """Keep a remark for below the table; the same remark is kept once."""
        if text not in self.notes:
            self.notes.append(text)


class Failed(Exception):
    """A program that was to be measured did not do its work."""


def wait_for_ingesters(folder: Path) -> None:
    """Return when no `*.tap.wire` is left in `folder`: all is ingested and folded into one file."""
    deadline = time.monotonic() + LONGEST_INGEST_S
    while journals := list(folder.glob("*.tap.wire")):
        if time.monotonic() > deadline:
            raise Failed(f"{journals[0].name} is still there after {LONGEST_INGEST_S:.0f} s")
        time.sleep(0.01)
