"""Killed after any system call of wrap or unwrap, or refused one: the plugin always starts."""

import errno
import os
import subprocess
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from tapproxy.wrap.errors import CouldNot
from tapproxy.wrap.launched import Wish
from tapproxy.wrap.modes import Mode
from tests.programs.lingxi_supervisor import found, is_executable, is_program
from tests.tapproxy.wrap.acts import OFF, ON, Desk, Dying, Failing, dies
from tests.tapproxy.wrap.plugins import LAYOUTS, lasting

SAYS = '#!/bin/sh\ncat "${0%/*}/beside"; echo by the plugin\n'
SAID = "said by the plugin\n"
UPDATE = '#!/bin/sh\ncat "${0%/*}/beside"; echo by the update\n'


class Place:
    """A folder with one plugin."""

    def __init__(self, folder: Path, path: str) -> None:
        self.folder = folder / "plugins"
        self.program = self.folder / path
        self.program.parent.mkdir(parents=True)
        (self.program.parent / "beside").write_text("said ")
        self.install(SAYS)
        self.entry = self.folder / Path(path).parts[0]

    def install(self, text: str) -> None:
        """Put the program there, or a new one over it, as installers do."""
        new = self.folder / "new"
        new.write_text(text)
        new.chmod(0o755)
        new.rename(self.program)

    def check_starts(self, said: str = SAID) -> None:
        """Find what a host would start, in both ways; it is one program, and says what it says."""
        by_eye = [found(self.folder, taken, hidden=taken is is_program) for taken in TAKEN]
        assert by_eye[0] == by_eye[1]
        (path,) = by_eye[0]
        done = subprocess.run(
            [path], cwd=path.parent, capture_output=True, text=True, check=False, timeout=30
        )
        assert (done.stdout, done.stderr, done.returncode) == (said, "", 0)


TAKEN = (is_executable, is_program)


@pytest.fixture(params=list(LAYOUTS.values()), ids=list(LAYOUTS))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return Place(tmp_path, request.param)


@pytest.mark.parametrize("wish", [OFF, ON], ids=["off", "recorded"])
def test_killed_while_it_is_wrapped(place: Place, wish: Wish) -> None:
    before, desk = lasting(place.folder), Desk()
    for calls in count():
        died = dies(partial(desk.wrap, place.entry, wish, Dying(calls)))
        place.check_starts()
        desk.recover()
        place.check_starts()
        states = [it.state for it in desk.entries()]
        assert states in ([], ["wrapped"])
        if not states:
            assert lasting(place.folder) == before
        desk.unwrap()
        place.check_starts()
        assert lasting(place.folder) == before
        if not died:
            break
    assert calls > 10


def test_killed_while_it_is_unwrapped(place: Place) -> None:
    before, desk = lasting(place.folder), Desk()
    for calls in count():
        desk.wrap(place.entry)
        died = dies(partial(desk.unwrap, Dying(calls)))
        place.check_starts()
        desk.recover()
        place.check_starts()
        desk.unwrap()
        assert lasting(place.folder) == before
        assert desk.entries() == []
        if not died:
            break
    assert calls > 8


def test_killed_while_what_was_half_done_is_seen_to(place: Place) -> None:
    before, desk = lasting(place.folder), Desk()
    assert dies(partial(desk.wrap, place.entry, OFF, Dying(10)))
    for calls in count():
        died = dies(lambda calls=calls: see_to(Desk(), calls))  # type: ignore[misc]
        place.check_starts()
        if not died:
            break
    desk.unwrap()
    assert lasting(place.folder) == before


def see_to(desk: Desk, calls: int) -> None:
    from tapproxy.wrap.kinds import recover_all

    recover_all(desk.act(Dying(calls)))


def test_killed_while_its_launcher_is_made_anew_or_its_mode_is_switched(place: Place) -> None:
    before, desk = files_of(place), Desk()
    desk.wrap(place.entry)
    (entry,) = desk.entries()
    for calls in count():
        desk.registry.put(replace(entry, details={**entry.details, "start": "/of/another/tap"}))
        wish = replace(OFF, mode=Mode("off"), recordings=f"/elsewhere/{calls}")
        died = dies(partial(desk.wrap, place.entry, wish, Dying(calls)))
        place.check_starts()
        if not died:
            break
    desk.unwrap()
    assert files_of(place) == before


def files_of(place: Place) -> dict[str, tuple[str, int, int]]:
    """List without the folders: a switch that is cut off leaves its time in them."""
    return {path: it for path, it in lasting(place.folder).items() if it[0]}


@pytest.mark.parametrize("drop_old", [False, True], ids=["kept", "dropped"])
def test_killed_while_an_update_is_wrapped(place: Place, drop_old: bool) -> None:  # noqa: FBT001
    desk = Desk()
    said = "said by the update\n"
    for calls in count():
        place.install(SAYS)
        desk.wrap(place.entry)
        if place.entry.name == "first":  # an update that brings a file of the launcher's name
            place.program = place.entry / "main"
        place.install(UPDATE)
        died = dies(partial(desk.wrap, place.entry, replace(OFF, drop_old=drop_old), Dying(calls)))
        place.check_starts(said)
        desk.recover()
        place.check_starts(said)
        desk.unwrap(force=True)
        place.check_starts(said)
        if place.entry.name == "first":
            place.program.unlink()
            place.program = place.entry / "whatever"
        if not died:
            break


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EPERM])
def test_refused_by_the_system_it_is_as_it_was(place: Place, number: int) -> None:
    before, desk = lasting(place.folder), Desk()
    for calls in count():
        try:
            desk.wrap(place.entry, OFF, Failing(calls, number))
        except CouldNot as error:
            told = str(error)
            assert told.startswith("cannot wrap ")
            assert os.strerror(number) in told
            place.check_starts()
            if desk.entries():  # what it was to be undone by was refused, too
                desk.recover()
            assert lasting(place.folder) == before
        else:
            place.check_starts()
            desk.unwrap()
            assert lasting(place.folder) == before
            if calls > 20:
                break
