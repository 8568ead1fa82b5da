"""Writes configurations in odd ways: comments, spaces and commas as no one serialiser has them."""

import json
import random
import re
from typing import Any

from hypothesis import strategies as st

from tests.tapproxy.replay import spelling as plain

BETWEEN = ["", "", " ", "\n", "\r\n\t", "\n    ", ' /* { " */ ', "// , ] }\n  ", "/**/", " //\r\n"]

WORDS = st.text(alphabet=st.sampled_from("ab-/. \\\"'$ü😀#,{}[]=\n\t"), min_size=1, max_size=6)
COMMANDS = st.lists(WORDS, min_size=1, max_size=4)
NAMES = st.text(alphabet='ab.@-ü "', min_size=1, max_size=4)
ENTRIES = COMMANDS.map(lambda it: {"command": it[0], "args": it[1:]}) | WORDS.map(
    lambda it: {"command": it}
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a configuration with one server at least, and other values before and behind it."""
    variables = st.fixed_dictionaries({}, optional={"env": st.just({"A": "b"})})
    entries = st.tuples(ENTRIES, variables).map(lambda it: it[0] | it[1])
    servers = draw(st.dictionaries(NAMES, entries, min_size=1, max_size=3))
    others = draw(st.dictionaries(st.text("xyz", min_size=1, max_size=2), plain.VALUES, max_size=3))
    pairs = draw(st.permutations([*others.items(), ("mcpServers", servers)]))
    return dict(pairs)


def jsonc(value: Any, hand: random.Random) -> str:
    """Write a value as JSON with comments, each choice by chance."""
    if isinstance(value, dict):
        pairs = list(value.items())
        hand.shuffle(pairs)
        written = [
            f"{plain.spelled(name, hand)}{space(hand)}:{space(hand)}{jsonc(it, hand)}"
            for name, it in pairs
        ]
        return enclosed("{", written, "}", hand)
    if isinstance(value, list):
        return enclosed("[", [jsonc(it, hand) for it in value], "]", hand)
    return plain.spelled(value, hand)


def enclosed(opening: str, items: list[str], closing: str, hand: random.Random) -> str:
    """Write items between brackets, sometimes with a comma after the last."""
    text = ",".join(f"{space(hand)}{it}{space(hand)}" for it in items)
    comma = "," if items and hand.random() < 0.3 else ""
    return f"{opening}{text}{comma}{space(hand)}{closing}"


def space(hand: random.Random) -> str:
    """Write spaces, line ends and comments."""
    return hand.choice(BETWEEN)


_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n\r]*|/\*.*?\*/|.', re.DOTALL)


def meant(text: str) -> Any:
    """Read JSON with comments in another way than tap: comments and last commas are taken out."""
    tokens = [it for it in _TOKEN.findall(text) if not it.startswith(("//", "/*")) and it.strip()]
    kept = [
        it
        for it, following in zip(tokens, [*tokens[1:], ""], strict=True)
        if it != "," or following not in ("}", "]")
    ]
    return json.loads("".join(kept))


def toml(servers: dict[str, Any], hand: random.Random) -> str:
    """Write servers as TOML, each in one of the ways in which a table can be written."""
    end = hand.choice(["\n", "\r\n"])
    lines = ["# servers", 'model = "x" # ]', ""]
    inline: list[tuple[str, Any]] = []
    headed: list[tuple[str, Any]] = []
    for name, entry in servers.items():
        (inline if hand.random() < 0.4 else headed).append((name, entry))
    lines += ["[mcp_servers]"] * bool(inline)
    for name, entry in inline:
        lines += _in_line(name, entry, hand)
    for name, entry in headed:
        lines += [f"[ mcp_servers . {_key(name)} ]  # {name!a}", "  # its command"]
        lines += [f"  {pair}" for pair in _pairs(entry, hand)]
    lines += [
        "",
        "[[profiles]]",
        "d = 1979-05-27 07:32:00 # a date",
        "[[profiles]]",
        "n = [1, [2]]",
    ]
    return end.join(lines) + hand.choice(["", end])


def _in_line(name: str, entry: dict[str, Any], hand: random.Random) -> list[str]:
    if hand.random() < 0.5:
        return [f"{_key(name)}.{pair}" for pair in _pairs(entry, hand)]
    pairs = [f"{key} = {_value(it, hand, one_line=True)}" for key, it in entry.items()]
    return [f"{_key(name)} = {{ {', '.join(pairs)} }} # }}"]


def _pairs(entry: dict[str, Any], hand: random.Random) -> list[str]:
    pairs = [f"{key}{hand.choice([' = ', '='])}{_value(it, hand)}" for key, it in entry.items()]
    hand.shuffle(pairs)
    return [pair + hand.choice(["", "  # a note"]) for pair in pairs]


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _value(value: Any, hand: random.Random, *, one_line: bool = False) -> str:
    if isinstance(value, dict):
        pairs = [f"{_key(key)} = {_value(it, hand, one_line=True)}" for key, it in value.items()]
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        between = " " if one_line else hand.choice([" ", "\n    ", " # ]\n    "])
        items = f",{between}".join(_value(it, hand, one_line=True) for it in value)
        comma = "," if value and hand.random() < 0.4 else ""
        end = " " if one_line else hand.choice(["", between])
        return f"[{between if value else ''}{items}{comma}{end}]"
    ways = [_text(value)]
    if not set(value) & set("'\n\t"):
        ways.append(f"'{value}'")
    if not one_line and "'''" not in value and not value.endswith("'"):
        ways.append(f"'''\n{value}'''")
    return hand.choice(ways)
