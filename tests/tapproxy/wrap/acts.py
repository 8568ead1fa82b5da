"""Files that die after some system calls, and what wraps and unwraps by them."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tapproxy.wrap.files import Files
from tapproxy.wrap.kinds import Act, kind_of, recover_all
from tapproxy.wrap.launched import Wish
from tapproxy.wrap.modes import Mode
from tapproxy.wrap.plugins import wrap
from tapproxy.wrap.registry import Entry, Registry
from tapproxy.wrap.targets import plugin_at

DIED = 77

OFF = Wish(Mode("off"), native=False)
ON = Wish(Mode("record"))


class Dying(Files):
    """Ends the process, as SIGKILL would, instead of one call more than it was told."""

    def __init__(self, calls: int) -> None:
        self._left = calls

    def _do(self, call: Callable[..., Any], *arguments: Any) -> Any:
        if not self._left:
            os._exit(DIED)
        self._left -= 1
        return super()._do(call, *arguments)


class Failing(Files):
    """Raises an OSError in place of one call."""

    def __init__(self, calls: int, number: int) -> None:
        self._left, self._number = calls, number

    def _do(self, call: Callable[..., Any], *arguments: Any) -> Any:
        self._left -= 1
        if self._left == -1:
            raise OSError(self._number, os.strerror(self._number))
        return super()._do(call, *arguments)


@dataclass(frozen=True, slots=True)
class Desk:
    """One registry, and what was said."""

    registry: Registry = field(default_factory=Registry)
    said: list[str] = field(default_factory=list)

    def act(self, files: Files | None = None, *, force: bool = False) -> Act:
        """Return what a kind acts by."""
        files = Files() if files is None else files
        return Act(Registry(files=files), files, self.said.append, force=force)

    def wrap(self, path: Path, wish: Wish = OFF, files: Files | None = None) -> None:
        """Wrap a plugin."""
        with self.registry.locked():
            recordings = os.path.join(self.registry.folder, "recordings")
            wrap(plugin_at(str(path)), wish, recordings, self.act(files))

    def unwrap(self, files: Files | None = None, *, force: bool = False) -> None:
        """Unwrap all that is wrapped."""
        with self.registry.locked():
            for entry in self.entries():
                kind_of(entry).unwrap(entry, self.act(files, force=force))

    def recover(self) -> None:
        """Complete or undo all that is half done."""
        with self.registry.locked():
            recover_all(self.act())

    def entries(self) -> list[Entry]:
        """Return what is wrapped."""
        return self.registry.entries()


def dies(step: Callable[[], None]) -> bool:
    """Run a step in a process of its own; tell whether it died in the middle."""
    child = os.fork()
    if child == 0:
        step()
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, DIED)
    return code == DIED
