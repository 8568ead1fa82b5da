"""Every recording that is here, its two sides played against each other by real processes."""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, groupby
from pathlib import Path
from typing import NamedTuple

import pytest

from tapproxy.replay.script import Role
from tests import field_cases
from tests.field_cases import Case
from tests.journeys.two_sides import ROLES, chunks_of, difference, play_both
from tests.tapproxy.replay.simulated import FIXTURES, TAPES

AT_ONCE = max(2, os.cpu_count() or 2)
"""Recordings that are played at the same time: each has little to do, and waits a lot."""

NOTHING_TO_PLAY = {"X13", "E34", "E37", "E46", "E88"}
"""Cases in which neither side has said a byte."""

TOO_LARGE = {"L05", "E24", "E25"}
"""Cases with more bytes in one read than a pipe holds: they come in several."""

BEYOND = {
    "E40": "its host writes to a plugin that has ended: nobody is there to record that",
    "E87": "a signal comes before the plugin can have said anything: only time is in between",
}

ONE_SIDED = {FIXTURES / "imports/time-server.stdout.tape"}
"""A log of answers, whose questions nobody knows."""

SESSIONS = {FIXTURES / "imports/time-server.mcp-rec.tape"}
"""Tapes of several sessions, of which one is played."""


class Came(NamedTuple):
    """What came of a recording; `wrong` is empty where all is well."""

    name: str
    wrong: str


def played(
    name: str,
    recording: Path,
    folder: Path,
    *,
    sides: Sequence[Role] = ROLES,
    in_one_read: bool = True,
) -> Came:
    """Play both sides, one of them recorded, and look at what that recording has; then the other.

    `sides`: those that record.
    """
    folder.mkdir(exist_ok=True)
    for side in sides:
        it = play_both(recording, side, folder)
        if it.code or not it.verdict.startswith("same: "):
            return Came(name, f"{side}: {it.said}")
        was, now = chunks_of(recording), chunks_of(it.recording)
        is_same = was == now if in_one_read else _joined(was.values()) == _joined(now.values())
        if not is_same:
            return Came(name, f"{side}: other bytes, or in other reads")
        differs = difference(recording, it.recording)
        if differs and recording not in SESSIONS:
            return Came(name, f"{side}: {differs}")
    return Came(name, "")


def _joined(streams: Iterable[list[bytes]]) -> list[bytes]:
    return [b"".join(it) for it in streams]


FOLDERS = {
    str(folder.relative_to(FIXTURES)): list(tapes)
    for folder, tapes in groupby(sorted({*TAPES} - ONE_SIDED), key=lambda it: it.parent)
}
CASES = [it for it in field_cases.field_cases() if it.id not in NOTHING_TO_PLAY | BEYOND.keys()]


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_fixture_is_itself_again(folder: str, tmp_path: Path) -> None:
    tapes = FOLDERS[folder]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        came = list(pool.map(lambda it: played(it.stem, it, tmp_path / it.stem), tapes))
    assert came == [Came(it.stem, "") for it in tapes]


@pytest.mark.parametrize("group", sorted({it.id[0] for it in CASES}))
def test_each_case_from_the_field_is_itself_again(group: str, tmp_path: Path) -> None:
    cases = [it for it in CASES if it.id.startswith(group)]

    def case_played(case: Case, side: Role) -> Came:
        path, folder = tmp_path / f"{case.id}.tap", tmp_path / case.id
        field_cases.record(case, path)
        is_small = case.id not in TOO_LARGE
        return played(case.id, path, folder, sides=[side], in_one_read=is_small)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        came = list(pool.map(case_played, cases, cycle(ROLES)))
    assert came == [Came(it.id, "") for it in cases]
