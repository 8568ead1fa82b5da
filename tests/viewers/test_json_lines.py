"""JSON is indented without being changed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy_viewers.json_lines import is_json, json_lines
from tapproxy_viewers.lines import plain
from tapproxy_viewers.visible import decoded, shown


def told(text: str) -> list[str]:
    assert is_json(text)
    return [plain(line) for line in json_lines(text)]


def test_each_value_has_its_line() -> None:
    assert told('{"id":1,"params":{"names":["a","b"],"none":null, "empty":{ },"no":[]}}') == [
        "{",
        '  "id": 1,',
        '  "params": {',
        '    "names": [',
        '      "a",',
        '      "b"',
        "    ],",
        '    "none": null,',
        '    "empty": {},',
        '    "no": []',
        "  }",
        "}",
    ]


def test_numbers_and_repeated_keys_stay_as_they_were_sent() -> None:
    assert told('[1.0,1E5,12345678901234567890123,-0,{"a":1,"a":2},NaN]') == [
        "[",
        "  1.0,",
        "  1E5,",
        "  12345678901234567890123,",
        "  -0,",
        "  {",
        '    "a": 1,',
        '    "a": 2',
        "  },",
        "  NaN",
        "]",
    ]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (r'"hi\/\u4f60\u597d"', '"hi/你好"'),
        (r'"a\nb\"c\\"', r'"a\nb\"c\\"'),
        (r'"\ud83c\udf89"', '"🎉"'),
        (r'"\ud800"', '"‹U+D800›"'),
        (r'"\u001b[31m \u202e"', r'"\u001b[31m ‹U+202E›"'),
        ('"\x1b[31m\n"', '"␛[31m␊"'),
        ("12", "12"),
        (' { "a" : true } ', '{|  "a": true|}'),
        ('{"a\\u0062" :"x:y,{z}"}', '{|  "ab": "x:y,{z}"|}'),
    ],
)
def test_what_can_be_printed_is_and_nothing_steers_the_terminal(sent: str, said: str) -> None:
    assert "|".join(told(sent)) == said


def test_keys_have_a_style_of_their_own() -> None:
    assert list(json_lines('{"k":"v"}')) == [
        [("text", "{")],
        [("text", "  "), ("key", '"k"'), ("text", ": "), ("text", '"v"')],
        [("text", ""), ("text", "}")],
    ]


def test_what_is_nested_very_deep_is_no_wider_for_that() -> None:
    lines = told("[" * 200 + "1" + "]" * 200)
    assert (len(lines), max(map(len, lines))) == (401, 2 * 60 + 1)


@pytest.mark.parametrize(
    "text", ["", "{", '{"a":}', "[1,]", "pong", "1 2", "[" * 100_000, "\ufeff1"]
)
def test_what_is_no_json_is_told_apart(text: str) -> None:
    assert not is_json(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON, st.booleans(), st.sampled_from([None, 0, 3]))
def test_the_lines_say_the_same_and_hold_nothing_unsafe(
    value: object,
    ascii_only: bool,  # noqa: FBT001  as hypothesis hands it over
    indent: int | None,
) -> None:
    lines = told(json.dumps(value, ensure_ascii=ascii_only, indent=indent))
    assert [shown(line) for line in lines] == lines
    said = "".join(lines)
    if shown(json.dumps(value, ensure_ascii=False)) == json.dumps(value, ensure_ascii=False):
        assert json.loads(said) == value


@given(st.binary())
def test_bytes_that_are_no_utf_8_are_seen_in_their_strings(data: bytes) -> None:
    text = '["' + decoded(data).replace("\\", "").replace('"', "") + '"]'
    lines = told(text)
    assert [lines[0], lines[-1]] == ["[", "]"]
    assert "".join(lines[1:-1]) == "  " + shown(text[1:-1])
