"""Whoever is faster, and however bytes are portioned, a replay does the same."""

from pathlib import Path
from random import Random

import pytest

from tapproxy.replay.engine import Options
from tapproxy.replay.schedule import Pace
from tests import field_cases
from tests.tapproxy.replay.simulated import (
    FIXTURES,
    case_taken,
    play,
    recorded,
    taken,
    without_times,
)

RUNS = 20

NAMES = [
    "acp/editor", "dap/debugpy", "jsonrpc/adder", "lingxi/late", "lingxi/swift-v4", "lsp/ruff",
    "mcp/everything", "raw/bc", "xlings/heartbeat-gap", "xlings/install",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_runs_are_the_same_to_the_byte_and_in_their_order(name: str) -> None:
    with taken(FIXTURES / "dialects" / f"{name}.tape") as it:
        expected = recorded(it)
        for seed in range(RUNS):
            played = play(it, it, Options(pace=Pace(0)), hand=Random(seed))
            assert played.ended_well
            for streams in (("in", "out"), ("out", "err")):
                crossed = without_times(played.crossed, *streams)
                assert crossed == without_times(expected, *streams)


@pytest.mark.parametrize("name", NAMES)
def test_runs_at_the_recorded_pace_write_the_same_at_the_same_instants(name: str) -> None:
    with taken(FIXTURES / "dialects" / f"{name}.tape") as it:
        expected = sorted(recorded(it))
        for seed in range(RUNS):
            played = play(it, it, Options(), hand=Random(seed))
            assert played.ended_well
            assert sorted(played.crossed) == expected


def test_cases_from_the_field_are_the_same_however_they_are_portioned(tmp_path: Path) -> None:
    for case in field_cases.field_cases():
        with case_taken(case, tmp_path) as it:
            expected = recorded(it)
            for seed in range(3):
                played = play(it, it, Options(pace=Pace(0)), hand=Random(seed))
                assert (case.id, played.ended_well) == (case.id, True)
                for streams in (("in", "out"), ("out", "err")):
                    crossed = without_times(played.crossed, *streams)
                    assert crossed == without_times(expected, *streams)
