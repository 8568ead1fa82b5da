"""The replay of a recording's host against that of its plugin is the recording once more."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tapproxy.replay.engine import Options
from tapproxy.replay.schedule import Pace
from tapproxy_store.reading import open_recording
from tapproxy_store.records import Stream
from tests import field_cases
from tests.tapproxy.replay.renamed import record_renamed
from tests.tapproxy.replay.simulated import (
    FIXTURES,
    TAPES,
    Crossed,
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


@every_recording
def test_a_host_with_other_ids_gets_them_in_its_answers(origin: Origin, tmp_path: Path) -> None:
    with made(origin, tmp_path) as it:
        record_renamed(it, tmp_path / "renamed.tap")
        with open_recording(str(tmp_path / "renamed.tap")) as recording:
            other = Taken(recording, recording.session())
            played = play(it, other, AT_ONCE)
            expected = recorded(other)
    assert played.ended_well
    assert stream_of(played.crossed, "out") == stream_of(expected, "out")


def test_most_fixtures_of_protocols_have_ids_that_can_differ(tmp_path: Path) -> None:
    differ = 0
    for number, tape in enumerate(TAPES):
        path = tmp_path / f"{number}.tap"
        with taken(tape) as it:
            record_renamed(it, path)
            with open_recording(str(path)) as recording:
                other = recorded(Taken(recording, recording.session()))
            differ += stream_of(recorded(it), "out") != stream_of(other, "out")
    assert differ > len(TAPES) / 2


def stream_of(crossed: list[Crossed], stream: Stream) -> bytes:
    return b"".join(it.data for it in crossed if it.stream == stream)
