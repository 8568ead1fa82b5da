"""Whatever the filter and the rows: SQLite and Python agree, and what is written reads the same."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.filters import Filter, FilterError, parse
from tapproxy.filters.parsing import MOST_NESTED, MOST_VALUES
from tapproxy_store.records import STREAMS
from tests.tapproxy.filters.made import TABLES, Row, Said, frame, matching

quick = settings(max_examples=300, deadline=None)  # a busy machine is no failure

SIGNS = 'ab*?[]^!-", ()é\n'  # no NUL: there SQLite's GLOB ends, and no protocol has such a method
PLAIN = "ab*?[]^!-é"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


VALUES = st.text(PLAIN, min_size=1, max_size=4) | st.builds(quoted, st.text(SIGNS, max_size=4))
GLOBS = st.lists(VALUES, min_size=1, max_size=2).map(",".join)
FLAGS = st.sampled_from(["error", "late", "junk", "unanswered", "l*", "*r", "un*", "error,late"])
AMOUNTS = st.integers(0, 4)
RANGES = st.one_of(
    st.builds("{}{}{{0}}".format, st.sampled_from([">", ">=", "<", "<="]), AMOUNTS),
    st.builds("{}{{0}}..".format, AMOUNTS),
    st.builds("..{}{{0}}".format, AMOUNTS),
    st.builds(lambda low, more: f"{low}{{0}}..{low + more}{{0}}", AMOUNTS, AMOUNTS),
)
TERMS = st.one_of(
    st.builds("{}:{}".format, st.sampled_from(["method", "kind", "id", "text", "json:a="]), GLOBS),
    st.builds("flag:{}".format, FLAGS),
    st.sampled_from(["dir:host", "dir:plugin", "stream:err", "stream:in,out", "json:a", "n:2,3"]),
    st.builds(
        lambda key, amounts: f"{key}:{amounts.format('ns')}",
        st.sampled_from(["latency", "t", "gap"]),
        RANGES,
    ),
    st.builds(lambda amounts: f"size:{amounts.format('B')}", RANGES),
).map(lambda term: term.replace("json:a=:", "json:a="))
FILTERS = st.recursive(
    TERMS,
    lambda inner: st.one_of(
        st.builds("{} {}".format, inner, inner),
        st.builds("{} or {}".format, inner, inner),
        st.builds("not {}".format, inner),
        st.builds("({})".format, inner),
    ),
    max_leaves=6,
)

TEXTS = st.none() | st.text(SIGNS, max_size=3)
SAID = st.builds(
    Said,
    kind=st.sampled_from(["request", "prompt", "a", "ab"]),
    method=TEXTS,
    id=st.none() | st.sampled_from(["1", '"a"', '"1"', "null"]),
    latency_ns=st.none() | AMOUNTS,
    flags=st.sampled_from([None, "error", "late", "error late"]),
    answers=st.none() | st.integers(1, 3),
    asks=st.integers(0, 1),
)
FRAMES = st.builds(
    frame,
    number=st.just(0),
    stream=st.sampled_from(STREAMS),
    size=AMOUNTS,
    last_ns=AMOUNTS,
    flaw=st.sampled_from([None, "junk", "unfinished"]),
)
BODIES = st.sampled_from([b"", b'{"a":"b"}', b'{"a":[]}', b"ab", b"\xff"])


@st.composite
def recordings(draw: st.DrawFn) -> list[Row]:
    """Draw some frames, numbered from 1, most with a message."""
    drawn = draw(st.lists(st.tuples(FRAMES, st.none() | SAID), max_size=4))
    answered = {said.answers for _, said in drawn if said is not None}
    return [
        Row(
            of._replace(number=number),
            said,
            draw(st.none() | AMOUNTS),
            number in answered,
            draw(BODIES),
            draw(st.none() | BODIES),
        )
        for number, (of, said) in enumerate(drawn, 1)
    ]


@quick
@given(text=FILTERS, rows=recordings())
def test_sqlite_and_python_choose_the_same_rows(text: str, rows: list[Row]) -> None:
    matching(text, rows)  # asserts that they agree


@quick
@given(text=FILTERS, rows=recordings())
def test_not_chooses_all_other_rows(text: str, rows: list[Row]) -> None:
    numbers = {it.frame.number for it in rows}
    assert {*matching(f"not ({text})", rows)} == numbers - {*matching(text, rows)}


@quick
@given(first=FILTERS, second=FILTERS, rows=recordings())
def test_and_chooses_what_both_do_and_or_what_either_does(
    first: str, second: str, rows: list[Row]
) -> None:
    by_first, by_second = {*matching(first, rows)}, {*matching(second, rows)}
    assert {*matching(f"({first}) ({second})", rows)} == by_first & by_second
    assert {*matching(f"{first} or {second}", rows)} == by_first | by_second


@quick
@given(text=FILTERS, rows=recordings())
def test_the_canonical_spelling_reads_the_same_and_stays_as_it_is(
    text: str, rows: list[Row]
) -> None:
    canonical = str(parse(text))
    assert str(parse(canonical)) == canonical
    assert matching(canonical, rows) == matching(text, rows)


@quick
@given(text=st.text('kindtexjsong:,.*"\\()<>=#10s or\n\udc80\ud800', max_size=20) | st.text())
def test_any_text_is_a_filter_or_an_error_that_points_into_it(text: str) -> None:
    read = outcome(text)
    if isinstance(read, FilterError):
        assert 1 <= read.column <= read.column + read.length - 1 <= len(text)
    else:
        assert parse(str(read)) == read


def outcome(text: str) -> Filter | FilterError:
    try:
        return parse(text)
    except FilterError as error:
        return error


@pytest.mark.parametrize(
    "text",
    [
        " ".join(["n:>1"] * MOST_VALUES),
        " or ".join(["not flag:error"] * MOST_VALUES),
        "id:" + ",".join("1" * MOST_VALUES),
        "flag:" + ",".join(["unanswered"] * MOST_VALUES),
        "n:1 (n:2 or not (" * (MOST_NESTED // 2) + "id:a,b" + "))" * (MOST_NESTED // 2),
        "not (n:1 not (n:1 or " * (MOST_NESTED // 2)
        + "flag:unanswered"
        + "))" * (MOST_NESTED // 2),
        "method:" + "[" * 9_980 + "*",
        "method:" + "文" * 9_980 + "*",
    ],
    ids=lambda text: text[:20],
)
def test_sqlite_can_take_the_longest_and_deepest_filters(text: str) -> None:
    condition, parameters = parse(text).sql()
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(TABLES)
        found = database.execute(
            "SELECT count(*) FROM (SELECT 1 FROM frames f LEFT JOIN messages m"
            f" ON m.frame = f.number WHERE (f.session = 1 AND (1 AND {condition})))",
            parameters,
        )
        assert found.fetchall() == [(0,)]
