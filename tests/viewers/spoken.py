"""A small session with all that exports tell apart: its bytes, its events, and what they mean."""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from tapproxy_store.recording import MessageRow, create_or_open
from tapproxy_store.records import STREAMS, Event, Session, Stream
from tests.viewers.made import MS, SECOND, event, record, session


def message(frame: int, kind: str, method: str | None = None, **other: Any) -> MessageRow:
    """Make a row of `messages`; `other` are columns, and all that is not given is nothing."""
    columns = (
        "part", "id", "asks", "summary", "answers", "answers_part", "latency_ns", "about",
        "within_ns", "run", "flags", "note", "decoded",
    )  # fmt: skip
    part, key, asks, summary, *rest = (
        other.pop(name, {"part": 0, "asks": 0, "summary": ""}.get(name)) for name in columns
    )
    assert not other, other
    return (1, frame, part, kind, method, key, asks, summary, *rest)


def record_messages(
    path: str,
    it: Session,
    happened: Iterable[tuple[Stream, int, bytes] | Event],
    messages: Iterable[MessageRow],
) -> None:
    """Write a recording, and what its frames mean."""
    record(path, it, *happened)
    with create_or_open(path) as writer:
        writer.begin()
        writer.insert((), messages=messages)
        writer.commit()
        writer.finish()


HAPPENED: tuple[tuple[Stream, int, bytes] | Event, ...] = (
    event(1 * MS, "spawn", pid=42),
    ("in", 2 * MS, b'{"id":1,"method":"search"}\n'),
    ("in", 3 * MS, b'{"id":2,"method":"export"}\n'),
    ("err", 4 * MS, b"\x1b[1mcache; cold\n"),
    ("out", 5 * MS, b'{"method":"log"}\n'),
    ("out", 9 * MS, b'{"id":1,"result":[]}\n'),
    ("out", 10 * MS, b"=cmd\xff\n"),
    event(2 * SECOND, "stall", stream="in", reader="plugin", size=65536),
    event(2 * SECOND + 5 * MS, "stall-end", stream="in", reader="plugin", duration_ns=55 * MS),
    ("out", 3 * SECOND, b'{"id":7,"error":{}}\n'),
    event(4 * SECOND, "exit", code=0),
    event(4 * SECOND, "end", wall_ns=5),
)
MESSAGES = (
    message(1, "request", "search", id="1", asks=1, summary='for="<end>;#" n=1'),
    message(2, "request", "export", id="2", asks=1),
    message(4, "notification", "log", summary="-1"),
    message(
        5, "response", "search", id="1", summary="[]", answers=1, answers_part=0,
        latency_ns=7 * MS, flags="out-of-order swift-data", decoded=b'{"id":1.0}',
    ),
    message(6, "unknown", note="not JSON", flags="not-json"),
    message(
        7, "error", id="7", summary="{}", flags="error unmatched", note="answers no request",
    ),
)  # fmt: skip


def record_small(path: str, **changes: Any) -> None:
    """Write the small session, but for the changes."""
    usual = {"duration_ns": 4 * SECOND, "dialect": "jsonrpc", "dialect_reason": "2.0"}
    record_messages(
        path,
        session(**usual | changes),
        HAPPENED,
        MESSAGES,
    )


HOSTILE = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    [
        "=1+1",
        "end",
        "a;b",
        "#35;",
        ":wrap: x",
        "%%{init: {}}%%",
        "a\nb\r\nc",
        "<br/>",
        '"',
        "-->>",
        " ",
    ]
)
"""Texts that SQLite can hold, among them some that mean something to what they are exported to."""
SPOKEN = st.lists(st.tuples(st.sampled_from(STREAMS), HOSTILE, st.binary(max_size=20)), max_size=8)
"""For each frame its stream, the text for all that its message says, its body."""


def record_hostile(path: str, spoken: list[tuple[Stream, str, bytes]]) -> int:
    """Write a session in which every second frame asks; return how many frames it has."""
    frames: list[tuple[Stream, int, bytes]] = [
        (stream, at * MS, body.replace(b"\n", b"\r") + b"\n")
        for at, (stream, _, body) in enumerate(spoken)
    ]
    messages = [
        message(
            number, text or "unknown", text, id=text, asks=number % 2, summary=text, note=text,
            flags=text, answers=None if number % 2 else number - 1,
        )
        for number, (stream, text, _) in enumerate(spoken, 1)
        if stream != "err"
    ]  # fmt: skip
    name = "".join(text for _, text, _ in spoken)
    record_messages(path, session(name=name, facts={}, traits=(name,)), frames, messages)
    return len(frames)
