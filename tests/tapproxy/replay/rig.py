"""One engine on a recording made by hand, and a peer that is spoken line by line."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from tapproxy.dialects.registry import get_dialect
from tapproxy.ingest.tapes import import_file
from tapproxy.replay.doing import Options, Over, Pass, Send, Sleep
from tapproxy.replay.engine import Engine
from tapproxy.replay.forwarding_engine import ForwardingEngine
from tapproxy.replay.script import Role
from tapproxy.replay.source import Source
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.records import STREAMS, Chunk, Event, Session, Stream

MS = 1_000_000

NAMED: dict[str, Stream] = {it: it for it in STREAMS}

Happened = tuple[float, Stream, bytes] | tuple[float, str, dict[str, Any]]
"""When, in milliseconds; then a stream and bytes, or an event's kind and detail."""

Doing = tuple[float, str, Any]
"""When, in milliseconds; then a stream and bytes, an event's kind and detail, `over` and why, where
it ended in the middle, or `pass` and bytes for the real plugin."""


class Rig:
    """Played to an instant; tells what was done up to there."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.over_ms: float | None = None  # when it was over
        self._now_ns = 0

    def until(self, at_ms: float) -> list[Doing]:
        """Do what is due up to an instant, that included."""
        done: list[Doing] = []
        while True:
            due = self.engine.next(self._now_ns)
            if isinstance(due, Sleep):
                if due.until_ns > at_ms * MS:
                    self._now_ns = int(at_ms * MS)
                    return done
                self._now_ns = due.until_ns
                continue
            now_ms = self._now_ns / MS
            if isinstance(due, Over):
                self.over_ms = now_ms
                return done if due.why is None else [*done, (now_ms, "over", due.why)]
            if isinstance(due, Send):
                self.engine.sent(due, self._now_ns)
                done.append((now_ms, due.stream, due.data))
            elif isinstance(due, Pass):
                done.append((now_ms, "pass", due.data))
            else:
                self.engine.performed(due.step, self._now_ns)
                done.append((now_ms, due.event.kind, due.event.detail))

    def hear(self, stream: Stream, data: bytes) -> None:
        """Have the peer write, now."""
        self.engine.heard(stream, data, self._now_ns)

    def hear_real(self, data: bytes) -> None:
        """Have the real plugin write, now."""
        assert isinstance(self.engine, ForwardingEngine)
        self.engine.heard_real(data, self._now_ns)

    def lose_real(self, why: str) -> None:
        """Have the real plugin say nothing more, from now on."""
        assert isinstance(self.engine, ForwardingEngine)
        self.engine.lost_real(why, self._now_ns)

    def see(self, kind: str, **detail: Any) -> None:
        """Have the peer do something that is not bytes, now."""
        self.engine.happened(Event(0, 1, self._now_ns, kind, detail), self._now_ns)

    def found(self) -> list[tuple[str, str]]:
        """Return the differences in the end."""
        return [(it.kind, it.words) for it in self.engine.conclude().found]


MakeRig = Callable[..., Rig]


@pytest.fixture(name="rig")
def make_rig(tmp_path: Path) -> Iterator[MakeRig]:
    """Return what makes a rig; of a recording for each."""
    opened: list[Recording] = []

    def make(
        role: Role,
        *happened: Happened,
        options: Options | None = None,
        dialect: str = "jsonrpc",
        strict: bool = False,
    ) -> Rig:
        path = tmp_path / f"{len(opened)}.tap"
        import_file("/dev/null", str(path), lambda *_: records(happened), dialect)
        recording = open_recording(str(path))
        opened.append(recording)
        session = recording.session()
        source = Source(recording, session)
        items = source.items(role, strict=strict)
        options = options or Options()
        kind = ForwardingEngine if options.on_miss == "forward" else Engine
        return Rig(kind(items, session, role, get_dialect(dialect), source.spoken, options, 0))

    yield make
    for recording in opened:
        recording.close()


def records(happened: tuple[Happened, ...]) -> Iterator[Session | Chunk | Event]:
    """Yield a session and what happened in it."""
    end_ns = int(happened[-1][0] * MS)
    yield Session(1, "made", 0, 0, end_ns, "exit 0", "auto", {"argv": ["plugin"]})
    sizes: dict[str, int] = {}
    for seq, (at_ms, what, more) in enumerate(happened, 1):
        t_ns = int(at_ms * MS)
        if isinstance(more, dict):
            yield Event(seq, 1, t_ns, what, more)
            continue
        yield Chunk(seq, 1, NAMED[what], t_ns, sizes.get(what, 0), more)
        sizes[what] = sizes.get(what, 0) + len(more)


def ask(key: Any, method: str, **params: Any) -> bytes:
    """Return the line of a request."""
    return _line({"jsonrpc": "2.0", "id": key, "method": method, "params": params})


def tell(method: str, **params: Any) -> bytes:
    """Return the line of a notification."""
    return _line({"jsonrpc": "2.0", "method": method, "params": params})


def answer(key: Any, result: Any) -> bytes:
    """Return the line of an answer."""
    return _line({"jsonrpc": "2.0", "id": key, "result": result})


def _line(value: Any) -> bytes:
    return orjson.dumps(value) + b"\n"
