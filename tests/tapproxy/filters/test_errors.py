"""What is said of filters that are wrong, whole."""

import pytest

from tapproxy.errors import USAGE
from tapproxy.filters import FilterError, parse

KEYS = "method, kind, id, dir, stream, text, json, size, latency, gap, t, n, flag"

LONG = "f" * 41
SHORT = "f" * 40 + "…"


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("metod:x", 1, "'metod' is no key; did you mean method?"),
        ("kind:x metod:y", 8, "'metod' is no key; did you mean method?"),
        ("xyz:1", 1, "'xyz' is no key; there are " + KEYS),
        (":x", 1, "'' is no key; there are " + KEYS),
        ("a or", 1, "'a' has no key; to look for it write text:a"),
        ("error", 1, "'error' has no key; to look for it write text:error, or flag:error"),
        ("22", 1, "'22' has no key; frame 22 is '#22'"),
        ("size>1k", 1, "'size>1k' has no colon; did you mean size:>1k?"),
        ("kind=error", 1, "'kind=error' has no colon; did you mean kind:error?"),
        ('method!="a b"', 1, "'method!=a b' has no colon; did you mean not method:\"a b\"?"),
        ("#2-5", 2, "a range is written 2..5"),
        ("t:1s-2s", 3, "a range is written 1s..2s"),
        (
            "text:hello world",
            12,
            "'world' has no key; a value with a space is quoted, as in text:\"hello world\"",
        ),
        ("foo", 1, "'foo' has no key; to look for it write text:foo"),
        ('"hello world"', 1, "'hello world' has no key; to look for it write text:\"hello world\""),
        ("kind", 1, "kind wants a value, as in kind:request,error"),
        ("-kind:x", 1, "- means nothing here; write not kind:x"),
        ('!kind:"a b"', 1, '! means nothing here; write not kind:"a b"'),
        ("n:1 && n:2", 5, "&& means nothing here; write and"),
        ("n:1 | n:2", 5, "| means nothing here; write or"),
        ("! n:1", 1, "! means nothing here; write not"),
        ("n:1)", 4, ") closes nothing"),
        (")", 1, ") closes nothing"),
        ("(n:1", 1, "( is not closed"),
        ("n:1 or (kind:a", 8, "( is not closed"),
        ("()", 1, "nothing stands in ( ); a value with parentheses needs quotes"),
        ("n:1 or", 5, "nothing follows or"),
        ("not", 1, "nothing follows not"),
        ("or n:1", 1, "nothing stands before or"),
        ("n:1 or or n:2", 8, "nothing stands before or"),
        ("n:1 and", 5, "nothing follows and"),
        ("(n:1 or)", 6, "nothing follows or"),
        ("text:foo()", 9, "nothing stands in ( ); a value with parentheses needs quotes"),
        (
            "n:",
            1,
            "nothing follows n:; if you wrote > or <, the shell took it: quote the filter, "
            "as in 'n:>10'",
        ),
        ("method: x", 1, "nothing follows method:; write it as in method:tools/*"),
        ("#", 1, "nothing follows #; write it as in #12"),
        ("method:a,", 8, "a value is missing beside a comma; quote a comma that is meant itself"),
        ("method:,", 8, "a value is missing beside a comma; quote a comma that is meant itself"),
        ("latency:3", 9, "3 has no unit; units are ns, us, ms, s, m, h, as in 3s"),
        ("latency:>3sec", 11, "'sec' is no unit; units are ns, us, ms, s, m, h"),
        ("latency:3s", 9, "exactly 3s is hardly ever met; write >3s, <3s or a range"),
        ("latency:>", 9, "a quantity is missing; write it as in 3s"),
        ("t:..", 3, "a range needs an end; write 3s.. or ..3s"),
        ("n:..", 3, "a range needs an end; write 12.. or ..12"),
        ("n:5..3", 3, "5..3 holds nothing: it ends before it begins"),
        ("t:1.5..3s", 3, "1.5 has no unit; units are ns, us, ms, s, m, h, as in 3s"),
        ("n:1.5", 3, "1.5 is no whole number"),
        ("n:12k", 5, "'k' is no unit; a plain number is wanted"),
        ("n:x", 3, "'x' is no quantity; write it as in 12"),
        ('n:""', 3, "a quantity is missing; write it as in 12"),
        ("n:1e3", 4, "'e3' is no unit; a plain number is wanted"),
        ("size:>64q", 9, "'q' is no unit; units are B, k, kB, KiB, M, MB, MiB, G, GB, GiB"),
        ("size:99999999999G", 6, "99999999999G is more than there can be"),
        ("size:1..2..3", 9, "'2..3' is no quantity; write it as in 64k"),
        (
            "dir:err",
            5,
            "'err' is not known here; who speaks is host or plugin; stderr is stream:err",
        ),
        ("stream:stdin", 8, "'stdin' is not known here; a stream is in, out or err"),
        ("stream:o*", 8, "'o*' is not known here; a stream is in, out or err"),
        ('flag:"a b"', 6, "a flag is one word, as in flag:error"),
        ('flag:""', 6, "a flag is one word, as in flag:error"),
        ("json:a..b", 6, "a step of the path is missing; write it as in params.name=echo"),
        ("json:a>3", 7, "> means nothing in a path; quote it if it is part of a name"),
        ("json:=x", 6, "a step of the path is missing; write it as in params.name=echo"),
        ("json:a=", 6, "nothing follows ="),
        ("json:a,b", 7, ", means nothing in a path; quote it if it is part of a name"),
        ("json:a=1,", 8, "a value is missing beside a comma; quote a comma that is meant itself"),
        ('text:"abc', 6, "the quote is not closed"),
        ("kind:a\udc80", 6, "this is not UTF-8; only text: finds such bytes"),
        ("method:a\ud800", 9, "half a character"),
        (LONG, 1, f"'{SHORT}' has no key; to look for it write text:{SHORT}"),
        (f"-text:{LONG}", 1, f"- means nothing here; write not text:{SHORT[5:]}"),
    ],
)
def test_an_error_names_the_place_and_says_what_to_write(
    text: str, column: int, reason: str
) -> None:
    assert said_of(text) == f"filter, column {column}: {reason}"


def said_of(text: str) -> str:
    with pytest.raises(FilterError) as caught:
        parse(text)
    assert caught.value.exit_code == USAGE
    return str(caught.value)


def test_a_filter_has_bounds_within_which_sqlite_can_take_it() -> None:
    assert said_of("(" * 11 + "n:1" + ")" * 11) == (
        "filter, column 11: at most 10 parentheses may be open"
    )
    assert said_of("n:1 " * 499 + "n:1,2") == (
        "filter, column 1997: a filter has at most 500 values"
    )
    assert said_of("text:" + "x" * 9996) == (
        "filter, column 10001: a filter has at most 10000 characters"
    )


@pytest.mark.parametrize(
    ("text", "here"),
    [
        ("kind:x metod:y", " (here: kind:x [metod]:y)"),
        ("n:1 or", " (here: n:1 [or])"),
        ("n:x", " (here: n:[x])"),
        ("metod", ""),
        (f"n:x text:{LONG}{LONG}", f" (here: n:[x] text:{'f' * 34}…)"),
        (f"text:{LONG}{LONG} n:x", f" (here: …{'f' * 37} n:[x])"),
    ],
)
def test_an_error_shows_the_place_where_it_is_not_all_of_the_filter(text: str, here: str) -> None:
    with pytest.raises(FilterError) as caught:
        parse(text)
    assert caught.value.told(text) == f"{caught.value}{here}"
