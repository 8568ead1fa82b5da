"""The kinds of targets, each a module: a new kind is one module and one line here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.files import Files
from tapproxy.wrap.findings import Finding
from tapproxy.wrap.modes import Mode
from tapproxy.wrap.registry import Entry, Registry

KINDS = {
    "lingxi": "tapproxy.wrap.plugins",
    "command": "tapproxy.wrap.commands",
    "config": "tapproxy.wrap.configs.kind",
}
"""Name and module."""


@dataclass(frozen=True, slots=True)
class Act:
    """By what a kind acts."""

    registry: Registry
    files: Files  # every change goes through it
    say: Callable[[str], None]  # one line for the user
    dry: bool = False  # files only tell what they would do
    force: bool = False  # do it although the target has changed

    def done(self, text: str) -> None:
        """Say what was done, if it was."""
        if not self.dry:
            self.say(text)


class Kind(Protocol):
    """What the module of a kind offers. All raise WrapError with the reason if they refuse."""

    def mode(self, entry: Entry) -> str:
        """Return the mode in words, as the list of what is wrapped has it."""

    def unwrap(self, entry: Entry, act: Act) -> None:
        """Restore the target, and remove the entry."""

    def switch(self, entry: Entry, mode: Mode, act: Act) -> None:
        """Change the mode without unwrapping."""

    def findings(self, entry: Entry) -> Iterator[Finding]:
        """Look whether all is as it was put, and starts; run nothing of the user's."""

    def recover(self, entry: Entry, act: Act) -> str:
        """Complete or undo what an intent says; return what was done, in a sentence."""


def kind_of(entry: Entry) -> Kind:
    """Return the kind of an entry."""
    return cast("Kind", import_module(KINDS[entry.kind]))


def recover_all(act: Act) -> None:
    """Complete or undo whatever is half done; the registry is locked."""
    for entry in act.registry.entries():
        if entry.state == "wrapped":
            continue
        try:
            act.say(kind_of(entry).recover(entry, act))
        except WrapError as error:  # the others can do without this one
            act.say(str(error))
