"""Where values stand in JSON with comments, TOML and Lua; and where something is broken."""

import tomllib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.wrap.configs import jsonc, lua, toml
from tapproxy.wrap.configs.lua_tokens import tokens
from tapproxy.wrap.configs.spans import DEEPEST, Document, NotReadable, position

quick = settings(max_examples=200, deadline=None)  # a busy machine is no failure


def texts(document: Document) -> dict[str, str]:
    """Return all values as they are written, by their paths with dots."""
    return {".".join(path): document.written(it.value) for path, it in document.pairs.items()}


def test_values_of_json_are_found_between_comments() -> None:
    text = (
        '\ufeff{ // {\n "a": [1, "x\\u0041",], "b": {"c\\"": {"d": null,},}, /* } */ "e": -1.5e+3 }'
    )
    assert texts(jsonc.read(text)) == {
        "a": '[1, "x\\u0041",]',
        "b": '{"c\\"": {"d": null,},}',
        'b.c"': '{"d": null,}',
        'b.c".d': "null",
        "e": "-1.5e+3",
    }


def test_of_names_that_come_twice_the_last_holds() -> None:
    document = jsonc.read('{"a": {"x": 1, "y": 2}, "a": {"x": 3}}')
    assert texts(document) == {"a": '{"x": 3}', "a.x": "3"}


BROKEN_JSON = [
    ("", "nothing is in it", (1, 1)),
    (" // only this\n", "nothing is in it", (2, 1)),
    ("[1]", "an object in braces was expected", (1, 1)),
    ("{", "a name in double quotes was expected", (1, 2)),
    ('{"a":}', "a value was expected", (1, 6)),
    ('{"a":1\n "b":2}', "a comma or } was expected", (2, 2)),
    ('{"a":[1 2]}', "a comma or ] was expected", (1, 9)),
    ('{"a" 1}', "a colon was expected", (1, 6)),
    ('{"a":1,,}', "a name in double quotes was expected", (1, 8)),
    ("{'a':1}", "a name in double quotes was expected", (1, 2)),
    ('{"a":01}', "a value was expected", (1, 6)),
    ('{"a":nul}', "a value was expected", (1, 6)),
    ('{"a":"b\n"}', "this text does not end on its line, or has a wrong escape in it", (1, 6)),
    (
        r'{"a":"C:\Users"}',
        "this text does not end on its line, or has a wrong escape in it",
        (1, 6),
    ),
    ('{"a":1 /* b', "this comment never ends", (1, 8)),
    ('{"a":1}\r\n}', "something follows the last closing brace", (2, 1)),
    ('{"a":' * (DEEPEST + 1), f"it is nested more than {DEEPEST} levels deep", (1, 1001)),
]


@pytest.mark.parametrize(("text", "reason", "place"), BROKEN_JSON)
def test_broken_json_says_where_and_why(text: str, reason: str, place: tuple[int, int]) -> None:
    with pytest.raises(NotReadable) as raised:
        jsonc.read(text)
    assert (raised.value.reason, position(text, raised.value.at)) == (reason, place)


def test_values_of_toml_are_found_in_all_its_tables() -> None:
    text = """\ufeffa.b = 'x' # ]
[ t . "u v" ]
c = 1979-05-27 07:32:00 # a date
d = { e = [1, 2], f.g = \"\"\"y\"\"\" }
[[n]]
h = [ # [
  "z", # ]
]
[n.o]
p = true
[[n]]
h = '''
q\"\"\"''''"""
    assert texts(toml.read(text)) == {
        "a.b": "'x'",
        "t.u v.c": "1979-05-27 07:32:00",
        "t.u v.d": '{ e = [1, 2], f.g = """y""" }',
        "t.u v.d.e": "[1, 2]",
        "t.u v.d.f.g": '"""y"""',
        "n.[0].h": '[ # [\n  "z", # ]\n]',
        "n.[0].o.p": "true",
        "n.[1].h": "'''\nq\"\"\"''''",
    }


@pytest.mark.parametrize(
    ("text", "reason", "place"),
    [
        ("a=", "invalid value", (1, 3)),
        ("\n\n[x\n", "expected ']' at the end of a table declaration", (3, 3)),
        ('a=1\r\nb="\r\n', "illegal character '\\n'", (2, 4)),
        ("\ufeffa 1", "expected '=' after a key in a key/value pair", (1, 3)),
        ('a = "x', "unterminated string", (1, 7)),
        ("a = 1\na = 2", "cannot overwrite a value", (2, 6)),
        ("a = " + "[" * 5000, "it is nested too deeply", (1, 1)),
    ],
)
def test_broken_toml_says_where_and_why(text: str, reason: str, place: tuple[int, int]) -> None:
    with pytest.raises(NotReadable) as raised:
        toml.read(text)
    assert (raised.value.reason, position(text, raised.value.at)) == (reason, place)


TOML_TEXTS = st.text(alphabet="ab=[]{}.,\"'#\n\r \\1-:T", max_size=40)


@quick
@given(TOML_TEXTS)
def test_whatever_is_toml_has_the_values_that_the_standard_library_reads(text: str) -> None:
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(NotReadable):
            toml.read(text)
        return
    document = toml.read(text)
    read = {
        path: tomllib.loads(f"it={document.written(pair.value)}")["it"]
        for path, pair in document.pairs.items()
    }
    assert {path: it for path, it in read.items() if not isinstance(it, dict)} == leaves(value)


def leaves(value: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Return all values that are no tables; the tables of an array are numbered."""
    found: dict[tuple[str, ...], Any] = {}
    for name, it in value.items():
        if isinstance(it, dict):
            found |= leaves(it, (*path, name))
        elif isinstance(it, list) and it and isinstance(it[0], dict):
            for number, table in enumerate(it):
                found |= leaves(table, (*path, name, f"[{number}]"))
        else:
            found[*path, name] = it
    return found


@quick
@given(st.text(alphabet='{}[]:,"\\ /*\nu0n1e-.t', max_size=60))
def test_texts_of_any_kind_do_no_harm(text: str) -> None:
    for read in (jsonc.read, toml.read, lua.read):
        with suppress(NotReadable):
            read(text)


def test_lua_is_cut_into_words_texts_and_signs() -> None:
    text = 'a.b --[[ c ]] = \'d\\\'\' .. [=[ e ]] ]=] -- f\n["g\\n"] = "\\x41" 0x1p-3 ~= x'
    assert [(it.kind, it.said) for it in tokens(text)] == [
        ("name", "a"),
        ("sign", "."),
        ("name", "b"),
        ("sign", "="),
        ("text", "d'"),
        ("sign", ".."),
        ("odd text", " e ]] "),
        ("sign", "["),
        ("text", "g\n"),
        ("sign", "]"),
        ("sign", "="),
        ("odd text", '"\\x41"'),
        ("sign", "0x1p-3"),
        ("sign", "~="),
        ("name", "x"),
    ]


@pytest.mark.parametrize(
    ("text", "reason", "place"),
    [
        ("x = {\n", "this { is never closed", (1, 5)),
        ("x = (1}", "this } closes nothing", (1, 7)),
        ("x = 'a\n'", "this text does not end on its line", (1, 5)),
        ("--[[ a", "this comment never ends", (1, 1)),
    ],
)
def test_broken_lua_says_where_and_why(text: str, reason: str, place: tuple[int, int]) -> None:
    with pytest.raises(NotReadable) as raised:
        lua.read(text)
    assert (raised.value.reason, position(text, raised.value.at)) == (reason, place)


@pytest.mark.parametrize(
    "value",
    [
        '"a"',
        "f()",
        '{ "a", b }',
        '{ "a" .. "b" }',
        '{ [1] = "a" }',
        '{ "a" } or nil',
        '{ "\\x41" }',
        "{ [[a]] }",
        'function() return { "a" } end',
    ],
)
def test_a_command_in_lua_that_is_no_plain_list_has_no_words(value: str) -> None:
    document = lua.read(f'vim.lsp.config("it", {{ cmd = {value}, x = 1 }})')
    assert document.pairs["it", "cmd"].value.texts is None


def test_a_command_that_lua_gives_twice_has_no_words() -> None:
    once = 'vim.lsp.config("it", { cmd = { "a" } })\n'
    assert lua.read(once).pairs["it", "cmd"].value.texts == ["a"]
    assert lua.read(once + once).pairs["it", "cmd"].value.texts is None


def test_lua_whose_blocks_do_not_match_has_no_servers() -> None:
    text = 'vim.lsp.config("it", { function function }) x, cmd'
    assert lua.read(text).pairs == {}
