"""How terms are joined, how values are quoted, and how a filter is written again."""

import pytest

from tapproxy.filters import parse
from tests.tapproxy.filters.made import Said, matching, session

ROWS = session(
    Said("a", "x"), Said("a", "y"), Said("b", "x"), Said("b", "y"), Said("c d", "x,*[(]"), None
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", [1, 2, 3, 4, 5, 6]),
        ("  ", [1, 2, 3, 4, 5, 6]),
        ("kind:a method:x", [1]),
        ("kind:a and method:x", [1]),
        ("kind:a or method:x", [1, 2, 3]),
        ("kind:a OR method:x AND NOT kind:a", [1, 2, 3]),
        ("not kind:a method:x", [3]),
        ("not (kind:a method:x)", [2, 3, 4, 5, 6]),
        ("not kind:a or method:x", [1, 3, 4, 5, 6]),
        ("method:y kind:a or method:x kind:b", [2, 3]),
        ("method:y (kind:a or kind:b)", [2, 4]),
        ("method:y(kind:a)", [2]),
        ("not not kind:a", [1, 2]),
        ("not (not (kind:a))", [1, 2]),
        ("not (kind:* or n:1)", [6]),
        ("(n:1)" * 20, [1]),
        ("kind:a:b,b", [3, 4]),
        ('kind:"c d"', [5]),
        ('kind:c" "d', [5]),
        ('method:"x,*[(]"', [5]),
        ('method:x","*', [5]),
        ("method:x*]", [5]),
        ("method:x?*[*]", [5]),
        ('method:x?*[*")]"', []),
        ('method:x?*["("]', [5]),
        ('method:""', []),
    ],
)
def test_not_binds_closer_than_and_and_that_closer_than_or(text: str, numbers: list[int]) -> None:
    assert matching(text, ROWS) == numbers


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", ""),
        ("  kind:a   AND method:x ", "kind:a method:x"),
        ("(kind:a) (method:x)", "kind:a method:x"),
        ("(kind:a or (method:x or n:1))", "kind:a or method:x or n:1"),
        ("(kind:a method:x) or n:1", "kind:a method:x or n:1"),
        ("(kind:a or method:x) n:1", "(kind:a or method:x) n:1"),
        ("not(kind:a or method:x)", "not (kind:a or method:x)"),
        ("not not not kind:a", "not kind:a"),
        ("not (not kind:a)", "kind:a"),
        ("#12", "n:12"),
        ('text:"a \\"b\\" \\\\"', 'text:"a \\"b\\" \\\\"'),
        ('text:"a"" b"', 'text:"a b"'),
        ('text:"\\n"', 'text:"\\\\n"'),
        ('text:\\n,""', 'text:\\n,""'),
    ],
)
def test_a_filter_is_written_in_one_canonical_way(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical
    assert parse(canonical) == parse(text)


def test_a_filter_names_its_keys_and_tells_whether_sql_alone_decides() -> None:
    stored = parse("kind:a (n:1 or not flag:error)")
    assert (stored.keys, stored.is_complete) == (frozenset({"kind", "n", "flag"}), True)
    partly = parse("kind:a gap:>3s")
    assert (partly.keys, partly.is_complete) == (frozenset({"kind", "gap"}), False)
    assert partly.sql() == ("(m.kind = ? AND 1)", ["a"])
    assert (parse("").keys, parse("").sql()) == (frozenset(), ("1", []))


def test_what_sql_cannot_decide_is_left_out_on_the_side_of_too_much() -> None:
    assert parse("not (kind:a text:x)").sql() == ("((m.kind = ? AND 0)) IS NOT TRUE", ["a"])
    assert parse("not (kind:a or text:x)").sql() == ("((m.kind = ? OR 0)) IS NOT TRUE", ["a"])


def test_a_body_is_not_fetched_where_a_cheaper_term_decides() -> None:
    bodiless = session(Said("a"))[0]
    object.__setattr__(bodiless, "data", None)
    assert not parse("kind:b text:x").matches(bodiless)
    assert parse("kind:a or json:x").matches(bodiless)
