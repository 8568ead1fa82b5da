"""The replay of a recording's host against that of its plugin is the recording once more."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tapproxy.replay.engine import Options
from tapproxy.replay.schedule import Pace
from tests import field_cases
from tests.tapproxy.replay.simulated import (
    FIXTURES,
    TAPES,
    Taken,
    case_taken,
    play,
    recorded,
    taken,
    without_times,
)

AT_ONCE = Options(pace=Pace(0))

Origin = Path | field_cases.Case
ORIGINS: list[Origin] = [*TAPES, *field_cases.field_cases()]


def name_of(origin: Origin) -> str:
    return str(origin.relative_to(FIXTURES)) if isinstance(origin, Path) else origin.id


every_recording = pytest.mark.parametrize("origin", ORIGINS, ids=name_of)


@contextmanager
def made(origin: Origin, folder: Path) -> Iterator[Taken]:
    with taken(origin) if isinstance(origin, Path) else case_taken(origin, folder) as it:
        yield it


@every_recording
def test_at_the_recorded_pace_every_write_comes_at_its_instant(
    origin: Origin, tmp_path: Path
) -> None:
    with made(origin, tmp_path) as it:
        played = play(it, it, Options())
        expected = recorded(it)
    assert played.ended_well
    assert sorted(played.crossed) == sorted(expected)
    for stream in ("in", "out", "err"):
        assert without_times(played.crossed, stream) == without_times(expected, stream)


@every_recording
def test_without_waiting_the_order_of_both_sides_is_kept(origin: Origin, tmp_path: Path) -> None:
    with made(origin, tmp_path) as it:
        played = play(it, it, AT_ONCE)
        expected = recorded(it)
    assert played.ended_well
    for streams in (("in", "out"), ("out", "err")):  # the host does not see stderr
        assert without_times(played.crossed, *streams) == without_times(expected, *streams)


@every_recording
def test_in_the_strict_order_it_is_the_recording_too(origin: Origin, tmp_path: Path) -> None:
    with made(origin, tmp_path) as it:
        played = play(it, it, AT_ONCE, strict=True)
        expected = recorded(it)
    assert played.ended_well
    for streams in (("in", "out"), ("out", "err")):
        assert without_times(played.crossed, *streams) == without_times(expected, *streams)
