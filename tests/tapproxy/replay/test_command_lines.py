"""A command line that is a request is known again, however it is spelled."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.replay.command_lines import asked, differing_value, fits, likeness, started

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)


@given(OBJECTS)
def test_json_is_compared_by_its_value_whatever_its_spelling(value: dict[str, Any]) -> None:
    recorded = json.dumps(value, separators=(",", ":"))
    turned = dict(reversed(list(value.items())))
    live = json.dumps(turned, indent=2, ensure_ascii=False)
    assert fits(started(["xlings", "call", "--args", recorded]), asked(["call", "--args", live]))


@pytest.mark.parametrize(
    ("recorded", "live"),
    [
        ('{"a":1}', '{"a":true}'),
        ('{"a":1}', '{"a":1.0}'),
        ("[1,2]", "[2,1]"),
        ("{bad", "{ bad"),
        ("word", "Word"),
    ],
)
def test_other_values_do_not_fit(recorded: str, live: str) -> None:
    assert not fits(started(["xlings", recorded]), asked([live]))
    assert fits(started(["xlings", recorded]), asked([recorded]))


def test_what_follows_the_program_must_be_the_same_to_the_last_word() -> None:
    recorded = started(["xlings", "-v", "interface", "env"])
    assert fits(recorded, asked(["-v", "interface", "env"]))
    assert not fits(recorded, asked(["interface", "env"]))
    assert not fits(recorded, asked(["-v", "interface"]))
    assert not fits(recorded, asked(["-v", "interface", "env", "more"]))


@pytest.mark.parametrize(
    "argv",
    [
        ["/usr/bin/python3.12", "-X", "utf8", "xlings.py", "interface", "env"],
        ["node", "cli.js", "interface", "env"],
        ["sh", "-c", "FOO=1 xlings interface env"],
        ["C:\\Windows\\cmd.exe", "/c", "xlings.exe interface env"],
        ["sh", "-c", "exec xlings interface env"],
        ["bash", "-lc", "python3 xlings.py interface env"],
        ["npx", "-y", "xlings", "interface", "env"],
    ],
)
def test_a_program_that_another_one_runs_is_looked_for_behind_it(argv: list[str]) -> None:
    assert fits(started(argv), asked(["interface", "env"]))


def test_an_option_and_its_value_may_be_one_word() -> None:
    recorded = started(["xlings", "call", '--args={"a": 1}'])
    assert fits(recorded, asked(["call", "--args", '{"a":1}']))


def test_a_file_of_arguments_stands_for_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('\ufeff{ "a": 1 }', encoding="utf-8")
    plain = started(["xlings", "call", "--args", '{"a":1}'])
    live = asked(["call", "--args-file", str(tmp_path / "a.json")])
    assert fits(plain, live)
    assert not fits(started(["xlings", "call", "--args", "{}"]), live)


def test_a_recorded_file_is_not_opened_and_may_have_held_anything(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": 2}', encoding="utf-8")
    recorded = started(["xlings", "call", "--args-file", str(tmp_path / "a.json")])
    assert fits(recorded, asked(["call", "--args", '{"a":1}']))
    assert fits(recorded, asked(["call", "--args-file", "/nowhere/b.json"]))
    assert not fits(recorded, asked(["other", "--args", '{"a":1}']))


def test_a_live_file_that_cannot_be_read_fits_nothing_that_is_known() -> None:
    recorded = started(["xlings", "call", "--args", "{}"])
    assert not fits(recorded, asked(["call", "--args-file", "/nowhere/b.json"]))


def test_the_first_value_that_differs_is_named() -> None:
    recorded = started(["xlings", "call", "--args", '{"targets":["node","gcc"],"yes":true}'])
    live = asked(["call", "--args", '{"yes":false,"targets":["node"]}'])
    assert differing_value(recorded, live) == 'targets.1 was "gcc", now absent'
    assert differing_value(recorded, asked(["other", "--args", "{}"])) is None
    assert differing_value(recorded, asked(["call"])) is None


def test_the_line_that_shares_most_is_the_most_alike() -> None:
    live = asked(["interface", "install", "--args", '{"targets":["node"]}'])
    lines = [
        started(["xlings", "interface", "--list"]),
        started(["xlings", "interface", "install", "--args", '{"targets":["nodejs"]}']),
        started(["xlings", "interface", "remove", "--args", '{"targets":["node"]}']),
    ]
    assert max(lines, key=lambda it: likeness(it, live)) is lines[1]
