"""Messages, and what is known of the dialect, while their session lives."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tapproxy.ingest.follow import catch_up
from tapproxy_store.journal_reading import JournalReader, Record
from tests.store.made import query
from tests.tapproxy.commands.terminals import TAP
from tests.tapproxy.ingest.ingesters import (
    PATIENCE_S,
    check_finished,
    ended,
    ingester,
    seen,
    until,
)
from tests.tapproxy.ingest.made import Journal, living

ECHO = """
import sys
for line in sys.stdin:
    print('{"jsonrpc":"2.0","id":1,"result":{}}', flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Give the path of a recording that is not there yet."""
    return str(tmp_path / "a.tap")


def test_messages_and_what_was_learnt_are_visible_while_the_session_lives(path: str) -> None:
    told = Journal().says("in", b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n')
    told.says("in", b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
    result = b'{"protocolVersion":"2025-11-25","serverInfo":{"name":"time","version":"1.2"}}'
    answer = b'{"jsonrpc":"2.0","id":0,"result":' + result + b"}\n"
    with living(path + ".wire", told) as live, ingester(live.path) as process:
        asked = "select count(*) from messages where asks"
        until(lambda: seen(path, asked) == 2, "two questions")
        assert query(path, "select dialect, traits from sessions") == [("mcp", "[]")]
        told.says("out", answer)
        live.write()
        answered = "select count(*) from messages where answers = 1"
        until(lambda: seen(path, answered) == 1, "an answer")
        assert query(path, "select traits from sessions") == [
            ('["server time 1.2", "protocol 2025-11-25"]',)
        ]
        assert query(path, "select * from totals") == []
        told.ends()
        live.write()
        live.let_go()
        assert ended(process) == (0, b"")
    check_finished(path, told.rows())
    assert query(path, "select stream, frames from totals") == [("err", 0), ("in", 2), ("out", 1)]


def test_a_follower_that_begins_anew_and_is_stopped_leaves_what_another_has_learnt(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = JournalReader.read

    def one_batch(reader: JournalReader) -> list[Record]:
        monkeypatch.setattr(JournalReader, "read", stopped)
        return read(reader)

    def stopped(reader: JournalReader) -> list[Record]:
        raise KeyboardInterrupt(reader.position)

    told = Journal().says("in", b'{"jsonrpc":"2.0","id":0,"method":"tools/list"}\n')
    for _ in range(3):
        told.says("in", b"x" * 999_999 + b"\n")
    told.says("out", b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}\n')
    learnt = [("mcp", '["protocol 2025-11-25"]')]
    sql = "select dialect, traits from sessions"
    with living(path + ".wire", told) as live:
        journal = os.open(live.path, os.O_RDONLY)
        catch_up(journal, path)
        assert query(path, sql) == learnt
        monkeypatch.setattr(JournalReader, "read", one_batch)
        with pytest.raises(KeyboardInterrupt):
            catch_up(journal, path)
        os.close(journal)
        assert query(path, sql) == learnt


def test_a_real_session_shows_its_messages_while_it_lives(path: str) -> None:
    command = [*TAP, "run", "-o", path, "--", sys.executable, "-c", ECHO]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
        process.stdin.flush()
        assert process.stdout.readline() == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
        until(lambda: seen(path, "select count(*) from messages where answers = 1") == 1, "answer")
        assert query(path, "select dialect, duration_ns from sessions") == [("mcp", None)]
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0
    sql = "select count(*) from sessions where duration_ns is not null"
    until(lambda: seen(path, sql) == 1, "the end")
    kinds = "select frame, kind, method, answers from messages"
    assert query(path, kinds) == [
        (1, "request", "tools/list", None), (2, "response", "tools/list", 1),
    ]  # fmt: skip
    assert query(path, "select stream, frames from totals") == [("err", 0), ("in", 1), ("out", 1)]
