"""Killed or refused at each step: the client has a file that it can start from, and tap goes on."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tapproxy.wrap.configs.kind import switch, unwrap
from tapproxy.wrap.configs.wrapping import wrap_config
from tapproxy.wrap.errors import CouldNot
from tapproxy.wrap.files import Files
from tapproxy.wrap.kinds import Act, recover_all
from tapproxy.wrap.modes import Mode
from tests.tapproxy.wrap.configs.conftest import CONFIG, Acting

MOST_STEPS = 100
"""Calls that no story needs; the test ends when one comes to its end."""


class Killed(BaseException):
    """The process is gone."""


class Stopped(Files):
    """Makes so many calls; instead of the next one something is raised."""

    def __init__(self, calls: int, error: BaseException) -> None:
        self.left = calls
        self._error = error

    def _do(self, call: Callable[..., Any], *arguments: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise self._error
        return super()._do(call, *arguments)


def wrap(config: Path, act: Act, mode: Mode | None = None) -> None:
    """Wrap the server of the tests."""
    folder = os.path.join(os.path.dirname(act.registry.folder), "recordings")
    wrap_config(str(config), ["time"], mode, act, {"recordings": folder})


STORIES: dict[str, Callable[[Path, Act], None]] = {
    "wrap": wrap,
    "switch": lambda _, act: switch(act.registry.entries()[0], Mode("replay", "/r.tap"), act),
    "switch off": lambda _, act: switch(act.registry.entries()[0], Mode("off"), act),
    "switch on": lambda config, act: wrap(config, act, Mode("record")),
    "unwrap": lambda _, act: unwrap(act.registry.entries()[0], act),
}
BEFORE: dict[str, list[str]] = {
    "wrap": [],
    "switch": ["wrap"],
    "switch off": ["wrap"],
    "switch on": ["wrap", "switch off"],
    "unwrap": ["wrap"],
}
each = pytest.mark.parametrize("story", STORIES)


def told(config: Path, act: Act) -> tuple[str, list[dict[str, Any]], set[str]]:
    """Return all that there is: the file, what the registry has, and what lies beside the file."""
    entries = [it.details | {"state": it.state} for it in act.registry.entries()]
    return config.read_text(), entries, set(os.listdir(config.parent))


def began(config: Path, acting: Acting, story: str) -> None:
    """Come to where a story begins, from wherever an earlier one ended."""
    act = acting()
    for entry in act.registry.entries():
        unwrap(entry, act)
    assert told(config, act) == (CONFIG, [], {"mcp.json"})
    for earlier in BEFORE[story]:
        STORIES[earlier](config, act)


@each
def test_killed_at_any_step_it_is_as_before_or_as_afterwards(
    story: str, config: Path, acting: Acting
) -> None:
    began(config, acting, story)
    before = told(config, acting())
    STORIES[story](config, acting())
    after = told(config, acting())
    assert before != after
    for steps in range(MOST_STEPS):
        began(config, acting, story)
        files = Stopped(steps, Killed())
        try:
            STORIES[story](config, acting(files))
        except Killed:
            assert config.read_text() in (before[0], after[0])
            recover_all(acting())
            assert told(config, acting()) in (before, after)
        else:
            assert told(config, acting()) == after
            return
    pytest.fail("the story never came to its end")


@each
def test_refused_at_any_step_it_is_said_and_undone_or_completed(
    story: str, config: Path, acting: Acting
) -> None:
    began(config, acting, story)
    before = told(config, acting())
    STORIES[story](config, acting())
    after = told(config, acting())
    refusals = []
    for steps in range(MOST_STEPS):
        began(config, acting, story)
        files = Stopped(steps, OSError(errno.ENOSPC, "No space left on device"))
        try:
            STORIES[story](config, acting(files))
        except CouldNot as error:
            refusals.append(str(error))
            recover_all(acting())
            assert told(config, acting()) in (before, after)
        else:
            break
    assert 0 < len(refusals) < MOST_STEPS
    assert [it for it in refusals if not it.endswith(": No space left on device")] == []
