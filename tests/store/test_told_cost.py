"""What reading frames with their messages costs: memory, and what SQLite goes through."""

import sqlite3
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tapproxy_store.bounds import Extent
from tapproxy_store.pages import EVERYTHING, LAST, Selection
from tapproxy_store.reading import open_recording
from tapproxy_store.records import Frame, Told
from tapproxy_store.told_pages import ToldPages
from tests.store.made import (
    RECORDS,
    message,
    query,
    write,
    write_spoken,
)


def test_long_ids_of_many_messages_are_read_in_little_memory(tmp_path: Path) -> None:
    size = 100_000
    numbers = range(1, 301)
    frames = [Frame(1, n, "in", 0, 1, 2, 2, 0, 0, 0, "none", None) for n in numbers]
    messages = (message(n, id="9" * size) for n in numbers)
    path = write(str(tmp_path / "a.tap"), RECORDS, frames, messages=messages)
    with open_recording(path) as recording:
        tracemalloc.start()
        told = (it for it in recording.entries(1) if isinstance(it, Told))
        total = sum(len(it.messages[0].id or "") for it in told)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert total == 300 * size
    assert peak < 10_000_000


ALONG_THE_INDEX = "SEARCH f USING INDEX frames_in_order (session=? AND (last_chunk,number)>(?,?)"
ALONG_THE_NUMBERS = "SEARCH f USING PRIMARY KEY (session=? AND number>?)"
ONE_FRAME = "SEARCH f USING PRIMARY KEY (session=? AND number=?)"

ASKED: dict[str, tuple[Callable[[ToldPages], object], str]] = {
    "all": (lambda it: next(it.in_order(1, LAST, EVERYTHING)), ALONG_THE_INDEX),
    "method": (
        lambda it: next(it.in_order(1, LAST, Selection("m.method = 'read'"))),
        ALONG_THE_INDEX,
    ),
    "stream": (
        lambda it: next(it.in_order(1, LAST, Selection("f.stream = 'out'"))),
        ALONG_THE_INDEX,
    ),
    "news": (lambda it: next(it.by_number(1, 0, LAST)), ALONG_THE_NUMBERS),
    "one": (lambda it: it.find(1, 4), ONE_FRAME),
}


@pytest.mark.parametrize(("ask", "first"), ASKED.values(), ids=ASKED)
def test_nothing_has_sqlite_sort_or_go_through_all_messages(
    tmp_path: Path, ask: Callable[[ToldPages], object], first: str
) -> None:
    """Either would make one page take as long as the whole session, or longer."""
    path = write_spoken(str(tmp_path / "a.tap"))
    statements: list[str] = []
    with closing(sqlite3.connect(path)) as connection:
        connection.set_trace_callback(statements.append)
        ask(ToldPages(connection, path, Extent(path)))
    (sql,) = statements
    steps = [row[3].removesuffix(" LEFT-JOIN") for row in query(path, f"EXPLAIN QUERY PLAN {sql}")]
    assert steps[0].startswith(first)
    assert steps[1:] == [
        "SEARCH m USING PRIMARY KEY (session=? AND frame=?)",
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH a USING INDEX messages_by_question (session=? AND answers=? AND answers_part=?)",
    ]
