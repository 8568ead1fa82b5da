"""JSON-RPC 2.0: requests, notifications, answers, batches, and what is wrong with them."""

import pytest

from tapproxy.dialects.api import Heard, Meaning, Side
from tapproxy.dialects.jsonrpc import JSONRPC
from tests.tapproxy.dialects.heard import FIXTURES, heard_of, meanings_of


def meanings(*frames: tuple[Side, bytes]) -> list[Meaning]:
    """Return what the frames of one session say."""
    reading = JSONRPC.begin([])
    return [it for side, body in frames for it in reading.read(Heard(side, body))]


def meaning(body: bytes) -> Meaning:
    """Return what the first frame of a session says."""
    (one,) = meanings(("in", body))
    return one


def test_a_request_awaits_an_answer_under_its_id() -> None:
    said = meaning(b'{"jsonrpc":"2.0","id":1,"method":"add","params":{"a":1,"b":"two"}}')
    assert said == Meaning("request", "add", 'a=1 b="two"', id="1", asks="1")


def test_a_notification_awaits_nothing() -> None:
    assert meaning(b'{"jsonrpc":"2.0","method":"log"}') == Meaning("notification", "log")


def test_an_answer_says_its_result_and_what_it_replies_to() -> None:
    assert meaning(b'{"id":"a","result":[1,2]}') == Meaning(
        "response", None, "[1, 2]", id='"a"', replies='"a"'
    )


def test_an_error_says_its_code_and_message_and_data() -> None:
    body = b'{"id":1,"error":{"code":-32000,"message":"no","data":{"why":"so"}}}'
    assert meaning(body) == Meaning(
        "error", None, '-32000 no ({why="so"})', id="1", replies="1", flags=("error",)
    )


@pytest.mark.parametrize(
    ("id_", "text"),
    [
        (b"0", "0"),
        (b"-7", "-7"),
        (b"9007199254740993", "9007199254740993"),
        (b"123456789012345678901234567890", "123456789012345678901234567890"),
        (b"1.0", "1.0"),
        (b"1E0", "1E0"),
        (b'"1"', '"1"'),
        (b'"\xc3\xbc"', '"ü"'),
        (b"true", "true"),
        (b'{"a":[1]}', '{"a":[1]}'),
    ],
)
def test_an_id_is_the_json_text_that_stands_on_the_wire(id_: bytes, text: str) -> None:
    said = meaning(b'{"params":{"id":2.5},"method":"m","id":' + id_ + b"}")
    assert (said.id, said.asks) == (text, text)


def test_an_id_that_is_nested_deeper_than_can_be_written_is_taken_as_null() -> None:
    said = meaning(b'{"method":"m","id":' + b"[" * 500 + b"]" * 500 + b"}")
    assert said.id == "null"


def test_a_request_may_have_the_id_null_and_be_answered_under_it() -> None:
    question, answer = meanings(
        ("in", b'{"id":null,"method":"m"}'), ("out", b'{"id":null,"result":1}')
    )
    assert question == Meaning("request", "m", id="null", asks="null")
    assert answer == Meaning("response", None, "1", id="null", replies="null")


def test_an_error_with_the_id_null_answers_what_could_not_be_read() -> None:
    said = meaning(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}')
    assert said == Meaning(
        "error",
        None,
        "-32700 Parse error",
        id="null",
        flags=("error", "null-id"),
        note="answers what could not be read",
    )


@pytest.mark.parametrize(
    ("body", "kind", "summary", "flags", "note"),
    [
        (
            b'{"error":{"code":1,"message":"x"}}',
            "error",
            "1 x",
            ("error", "no-id"),
            "no id",
        ),
        (b'{"result":1}', "response", "1", ("no-id",), "no id"),
        (
            b'{"id":2,"result":null,"error":{"code":1,"message":"y"}}',
            "error",
            "1 y",
            ("error", "result-and-error"),
            "both result and error",
        ),
        (b'{"id":3}', "response", "", ("no-result",), "neither result nor error"),
        (b'{"id":3,"error":null}', "response", "", ("no-result",), "neither result nor error"),
        (
            b'{"id":4,"error":"bad"}',
            "error",
            '"bad"',
            ("error", "error-shape"),
            "error is no object with code and message",
        ),
        (
            b'{"id":4,"error":{"code":"E1","message":"bad"}}',
            "error",
            "E1 bad",
            ("error", "error-shape"),
            "error without code and message",
        ),
    ],
)
def test_what_strict_peers_refuse_in_an_answer_is_told(
    body: bytes, kind: str, summary: str, flags: tuple[str, ...], note: str
) -> None:
    said = meaning(body)
    assert (said.kind, said.summary, said.flags, said.note) == (kind, summary, flags, note)


def test_a_member_of_the_envelope_that_is_there_twice_is_told() -> None:
    assert meaning(b'{"jsonrpc":"2.0","id":1,"method":"getinfo","method":"stop"}') == Meaning(
        "request",
        "stop",
        id="1",
        asks="1",
        flags=("duplicate-member",),
        note='"method" is there twice; most readers take the last',
    )


def test_an_inner_member_of_the_same_name_is_nothing_odd() -> None:
    said = meaning(b'{"id":1,"method":"m","params":{"id":1,"method":"x"}}')
    assert said == Meaning("request", "m", 'id=1 method="x"', id="1", asks="1")


def test_each_message_of_a_batch_has_its_own_meaning() -> None:
    batch = b'[{"id":1,"method":"a"},{"method":"b"},{"id":7,"result":2},3]'
    assert meanings(("in", batch)) == [
        Meaning(
            "request", "a", id="1", asks="1", flags=("batch",), decoded=b'{"id":1,"method":"a"}'
        ),
        Meaning("notification", "b", flags=("batch",), decoded=b'{"method":"b"}'),
        Meaning(
            "response",
            None,
            "2",
            id="7",
            replies="7",
            flags=("batch",),
            decoded=b'{"id":7,"result":2}',
        ),
        Meaning(
            "unknown",
            flags=("not-object", "batch"),
            note="JSON, but a number and no object",
            decoded=b"3",
        ),
    ]


@pytest.mark.parametrize(
    ("body", "flag", "note"),
    [
        (b'{"a":1}', "not-dialect", "neither method, result nor error"),
        (b"[]", "not-object", "JSON, but a list and no object"),
        (b"null", "not-object", "JSON, but null and no object"),
        (b"true", "not-object", "JSON, but a boolean and no object"),
        (b'"text"', "not-object", "JSON, but a string and no object"),
    ],
)
def test_what_is_no_message_stays_visible_with_a_reason(body: bytes, flag: str, note: str) -> None:
    assert meaning(body) == Meaning("unknown", flags=(flag,), note=note)


def test_a_session_is_recognised_by_the_member_jsonrpc() -> None:
    reason = 'messages say "jsonrpc": "2.0"'
    single, batch = b'{"jsonrpc":"2.0","method":"m"}', b'[{"jsonrpc":"2.0","method":"m"}]'
    assert JSONRPC.recognise([], [Heard("in", b"log"), Heard("out", single)]) == reason
    assert JSONRPC.recognise([], [Heard("in", batch)]) == reason
    not_quite_json = b'{"jsonrpc":"2.0","id":1,"result":NaN}'
    assert JSONRPC.recognise([], [Heard("in", not_quite_json)]) == reason
    assert JSONRPC.recognise([], [Heard("in", b'{"method":"m"}'), Heard("in", b"[]")]) is None
    assert JSONRPC.recognise([], []) is None


def test_a_real_session_is_understood_from_its_first_to_its_last_frame() -> None:
    heard = heard_of(FIXTURES / "dialects" / "jsonrpc" / "adder.tape")
    said = [
        (side, it.kind, it.method, it.id, it.summary) for side, it in meanings_of(JSONRPC, heard)
    ]
    big = "12345678901234567890123"
    assert said == [
        ("in", "request", "add", "1", "[20, 22]"),
        ("out", "response", None, "1", "42"),
        ("in", "request", "divide", '"d"', "[1, 0]"),
        ("out", "request", "confirm", "1", "divisor=0"),
        ("in", "response", None, "1", "false"),
        ("out", "notification", "log", None, 'text="nothing divided"'),
        ("out", "error", None, '"d"', "7 not confirmed ({divisor=0})"),
        ("in", "request", "add", "1.0", "[1, 1]"),
        ("in", "request", "add", big, "[2, 2]"),
        ("out", "response", None, "1.0", "2"),
        ("out", "response", None, big, "4"),
        ("in", "unknown", None, None, ""),
        ("out", "error", None, "null", "-32700 Parse error"),
        ("in", "notification", "bye", None, ""),
    ]
