"""What stands above a timeline."""

from datetime import UTC
from typing import Any

from tapproxy_store.reading import Counts
from tapproxy_store.records import STREAMS
from tapproxy_viewers.header import header, place_line
from tapproxy_viewers.lines import plain
from tests.viewers.made import session

COUNTS = Counts(
    chunks=3,
    events=2,
    frames={"in": 1, "out": 12_345, "err": 0},
    bytes={"in": 26, "out": 4_200_000, "err": 0},
)
LINGXI = ("host v4 (3.0 s watchdog)", "core 1.2.0", "host speaks swift-data", "plugin demo 0.1.0")


def told(width: int = 100, *, verbose: bool = False, **changes: Any) -> list[str]:
    lines = header(session(**changes), COUNTS, width, zone=UTC, verbose=verbose)
    return [plain(line) for line in lines]


def test_a_header_says_what_ran_when_how_it_ended_and_how_much_went_each_way() -> None:
    facts = session().facts | {"tags": {"bug": "17"}}
    assert told(facts=facts, dialect="lingxi", traits=LINGXI[:2]) == [
        "./server.py --greet 'hello you'",
        "  2026-11-30 20:30:05 +00:00 · 5.0 s · exit 0 · bug=17",
        "  lingxi · host v4 (3.0 s watchdog) · core 1.2.0",
        "  ──→  host to plugin           1 frame      26 B",
        "  ←──  plugin to host      12,345 frames   4.2 MB",
        "  err  plugin's stderr          0 frames      0 B",
        "",
    ]


def test_what_the_dialect_knows_goes_on_below_itself_where_there_is_no_room() -> None:
    assert told(60, dialect="lingxi", traits=LINGXI)[2:5] == [
        "  lingxi · host v4 (3.0 s watchdog) · core 1.2.0",
        "           host speaks swift-data · plugin demo 0.1.0",
        "  ──→  host to plugin           1 frame      26 B",
    ]
    assert told(30, dialect="lingxi", traits=("x" * 40, "y"))[2:4] == [
        "  lingxi · " + "x" * 18 + "…",
        "           y",
    ]


def test_the_reason_for_the_dialect_is_told_on_request() -> None:
    reasoned: dict[str, Any] = {"dialect": "jsonl", "dialect_reason": "each line is \x1b JSON"}
    assert told(verbose=True, **reasoned)[2] == "  jsonl (each line is ␛ JSON)"
    assert told(**reasoned)[2] == "  jsonl"


def test_a_session_that_goes_on_has_no_length_and_no_end() -> None:
    assert told(duration_ns=None, outcome=None, name="greeter")[1] == (
        "  greeter · 2026-11-30 20:30:05 +00:00 · still running"
    )


def test_of_a_session_that_goes_on_the_dialect_may_still_be_found_out() -> None:
    assert told(outcome=None)[2] == "  dialect not known yet"
    assert told(outcome=None, dialect="mcp")[2] == "  mcp"
    assert told()[2] == "  ──→  host to plugin           1 frame      26 B"


def test_of_a_recording_without_messages_the_command_that_reads_them_is_told() -> None:
    def placed(counts: Counts, **changes: Any) -> list[str]:
        lines = header(session(**changes), counts, 30, zone=UTC, place="/r/of old.tap")
        return [plain(line) for line in lines][2:4]

    advice = "  no messages yet: `tap index '/r/of old.tap'` reads them"
    assert placed(COUNTS) == [advice, "  /r/of old.tap"]
    assert placed(COUNTS, dialect="raw")[0] == "  raw"
    nothing = Counts(0, 1, dict.fromkeys(STREAMS, 0), dict.fromkeys(STREAMS, 0))
    assert placed(nothing)[0] == "  /r/of old.tap"


def test_a_path_is_never_cut() -> None:
    assert plain(place_line("/r/\x1b" + "long" * 90)) == "  /r/␛" + "long" * 90
