"""A journal's records as rows: always the same ones, and nothing that is missing goes unsaid."""

import base64
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.ingest.derivation import Derivation
from tests.tapproxy.ingest.made import MONO_NS, STARTED_NS, Journal, derived, journals

KILLED = "recorder-killed"
UNNOTICED = '{"noticed":false}'
RAW = ("raw", "no JSON in the first frames", "[]")
MUTE = ("raw", "neither side has said anything", "[]")


def last_events(told: Journal, number: int, *, unreadable: int = 0) -> list[tuple[object, ...]]:
    """Return kind and detail of the last events."""
    return [row[3:] for row in told.rows(unreadable=unreadable)["events"][-number:]]


def test_a_session_becomes_chunks_events_and_frames_in_one_order() -> None:
    told = Journal(name="my plugin").happens("spawn", pid=42).says("in", b'{"id":1}\n{"id":')
    told.says("out", b"pro").says("in", b"2}\n").says("out", b"gress").says("err", b"\xff\r\n")
    told.happens("eof", stream="out", by="plugin").happens("exit", code=3).ends()
    assert told.rows() == {
        "sessions": [
            (
                "my plugin",
                "lines",
                10_000_000,
                "exit 3",
                "jsonl",
                "2 of 3 first frames are JSON objects",
                "[]",
            )
        ],
        "chunks": [
            (2, 1, "in", 3_000_000, 0, b'{"id":1}\n{"id":'),
            (3, 1, "out", 4_000_000, 0, b"pro"),
            (4, 1, "in", 5_000_000, 15, b"2}\n"),
            (5, 1, "out", 6_000_000, 3, b"gress"),
            (6, 1, "err", 7_000_000, 0, b"\xff\r\n"),
        ],
        "events": [
            (1, 1, 2_000_000, "spawn", '{"pid":42}'),
            (7, 1, 8_000_000, "eof", '{"stream":"out","by":"plugin"}'),
            (8, 1, 9_000_000, "exit", '{"code":3}'),
            (9, 1, 10_000_000, "end", '{"wall_ns":1796070608123456789}'),
        ],
        "frames": [
            (1, 1, "in", 0, 9, 2, 2, 3_000_000, 3_000_000, 0, "LF", None),
            (1, 2, "in", 9, 18, 2, 4, 3_000_000, 5_000_000, 0, "LF", None),
            (1, 3, "err", 0, 3, 6, 6, 7_000_000, 7_000_000, 0, "CRLF", None),
            (1, 4, "out", 0, 8, 3, 5, 4_000_000, 6_000_000, 0, "none", "unfinished"),
        ],
        "messages": [
            (1, 1, 0, "object", None, None, 0, "id=1", *[None] * 9),
            (1, 2, 0, "object", None, None, 0, "id=2", *[None] * 9),
            (1, 4, 0, "unknown", None, None, 0, "", *[None] * 6, "not-json", "not JSON", None),
        ],
        "totals": [(1, "err", 1, 3, 1), (1, "in", 2, 18, 2), (1, "out", 2, 8, 1)],
    }


@settings(deadline=None)
@given(told=journals(), cuts=st.sets(st.integers(0, 14)))
def test_records_delivered_in_any_groups_give_the_same_rows(told: Journal, cuts: set[int]) -> None:
    places = [0, *sorted(it for it in cuts if it < len(told.records)), len(told.records)]
    groups = [told.records[begin:end] for begin, end in pairwise(places)]
    assert derived(told, groups) == told.rows()


@settings(deadline=None)
@given(told=journals())
def test_chunks_and_gaps_account_for_every_byte_that_was_forwarded(told: Journal) -> None:
    rows = told.rows()
    missing = sum(int(row[4].split('"size":')[1][:-1]) for row in rows["events"] if row[3] == "gap")
    sequence = sorted(row[0] for row in rows["chunks"] + rows["events"])
    assert missing == sum(told.unrecorded)
    assert sequence == list(range(1, len(sequence) + 1))


def test_bytes_missing_between_two_chunks_are_a_gap_before_the_second() -> None:
    told = Journal().says("out", b"one\ntw").says("out", b"three\n", lost=70_000).ends()
    rows = told.rows()
    assert (rows["chunks"], rows["events"], rows["frames"]) == (
        [
            (1, 1, "out", 2_000_000, 0, b"one\ntw"),
            (3, 1, "out", 3_000_000, 70_006, b"three\n"),
        ],
        [
            (2, 1, 3_000_000, "gap", '{"stream":"out","from":6,"size":70000}'),
            (4, 1, 4_000_000, "end", '{"wall_ns":1796070608123456789}'),
        ],
        [
            (1, 1, "out", 0, 4, 1, 1, 2_000_000, 2_000_000, 0, "LF", None),
            (1, 2, "out", 4, 6, 1, 1, 2_000_000, 2_000_000, 0, "none", "gap"),
            (1, 3, "out", 70_006, 70_012, 3, 3, 3_000_000, 3_000_000, 0, "LF", "gap"),
        ],
    )


def test_bytes_missing_after_the_last_chunk_are_a_gap_at_the_end() -> None:
    told = Journal().says("in", b"a\n", lost=3).loses("in", 4).loses("err", 5).ends()
    assert last_events(told, 4) == [
        ("gap", '{"stream":"in","from":0,"size":3}'),
        ("end", '{"wall_ns":1796070608123456789}'),
        ("gap", '{"stream":"in","from":5,"size":4}'),
        ("gap", '{"stream":"err","from":0,"size":5}'),
    ]


def test_a_torn_last_record_is_stated() -> None:
    told = Journal().says("in", b"a\n")
    message = '"message":"the last 17 bytes of the journal are no whole record"'
    assert last_events(told, 2, unreadable=17) == [
        ("recording-error", '{"errno":"EIO",' + message + "}"),
        (KILLED, UNNOTICED),
    ]


def test_a_journal_without_an_end_is_that_of_a_killed_recorder() -> None:
    told = Journal().happens("spawn", pid=42).says("out", b"half a li")
    assert told.rows() == {
        "sessions": [("plugin", "lines", 3_000_000, "recorder killed", *RAW)],
        "chunks": [(2, 1, "out", 3_000_000, 0, b"half a li")],
        "events": [(1, 1, 2_000_000, "spawn", '{"pid":42}'), (3, 1, 3_000_000, KILLED, UNNOTICED)],
        "frames": [
            (1, 1, "out", 0, 9, 2, 2, 3_000_000, 3_000_000, 0, "none", "unfinished"),
        ],
        "messages": [],
        "totals": [(1, "err", 0, 0, 0), (1, "in", 0, 0, 0), (1, "out", 1, 9, 1)],
    }


def test_a_recorder_killed_after_the_plugins_exit_leaves_the_plugins_outcome() -> None:
    told = Journal().happens("exit", signal="SIGSEGV")
    assert told.rows()["sessions"] == [("plugin", "lines", 2_000_000, "signal SIGSEGV", *MUTE)]
    assert last_events(told, 1) == [(KILLED, UNNOTICED)]


def test_an_end_that_only_the_header_knows_is_no_killed_recorder() -> None:
    told = Journal().says("in", b"a\n").ends()
    told.records.pop()
    message = '"message":"the last events could not be written to the journal"'
    assert told.rows()["sessions"] == [("plugin", "lines", 2_000_000, "end not recorded", *RAW)]
    assert last_events(told, 1) == [("recording-error", '{"errno":"EIO",' + message + "}")]


def test_a_plugin_that_could_not_be_started_is_the_outcome() -> None:
    detail = {"errno": "ENOENT", "message": "No such file or directory", "status": 127}
    told = Journal().happens("spawn-error", **detail).ends()
    assert told.rows()["sessions"] == [("plugin", "lines", 3_000_000, "not started", *MUTE)]


def test_a_journal_of_a_header_alone_becomes_a_session_of_nothing() -> None:
    told = Journal()
    told.records.clear()
    assert told.rows() == {
        "sessions": [("", "auto", 0, "recorder killed", *MUTE)],
        "chunks": [],
        "events": [(1, 1, 0, KILLED, UNNOTICED)],
        "frames": [],
        "messages": [],
        "totals": [(1, "err", 0, 0, 0), (1, "in", 0, 0, 0), (1, "out", 0, 0, 0)],
    }


def test_the_session_has_the_instants_of_the_header_and_the_facts_of_the_record() -> None:
    told = Journal(argv=["plugin", {"base64": base64.b64encode(b"\xff").decode()}], cwd="/")
    derivation = Derivation(told.header)
    derivation.take(told.records)
    session = derivation.session
    assert (session.id, session.started_ns, session.started_mono_ns) == (1, STARTED_NS, MONO_NS)
    assert session.facts == {
        "name": "plugin",
        "framing": "lines",
        "argv": ["plugin", {"base64": "/w=="}],
        "cwd": "/",
    }


def test_names_that_are_not_utf_8_are_no_hindrance() -> None:
    told = Journal(name="caf\udce9", tags={"k": "\udcff"}).happens("odd", what="\udcff").ends()
    derivation = Derivation(told.header)
    rows = derivation.take(told.records)
    assert derivation.session.facts["tags"] == {"k": "\udcff"}
    assert rows.events[0] == (1, 1, 2_000_000, "odd", '{"what":"\\udcff"}')


@pytest.mark.parametrize("damaged", [b"\0" * 20, b'{"kind":"exit', b"[1]", b"\xff"])
def test_damaged_facts_and_events_are_kept_as_they_are(damaged: bytes) -> None:
    told = Journal().happens("exit", code=0).says("in", b"a\n")
    for place in (0, 1):
        told.records[place] = told.records[place]._replace(data=damaged)
    derivation = Derivation(told.header)
    rows = derivation.take(told.records)
    words = damaged.decode("utf-8", "backslashreplace")
    assert derivation.session.facts == {"unreadable": words}
    assert [row[3] for row in rows.events] == ["unknown"]
    assert [row[5] for row in rows.chunks] == [b"a\n"]


@pytest.mark.parametrize("framing", ["linen", 3, None, ["lines"]])
def test_a_framing_that_nobody_knows_is_recognised_anew(framing: object) -> None:
    told = Journal(framing=framing).says("in", b"{}\n").ends()
    assert told.rows()["sessions"][0][:4] == ("plugin", "auto", 3_000_000, "unknown")


def test_who_saw_the_recorder_die_says_when() -> None:
    told = Journal().says("out", b"a\n")
    derivation = Derivation(told.header)
    derivation.take(told.records)
    rows = derivation.finish(told.header, unreadable=0, noticed_ns=MONO_NS + 3_500_000_000)
    assert rows.events == [(2, 1, 3_500_000_000, KILLED, '{"noticed":true}')]
    assert (derivation.duration_ns, derivation.outcome) == (3_500_000_000, "recorder killed")
