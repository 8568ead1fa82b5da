"""What a script holds is told in the words of a timeline; what was found, as it was found."""

from collections.abc import Iterator

import pytest

from tapproxy.replay.findings import Finding, Findings
from tapproxy.replay.schedule import Pace
from tapproxy.replay.script import Act, Expected, Item, OwnFrame, Step, Wait, Write
from tapproxy.replay.telling import MOST_NAMED, TEXT_SIZE, act_words, planned, verdict
from tapproxy_store.records import Event, Frame, Message, Stream, Told
from tapproxy_viewers.layout import layout
from tapproxy_viewers.lines import plain
from tapproxy_viewers.replay_report import Found, Verdict
from tapproxy_viewers.replay_script import After, Part, script_lines
from tests.viewers.made import MS, SECOND, event, message

MESSAGES: dict[int, tuple[Message, ...]] = {
    1: (message(1, "request", "tools/call", id="7", asks=1, summary="add(1, 2)"),),
    2: (message(2, "notification", "log", summary="adding"),),
    3: (message(3, "response", "tools/call", id="7", answers=1, summary="3"),),
    5: (
        message(5, "error", "list", id="8", answers=4, summary="-32601 no list", flags="error"),
        message(5, "heartbeat", summary="01:44:07Z"),
    ),
    6: (message(6, "unknown", note="not JSON"),),
    8: (message(8, "response", id='"9f2c41d0-7b1e"', note="answers no request"),),
}


def told(number: int, stream: Stream, size: int, flaw: str | None = None) -> Told:
    frame = Frame(1, number, stream, 0, size, number, number, 0, 0, 0, "LF", flaw)
    return Told(frame, MESSAGES.get(number, ()))


def write(stream: Stream, data: bytes, *frames: int, flaw: str | None = None) -> Write:
    own = [told(it, stream, len(data), flaw) for it in frames]
    return Write(stream, 0, data, tuple(OwnFrame(it.frame, it.messages, data) for it in own))


SCRIPT: list[Item] = [
    Expected(1, 4 * MS, told(1, "in", 90)),
    Step(2, 6 * MS, write("out", b"{}\n", 2), (Wait(1, 2 * MS),)),
    Step(3, 23 * MS, write("out", b"{}\n", 3), (Wait(1, 19 * MS),)),
    Expected(4, 25 * MS, told(4, "in", 6)),
    Step(5, 26 * MS, write("out", b"[]\n", 5), (Wait(3, 3 * MS), Wait(4, MS), Wait(2, 20 * MS))),
    Step(6, 27 * MS, write("out", b"\r[1/2] \xff\n", 6, flaw="junk"), (Wait(5, MS),)),
    Step(7, 28 * MS, write("err", b"\x1b[31moops\r\n", 7), (Wait(6, MS),)),
    Step(8, 29 * MS, write("out", b"{}\n", 8), (Wait(7, MS),)),
    Expected(9, 3029 * MS, event(0, "eof", stream="in", by="host")),
    Step(10, 3030 * MS, Act(event(0, "exit", code=0)), (Wait(8, 3001 * MS), Wait(9, MS))),
]


def test_each_item_is_told_as_a_timeline_would_with_what_it_waits_for() -> None:
    items = planned(iter(SCRIPT), lambda frame, _limit: b"pong"[: frame.size])
    lines = script_lines(items, layout(100, 4 * SECOND, 8))
    expected = """\
step       time                    size    what                                                after
   1    0.004 s  wait  ──→  #1     90 B    tools/call (7)  add(1, 2)
   2    0.006 s  send  ←──  #2      3 B    log  adding                                    #1 +2.0 ms
   3    0.023 s  send  ←──  #3      3 B  ↩ tools/call #1  3                                #1 +19 ms
   4    0.025 s  wait  ──→  #4      6 B    pong
   5    0.026 s  send  ←──  #5      3 B  ✗ list #4, heartbeat  -32601 no …  #4 +1.0 ms, #3 +3.0 ms …
   6    0.027 s  send  ←──  #6      9 B  ! junk, not JSON  ␍[1/2] ‹FF›                    #5 +1.0 ms
   7    0.028 s  send  err  #7     11 B    ␛[31moops␍                                     #6 +1.0 ms
   8    0.029 s  send  ←──  #8      3 B  ! response (9f2c…7b1e)  answers no request       #7 +1.0 ms
   9    3.029 s  wait   •                  host closed stdin
  10    3.030 s  do     •                  exit with code 0                step 9 +1.0 ms, #8 +3.0 s

7 steps, 3 to wait for
"""
    assert "".join(f"{plain(line)}\n" for line in lines) == expected


DATA = b'{"half": "\xe2\x82\xac", "rest": 1}\n'


def written(start: int, end: int) -> Step:
    """Make the step that writes so much of one frame of which nothing is known."""
    frame = Frame(1, 7, "out", 100, 100 + len(DATA), 1, 3, 0, 0, 0, "LF", None)
    own = OwnFrame(frame, (), DATA)
    return Step(1, 5 * MS, Write("out", 100 + start, DATA[start:end], (own,)), ())


@pytest.mark.parametrize(
    ("start", "end", "remark", "text"),
    [
        (0, len(DATA), "", '{"half": "€", "rest": 1}'),
        (0, 11, "begins", '{"half": "\udce2'),
        (11, 20, "goes on", '\udc82\udcac", "res'),
        (20, len(DATA), "ends", 't": 1}'),
    ],
)
def test_of_a_frame_in_several_writes_each_shows_its_part(
    start: int, end: int, remark: str, text: str
) -> None:
    (it,) = planned(iter([written(start, end)]), no_payload)
    assert it.parts == (Part("", text, 7, end - start, remark),)


def test_bytes_that_no_frame_is_in_are_shown_as_they_are() -> None:
    step = Step(1, 0, Write("out", 0, b"\r[1/2]" + bytes(TEXT_SIZE), ()), ())
    (it,) = planned(iter([step]), no_payload)
    text = "\r[1/2]" + "\0" * (TEXT_SIZE - 6)
    assert it.parts == (Part("", text, None, TEXT_SIZE + 6),)


def test_what_is_long_past_is_named_by_its_number() -> None:
    def items() -> Iterator[Item]:
        for number in range(1, MOST_NAMED + 3):
            frame = Frame(1, number + 10, "in", 0, 3, number, number, 0, 0, 0, "LF", None)
            yield Expected(number, number, Told(frame, ()))
        waits = (Wait(3, 900), Wait(2, 1000), Wait(MOST_NAMED + 2, 7))
        yield Step(MOST_NAMED + 3, 0, Write("out", 0, b"", ()), waits)

    *_, last = planned(items(), lambda _frame, _limit: b"x")
    assert last.after == (After("#4108", 7), After("#13", 900), After("step 2", 1000))


@pytest.mark.parametrize(
    ("happened", "words"),
    [
        (event(0, "eof", stream="in", by="host"), "close stdin"),
        (event(0, "broken-pipe", stream="out", by="host"), "stop reading stdout and close it"),
        (event(0, "signal", signal="SIGINT"), "send SIGINT"),
        (event(0, "stall", stream="in", reader="plugin"), "stop reading stdin"),
        (event(0, "stall-end", stream="in", reader="plugin"), "read stdin again"),
        (event(0, "exit", code=3), "exit with code 3"),
        (event(0, "exit", signal="SIGSEGV"), "die of SIGSEGV"),
    ],
)
def test_an_act_is_told_as_something_to_do(happened: Event, words: str) -> None:
    assert act_words(happened) == words


def test_findings_become_a_verdict() -> None:
    findings = Findings(same=29, steps=14)
    findings.add(
        Finding("changed", "response tools/call (3)", 7, "result.isError", "false", "true")
    )
    findings.add(Finding("extra", "notification log"))
    came_of_it = verdict(
        findings, "bug", "host", 9 * MS, recorded_ns=8 * MS, pace=Pace(0), ended="why",
        replay="bug-2",
    )  # fmt: skip
    assert came_of_it == Verdict(
        recording="bug",
        role="host",
        same=29,
        steps=14,
        took_ns=9 * MS,
        counts={"changed": 1, "extra": 1},
        found=(
            Found("changed", "response tools/call (3)", 7, "result.isError", "false", "true"),
            Found("extra", "notification log"),
        ),
        recorded_ns=8 * MS,
        pace=0,
        ended="why",
        replay="bug-2",
    )


def no_payload(_: Frame, limit: int) -> bytes:
    raise AssertionError(f"{limit} bytes of a frame that the step has itself")
