"""A session that has one of everything that a timeline tells."""

from collections.abc import Iterator
from typing import Any

from tapproxy_store.records import Event, Told
from tests.viewers.made import MS, SECOND, Made, event, message

UUID = '"6C0E4B0A-0000-4000-8000-000000000004"'
LIMIT = {"asks": 1, "within_ns": 3 * SECOND}


def opening(made: Made) -> Iterator[Told | Event]:
    """Yield a call and its answer, a slow one, an error, a batch."""
    yield event(0, "spawn", pid=4242)
    yield made.told(
        "in",
        3 * MS,
        "request",
        "initialize",
        id="1",
        **LIMIT,
        answered_after_ns=MS,
        summary="demo-editor 1.0, root demo",
    )
    yield made.bare("err", 3 * MS, b"\x1b[32mINFO\x1b[0m listening")
    yield made.told(
        "out",
        4 * MS,
        "response",
        "initialize",
        id="1",
        answers=1,
        latency_ns=MS,
        summary="ruff 0.17.6: codeAction, diagnostic, documentFormatting, hover",
    )
    yield made.told(
        "in",
        5 * MS,
        "request",
        "search",
        id=UUID,
        asks=1,
        answered_after_ns=2 * SECOND,
        summary='word="你好，世界 🎉"',
    )
    yield made.told(
        "out",
        2005 * MS,
        "response",
        "search",
        id=UUID,
        answers=4,
        latency_ns=2 * SECOND,
        flags="out-of-order",
        summary="3 files",
    )
    yield made.told("in", 2006 * MS, "request", "forget", id='"f"', asks=1, answered_after_ns=MS)
    yield made.told(
        "out",
        2007 * MS,
        "error",
        "forget",
        id='"f"',
        answers=6,
        latency_ns=MS,
        flags="error",
        summary="-32601 no such method: forget",
    )
    batch = made.frame("in", 2008 * MS, b"x" * 150)
    usual: dict[str, Any] = {"asks": 1, "answered_after_ns": MS, "flags": "batch"}
    yield Told(
        batch,
        (
            message(8, "request", "add", id="7", summary="[1, 1]", **usual),
            message(8, "request", "add", part=1, id="8", summary="[2, 2]", **usual),
        ),
    )


def middle(made: Made) -> Iterator[Told | Event]:
    """Yield what is odd: no JSON, nobody's answer, a cut, a stall; and a run of progress."""
    one_read = made.frame("in", 2008 * MS, b"{}")._replace(first_chunk=8)
    yield Told(one_read, (message(9, "notification", "log", summary='text="a\tb"'),))
    no_json = made.frame("out", 2009 * MS, b"pong \xff \xe2\x80\xaegnp.exe")
    yield Told(no_json, (message(10, "unknown", note="not JSON"),))
    yield made.told("out", 2010 * MS, "response", id="77", note="answers no request")
    yield made.bare("out", 2011 * MS, b"")
    yield made.bare("out", 2012 * MS, b"\r[1/3] fetching", flaw="junk")
    yield event(2100 * MS, "stall", stream="in", reader="plugin", size=65536)
    yield made.told("in", 2150 * MS, "request", "install", id="9", **LIMIT, summary="2 packages")
    for percent in (10, 50, 100):
        yield made.told(
            "out",
            (2200 + percent) * MS,
            "progress",
            "fetch",
            about=14,
            run="f",
            summary=f"{percent} % xim",
        )
    for at_ms in (2400, 2401, 2402, 2403):
        yield made.bare("err", at_ms * MS, b"retrying")


def ending(made: Made) -> Iterator[Told | Event]:
    """Yield heartbeats, one missing; an answer that never came; death."""
    for at_s in (7, 12):
        yield made.told(
            "out", at_s * SECOND, "heartbeat", within_ns=6 * SECOND, summary=f"01:44:{at_s:02}Z"
        )
    yield made.bare("out", 19 * SECOND, b'{"half":', flaw="unfinished", slow_ns=200 * MS)
    yield event(19 * SECOND, "eof", stream="out", by="plugin")
    yield event(80 * SECOND, "exit", signal="SIGKILL")


def story(made: Made) -> Iterator[Told | Event]:
    """Yield one of everything."""
    yield from opening(made)
    yield from middle(made)
    yield from ending(made)
