"""What each key of the filter language looks at."""

import pytest

from tapproxy_store.records import STREAMS
from tests.tapproxy.filters.made import (
    MS,
    SECOND,
    Row,
    Said,
    frame,
    matches,
    matching,
    row,
    session,
)

LIST = Said("request", "tools/list", "1", asks=1)
CALL = Said("request", "tools/call", '"abc"', asks=1)
PROGRESS = Said("notification", "progress")
ANSWER = Said("response", "tools/list", "1", 3 * SECOND, answers=1)
FAILURE = Said("error", "tools/call", '"abc"', 200 * MS, "error late", answers=2)
SPOKEN = session(LIST, CALL, PROGRESS, None, ANSWER, FAILURE)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("method:tools/list", [1, 5]),
        ("method:tools/list,progress", [1, 3, 5]),
        ("method:tools/*", [1, 2, 5, 6]),
        ("method:tools/?a*", [2, 6]),
        ("method:tools", []),
        ("method:Progress", []),
        ("method:*", [1, 2, 3, 5, 6]),
        ("not method:tools/*", [3, 4]),
    ],
)
def test_method_is_what_is_asked_or_told_and_of_an_answer_what_was_asked(
    text: str, numbers: list[int]
) -> None:
    assert matching(text, SPOKEN) == numbers


def test_kind_is_the_protocols_word() -> None:
    assert matching("kind:request", SPOKEN) == [1, 2]
    assert matching("kind:re*", SPOKEN) == [1, 2, 5]
    assert matching("kind:error,notification", SPOKEN) == [3, 6]


@pytest.mark.parametrize(
    ("text", "id_text", "expected"),
    [
        ("id:1", "1", True),
        ("id:1", '"1"', True),
        ("id:1", "11", False),
        ("id:abc", '"abc"', True),
        ('id:"\\"1\\""', '"1"', True),
        ('id:"\\"1\\""', "1", False),
        ("id:a*", '"abc"', True),
        ("id:*c", '"abc"', True),
        ('id:"a\\"b"', r'"a\"b"', True),
        ("id:null", "null", True),
        ("id:*", None, False),
    ],
)
def test_id_is_json_text_and_a_string_may_stand_without_its_quotes(
    text: str, id_text: str | None, *, expected: bool
) -> None:
    assert matches(text, row(Said("request", "x", id_text))) is expected


@pytest.mark.parametrize(
    ("text", "streams"),
    [
        ("dir:host", ["in"]),
        ("dir:client", ["in"]),
        ("dir:in", ["in"]),
        ("dir:plugin", ["out"]),
        ("dir:server", ["out"]),
        ("dir:out", ["out"]),
        ("not dir:host,plugin", ["err"]),
        ("stream:in", ["in"]),
        ("stream:out", ["out"]),
        ("stream:err", ["err"]),
        ("stream:out,err", ["out", "err"]),
    ],
)
def test_dir_is_who_speaks_and_stream_is_where(text: str, streams: list[str]) -> None:
    assert [it for it in STREAMS if matches(text, row(of=frame(1, it)))] == streams


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("flag:error", [1]),
        ("flag:err", []),
        ("flag:late", [1]),
        ("flag:unfinished", [2]),
        ("flag:un*", [2, 3]),
        ("flag:l?te,junk", [1]),
        ("flag:unanswered", [3]),
        ("flag:*", [1, 2, 3]),
        ("not flag:error", [2, 3, 4, 5, 6]),
    ],
)
def test_a_flag_is_a_word_of_the_message_or_a_flaw_of_the_frame_or_unanswered(
    text: str, numbers: list[int]
) -> None:
    unfinished = row(of=frame(2, flaw="unfinished"))
    asked = session(Said("error", flags="error late"), None, LIST, PROGRESS, CALL)
    answer = row(Said("response", answers=5), of=frame(6))
    heard = [asked[0], unfinished, asked[2], asked[3], answered(asked[4]), answer]
    assert matching(text, heard) == numbers


def answered(of: Row) -> Row:
    return Row(of.frame, of.message, of.gap_ns, answered=True, data=of.data, opened=of.opened)


def test_what_asks_nothing_is_not_unanswered() -> None:
    prompt, reply = Said("prompt", asks=1), Said("reply", answers=3)
    rows = session(prompt, Said("progress"), prompt, reply)
    assert matching("flag:unanswered", rows) == [1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('text:"not found"', True),
        ("text:found", True),
        ("text:Found", False),
        ("text:n*t", True),
        ("text:found*not", False),
        ("text:f?und", True),
        ('text:"f?und"', False),
        ('text:"\\"code\\":404"', True),
        ("text:é", True),
        ("text:?é", True),
        ("text:\udcff", True),
        ("text:*\udcff", True),
        ("text:404,405", True),
        ('text:"404,405"', False),
        ('text:""', True),
        ("not text:\\n", True),
    ],
)
def test_text_is_found_anywhere_in_the_bytes_of_a_frame(text: str, *, expected: bool) -> None:
    body = '{"error":{"code":404,"message":"not found [é]"}}'.encode() + b"\n\xff"
    assert matches(text, row(body=body)) is expected


DEEP = b'{"params":{"name":"echo","n":[1,true,null,{"x":1.5}],"a.b":"","o":{}},"id":7,"e":"x=y"}'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("json:params.name", True),
        ("json:params.title", False),
        ("json:params.name.x", False),
        ("json:params.name=echo", True),
        ("json:params.name=ech", False),
        ("json:params.name=e*", True),
        ("json:params.name=x,echo", True),
        ("json:id=7", True),
        ("json:params.n.1=true", True),
        ("json:params.n.2=null", True),
        ("json:params.n.4", False),
        ("json:params.n.99999999999999999999", False),
        ("json:params.n.3.x=1.5", True),
        ("json:params.n.*=true", True),
        ("json:params.n.*.x", True),
        ("json:*.name=echo", True),
        ("json:par*.n?me=echo", True),
        ("json:params.n.?=1", True),
        ("json:*.*.*.*", True),
        ("json:*.*.*.*.*", False),
        ('json:params."a.b"=""', True),
        ("json:params.o={}", True),
        ('json:params.n="[1,true,null,{\\"x\\":1.5}]"', True),
        ("json:name", False),
        ('json:e="x=y"', True),
        ("json:e=x=y", True),
    ],
)
def test_json_follows_a_path_and_compares_what_it_finds(text: str, *, expected: bool) -> None:
    assert matches(text, row(body=DEEP)) is expected


def test_json_looks_into_inner_layers_and_finds_nothing_where_there_is_no_json() -> None:
    opened = row(body=b'{"data":"eyJhIjoxfQ=="}', opened=b'{"data":{"a":1}}')
    assert matches("json:data.a=1", opened)
    assert not matches("json:data.a=1", row(body=b"INFO: ready"))
    assert matches("not json:data.a=1", row(body=b"INFO: ready"))


def test_json_too_deep_to_be_written_is_there_and_equals_nothing() -> None:
    deep = row(body=b'{"a":' + b"[" * 500 + b"]" * 500 + b"}")
    assert matches("json:a", deep)
    assert not matches("json:a=x", deep)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("size:1000", [1000]),
        ("size:1k", [1000]),
        ("size:1K,1KIB", [1000, 1024]),
        ("size:>1kB", [1001, 1024]),
        ("size:>=1KiB", [1024]),
        ("size:>0.9765KiB", [1000, 1001, 1024]),
        ("size:<1000B", [999]),
        ("size:<=1000", [999, 1000]),
        ("size:<=1.0005k", [999, 1000]),
        ("size:<1.0005k", [999, 1000]),
        ("size:>=1.0005k", [1001, 1024]),
        ("size:1k..1.001k", [1000, 1001]),
        ("size:..1k", [999, 1000]),
        ("size:1001..", [1001, 1024]),
        ("size:>1MB", []),
    ],
)
def test_size_counts_the_bytes_on_the_wire(text: str, sizes: list[int]) -> None:
    there = [999, 1000, 1001, 1024]
    assert [it for it in there if matches(text, row(of=frame(1, size=it)))] == sizes


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("t:>3s", [3 * SECOND + 1]),
        ("t:>=3s", [3 * SECOND, 3 * SECOND + 1]),
        ("t:<1.5us", [0, 1]),
        ("t:<=1.5µs,>3000ms", [0, 1, 1500, 3 * SECOND + 1]),
        ("t:0..1.5μs", [0, 1, 1500]),
        ("t:1ns..0.05m", [1, 1500, 3 * SECOND]),
        ("t:0.0001h..", [3 * SECOND, 3 * SECOND + 1]),
        ("t:..0.5ns", [0]),
    ],
)
def test_t_is_when_the_last_byte_came(text: str, times: list[int]) -> None:
    there = [0, 1, 1500, 3 * SECOND, 3 * SECOND + 1]
    assert [it for it in there if matches(text, row(of=frame(1, last_ns=it)))] == times


def test_latency_is_known_of_answers_only() -> None:
    assert matching("latency:>200ms", SPOKEN) == [5]
    assert matching("latency:..1m", SPOKEN) == [5, 6]
    assert matching("not latency:>200ms", SPOKEN) == [1, 2, 3, 4, 6]


def test_a_gap_is_the_time_since_the_frame_before_and_the_first_has_none() -> None:
    assert matches("gap:>3s", row(gap_ns=4 * SECOND))
    assert not matches("gap:>3s", row(gap_ns=3 * SECOND))
    assert not matches("gap:>=0", row(gap_ns=None))
    assert matches("not gap:>=0", row(gap_ns=None))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("n:2", [2]),
        ("#2", [2]),
        ("#2,4..5", [2, 4, 5]),
        ("n:3..", [3, 4, 5, 6]),
        ("n:<3", [1, 2]),
        ("n:1,6", [1, 6]),
    ],
)
def test_n_is_the_number_of_a_frame(text: str, numbers: list[int]) -> None:
    assert matching(text, SPOKEN) == numbers
