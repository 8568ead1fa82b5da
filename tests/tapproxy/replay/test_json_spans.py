"""The values of a message are found where they stand, in whatever way it is written."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.replay.json_grammar import SHALLOW_LEVELS
from tapproxy.replay.json_spans import DEEPEST, MOST_TEXTS, Found, spans
from tests.tapproxy.replay.spelling import HANDS, OUTERMOST, pattern, places, spelled

quick = settings(max_examples=150, deadline=None)  # a busy machine is no failure

PATTERNS = ["id", "params._meta.progressToken", "items.*.id", "items.1.n", "*"]


def texts(body: bytes, *patterns: str) -> list[tuple[str, bytes]]:
    """Return what is found, as paths with dots and as the texts there."""
    return [
        (".".join(map(str, path)), body[start:end]) for path, start, end in spans(body, patterns)
    ]


@quick
@given(OUTERMOST, HANDS)
def test_every_value_is_found_at_its_path(value: Any, hand: random.Random) -> None:
    body = spelled(value, hand).encode()
    for path, expected in places(value):
        [found] = spans(body, [pattern(path)])
        assert found.path == path
        assert json.loads(body[found.start : found.end]) == expected


@quick
@given(OUTERMOST, HANDS)
def test_several_patterns_find_what_each_finds(value: Any, hand: random.Random) -> None:
    body = spelled(value, hand).encode()
    patterns = [pattern(path) for path, _ in places(value)][::2]
    alone = {found for it in patterns for found in spans(body, [it])}
    together = spans(body, patterns)
    assert together == sorted(alone, key=lambda it: (it.start, -it.end))


@quick
@given(OUTERMOST, HANDS)
def test_stars_find_all_values_of_a_depth(value: Any, hand: random.Random) -> None:
    body = spelled(value, hand).encode()
    for depth in range(1, 5):
        found = spans(body, [".".join("*" * depth)])
        expected = [path for path, _ in places(value) if len(path) == depth]
        assert [it.path for it in found] == expected


@quick
@given(OUTERMOST, HANDS, st.data())
def test_a_text_that_is_cut_holds_nothing(
    value: Any, hand: random.Random, data: st.DataObject
) -> None:
    body = spelled({"id": 7, "value": value}, hand).encode()
    cut = body[: data.draw(st.integers(0, len(body) - 1))]
    assert spans(cut, ["id", "value"]) == []


@quick
@given(st.binary(max_size=60) | st.text(alphabet='{}[]:,"\\ u0n1e-.', max_size=60))
def test_bytes_of_any_kind_do_no_harm(noise: bytes | str) -> None:
    body = noise if isinstance(noise, bytes) else noise.encode()
    for path, start, end in spans(body, PATTERNS):
        assert path
        json.loads(body[start:end].decode("utf-8", "replace"), strict=False)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b'{"id":1,"x":{"id":2}}', [("id", b"1")]),
        (b'{ "id" : -1.50E+3 , "x":0}\r\n', [("id", b"-1.50E+3")]),
        (rb'{"\u0069d":"a\/b"}', [("id", rb'"a\/b"')]),
        (b'{"id":1,"id":2}', [("id", b"1"), ("id", b"2")]),
        (b'[{"id":1}]', []),
        (b'{"id":{"a":[1, 2]},"b":3}', [("id", b'{"a":[1, 2]}')]),
        (b'{"id":"\xff\xfe","\xff":1}', [("id", b'"\xff\xfe"')]),
        (b'{"id":NaN,"x":"a\x01b"}', [("id", b"NaN")]),
        (b'\r[1/2] one\x1b[K{"id":3}', [("id", b"3")]),
        (b'\xef\xbb\xbf{"id":3}', [("id", b"3")]),
        (b'[INFO] started {"id":3} done', [("id", b"3")]),
        (b'{"id":1}{"id":2}', [("id", b"1"), ("id", b"2")]),
        (b'{"kind":"data","payl{"id":5}oad":1}', [("id", b"5")]),
        (b'{"id":1,"x":{"id":2},"y', []),
        (b'{"id":01}', []),
        (b'{"id":1,}', []),
        (b"{'id':1}", []),
        (rb'{"id":"C:\Users"}', []),
        (b'{"id":1 "x":2}', []),
        (b'{"x":[1,],"id":1}', []),
        (b'"id"', []),
        (b"", []),
    ],
)
def test_id_is_found_in_what_people_met(body: bytes, found: list[tuple[str, bytes]]) -> None:
    assert texts(body, "id") == found


def test_a_star_is_one_step_and_a_number_an_index_or_a_name() -> None:
    body = b'{"items":[{"id":1},{"id":2,"n":3}],"more":{"1":{"id":4}}}'
    assert texts(body, "items.*.id") == [("items.0.id", b"1"), ("items.1.id", b"2")]
    assert texts(body, "*.1.id") == [("items.1.id", b"2"), ("more.1.id", b"4")]
    assert texts(body, "items.1", "*.*.n") == [
        ("items.1", b'{"id":2,"n":3}'),
        ("items.1.n", b"3"),
    ]


def test_brackets_are_any_item_but_no_member() -> None:
    batch = b'[{"id":1,"params":{"id":3}},{"id":2,"0":{"id":4}}]'
    assert texts(batch, "[].id") == [("0.id", b"1"), ("1.id", b"2")]
    assert texts(batch, "[].id", "1.0.id") == [
        ("0.id", b"1"),
        ("1.id", b"2"),
        ("1.0.id", b"4"),
    ]
    assert texts(b'{"params":{"id":3}}', "id", "[].id") == []


def test_a_dot_or_star_in_a_name_is_escaped() -> None:
    body = b'{"a.b":1,"a":{"b":2},"*":3}'
    assert texts(body, r"a\.b", r"\*") == [("a.b", b"1"), ("*", b"3")]
    assert texts(body, "a.b") == [("a.b", b"2")]


def test_values_behind_deep_ones_are_found() -> None:
    deep = b'{"a":[' * (SHALLOW_LEVELS * 2) + b"{}" + b"]}" * (SHALLOW_LEVELS * 2)
    body = b'{"deep":%s,"list":[[%s,1],2],"id":7}' % (deep, deep)
    assert texts(body, "id", "list.1") == [("list.1", b"2"), ("id", b"7")]


def test_what_is_nested_too_deeply_holds_nothing() -> None:
    levels = DEEPEST + SHALLOW_LEVELS
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        nested = opening * levels + b'{"id":1}' + closing * levels
        assert spans(nested, ["id", "*"]) == []


@pytest.mark.parametrize(
    "body",
    [
        b"[" * (1 << 16),
        b'{"a":' * 100_000,
        b"[1/" * 100_000,
        b'{"a":"' * 100_000,
        b'[{"a":[1,"' * 100_000,
        b"[1" + b" " * 1_000_000,
        b'["' + b"\\" * 1_000_000,
        b"[[[1," * 100_000,
    ],
)
def test_hostile_bytes_hold_nothing(body: bytes) -> None:
    assert spans(body, ["id", "a.a.id", "*.*"]) == []


def test_only_so_many_texts_of_one_body_are_looked_at() -> None:
    found = spans(b'{"id":1}' * (MOST_TEXTS + 1), ["id"])
    assert len(found) == MOST_TEXTS
    assert found[-1] == Found(("id",), MOST_TEXTS * 8 - 2, MOST_TEXTS * 8 - 1)
