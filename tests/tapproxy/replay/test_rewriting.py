"""Values are replaced in place, and every other byte of a message stays as it was."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.replay.json_patterns import Path
from tapproxy.replay.json_spans import spans
from tapproxy.replay.rewriting import frame_rewritten, rewritten, values
from tests.tapproxy.replay.spelling import (
    HANDS,
    OUTERMOST,
    VALUES,
    pattern,
    places,
    spelled,
    with_value,
)

quick = settings(max_examples=150, deadline=None)  # a busy machine is no failure

BODY = b'{"id":9,"method":"x"}'


def longer(_: Path, raw: bytes) -> bytes:
    """Change a number to a longer one."""
    return raw + b"00"


@quick
@given(OUTERMOST, VALUES, HANDS, st.data())
def test_a_replaced_value_is_all_that_differs(
    value: Any, new: Any, hand: random.Random, data: st.DataObject
) -> None:
    body = spelled(value, hand).encode()
    everywhere = list(places(value))
    path = data.draw(st.sampled_from([it for it, _ in everywhere] or [("nowhere",)]))
    text = spelled(new, hand).encode()
    changed = rewritten(body, [pattern(path)], lambda *_: text)
    if not everywhere:
        assert changed is body
        return
    [found] = spans(body, [pattern(path)])
    assert changed == body[: found.start] + text + body[found.end :]
    assert json.loads(changed) == with_value(value, path, new)


@quick
@given(st.binary(max_size=80))
def test_bytes_that_are_no_json_stay_the_same_object(body: bytes) -> None:
    changed = rewritten(body, ["id", "*.id"], lambda *_: None)
    assert changed is body


def test_every_duplicate_is_replaced_and_the_last_one_is_the_value() -> None:
    body = b'{"id":1, "id": 2}'
    assert rewritten(body, ["id"], longer) == b'{"id":100, "id": 200}'
    assert values(body, ["id"]) == {("id",): b"2"}


def test_a_value_that_is_replaced_is_not_looked_into() -> None:
    body = b'{"a":{"b":1},"c":{"b":2},"d":"{\\"b\\":3}"}'
    seen: list[Path] = []

    def change(path: Path, raw: bytes) -> bytes | None:
        seen.append(path)
        return b"0" if path == ("a",) else raw + b"0" if path[-1] == "b" else None

    new = rewritten(body, ["*", "*.b"], change)
    assert new == b'{"a":0,"c":{"b":20},"d":"{\\"b\\":30}"}'
    assert seen == [("a",), ("c",), ("c", "b"), ("d",), ("d", "b")]


def test_values_are_read_as_they_stand() -> None:
    body = b'{"id":"A\\u0042","params":{"_meta":{"progressToken": 1e3 }},"x":"{\\"id\\":\\"q\\"}"}'
    assert values(body, ["id", "params._meta.progressToken", "x.id", "y"]) == {
        ("id",): b'"A\\u0042"',
        ("params", "_meta", "progressToken"): b"1e3",
        ("x", "id"): b'"q"',
    }


@pytest.mark.parametrize(
    ("header", "new"),
    [
        (b"", b""),
        (b"Content-Length: 21\r\n\r\n", b"Content-Length: 23\r\n\r\n"),
        (b"content-LENGTH :\t21 \n\n", b"content-LENGTH :\t23 \n\n"),
        (b"Content-Length:0021\r\r\n\r\r\n", b"Content-Length:0023\r\r\n\r\r\n"),
        (
            b"Content-Type: a; n=21\r\nContent-Length: 21\r\n\r\n",
            b"Content-Type: a; n=21\r\nContent-Length: 23\r\n\r\n",
        ),
        (b"Content-Length: 22\r\n\r\n", b"Content-Length: 22\r\n\r\n"),
        (b"X-Content-Length: 21\r\n\r\n", b"X-Content-Length: 21\r\n\r\n"),
        (
            b"Content-Length: 21\r\nContent-Length: 21\r\n\r\n",
            b"Content-Length: 21\r\nContent-Length: 21\r\n\r\n",
        ),
    ],
)
def test_a_length_that_was_right_stays_right(header: bytes, new: bytes) -> None:
    changed = frame_rewritten(header + BODY, len(header), 0, ["id"], longer)
    assert changed == new + b'{"id":900,"method":"x"}'


def test_a_length_grows_and_shrinks_by_digits() -> None:
    body = b'{"id":"%s"}' % (b"a" * 90)
    frame = b"Content-Length: 99\r\n\r\n" + body
    grown = frame_rewritten(frame, 22, 0, ["id"], lambda _, raw: raw[:-1] + b'b"')
    assert grown == b"Content-Length: 100\r\n\r\n" + body[:-2] + b'b"}'
    assert frame_rewritten(grown, 23, 0, ["id"], lambda *_: b'"%s"' % (b"a" * 90)) == frame


def test_a_length_counts_bytes() -> None:
    frame = b"Content-Length: 10\r\n\r\n" + '{"id":"é"}'.encode()
    changed = frame_rewritten(frame, 22, 0, ["id"], lambda *_: b"1")
    assert changed is not frame
    assert changed == b"Content-Length: 10\r\n\r\n" + b'{"id":1}'


@pytest.mark.parametrize("terminator", [b"", b"\n", b"\r\n", b"\r\r\n"])
def test_a_terminator_stays(terminator: bytes) -> None:
    changed = frame_rewritten(BODY + terminator, 0, len(terminator), ["id"], longer)
    assert changed == b'{"id":900,"method":"x"}' + terminator


@pytest.mark.parametrize(
    "frame",
    [
        b'{"id":1,"resul\n',
        b"\r[1/2] ns::one\x1b[K\n",
        b'{"id":1,"x":nope}\n',
        b"\xff\xfe\x00\n",
        b"\n",
    ],
)
def test_a_malformed_frame_stays_the_same_object(frame: bytes) -> None:
    assert frame_rewritten(frame, 0, 1, ["id", "*"], longer) is frame
