"""What a replay finds and does, in words."""

from collections.abc import Iterator
from typing import Any

import orjson

from tapproxy.diffing.values import Unequal
from tapproxy.replay.findings import Finding
from tapproxy.replay.matching import Nearest
from tapproxy.replay.script import Act, Expected, Step
from tapproxy.replay.spoken import UNKNOWN, Spoken
from tapproxy_store.records import Event, Stream, Told
from tapproxy_viewers.differences import ABSENT
from tapproxy_viewers.happenings import STREAM_NAMES, tell
from tapproxy_viewers.visible import decoded, shown
from tapproxy_viewers.words import duration

LONGEST = 60


def named(spoken: Spoken) -> str:
    """Name a frame by what it is: `request tools/call (3)`, or by its beginning."""
    if spoken.kind in (None, UNKNOWN):
        return f'"{_clipped(decoded(spoken.body[: 4 * LONGEST]))}"'
    return _name(spoken.kind, spoken.method, spoken.id)


def _name(kind: str | None, method: str | None, key: str | None) -> str:
    said = [kind or "", method or "", f"({key})" if key else ""]
    return shown(" ".join(filter(None, said)))


def about(event: Event) -> str:
    """Name an event."""
    return tell(event)[1]


def unread(stream: Stream) -> str:
    """Say that what we write has no reader left."""
    return f"nobody reads the plugin's {STREAM_NAMES[stream]} any more"


def waited(step: Step, expected: Expected | None, instead: str | None) -> str:
    """Say which step waits, for what, and what came instead since the last thing that fitted."""
    if expected is None:
        return f"step {step.number} ({doing(step)}) was not reached"
    what = expected.what
    awaited = about(what) if isinstance(what, Event) else told_name(what)
    words = f"step {step.number} ({doing(step)}) waits for {awaited}, which does not come"
    return words if instead is None else f"{words}; instead came {instead}"


def told_name(told: Told) -> str:
    """Name a recorded frame."""
    names = [" ".join(filter(None, [it.kind, it.method])) for it in told.messages]
    return f"#{told.frame.number} {', '.join(names)}".rstrip()


def doing(step: Step) -> str:
    """Say what a step does."""
    if isinstance(step.does, Act):
        return about(step.does.event)
    names = [f"#{own.frame.number}" for own in step.does.frames]
    return f"write {' '.join(names)}".rstrip()


def changed(live: Spoken, differs: Unequal, frame: int | None) -> Finding:
    """Return the finding that a message came with another value."""
    return Finding(
        "changed", named(live), frame, differs.path, _value(differs.a), _value(differs.b)
    )


def missed(live: Spoken, nearest: Nearest | None) -> Finding:
    """Return the finding that the recording has no answer to a question."""
    words = f"nothing recorded answers {named(live)}"
    if nearest is None:
        return Finding("miss", words)
    frame = nearest.recorded.frame
    if nearest.differs is None:
        return Finding("miss", f"{words} once more; #{frame} was the last", frame)
    path, then, now = nearest.differs
    words += f"; the nearest, #{frame}, has {path or 'the whole'} {_value(then)}, not {_value(now)}"
    return Finding("miss", words, frame, path, _value(then), _value(now))


def changed_event(recorded: Event, live: Event, frame: int | None = None) -> Finding:
    """Return the finding that something happened in another way."""
    return Finding("changed", about(live), frame, None, about(recorded), about(live))


def late(live: Spoken, latency_ns: int, recorded: Spoken) -> Finding:
    """Return the finding that an answer took too long."""
    then, now = duration(recorded.latency_ns or 0), duration(latency_ns)
    words = f"{named(live)} took {now}, not {then}"
    return Finding("late", words, recorded.frame, None, then, now)


def unused(step: Step) -> Iterator[Finding]:
    """Yield a finding for each answer that begins with a step that was not taken."""
    write = step.does
    if isinstance(write, Act):
        return
    for own in write.frames:
        for it in own.messages:
            if it.answers is not None and own.frame.start_offset >= write.start_offset:
                name = _name(it.kind, it.method, it.id)
                yield Finding("unused", name, own.frame.number)


def _value(value: Any) -> str:
    if value is ABSENT:
        return "nothing"
    if isinstance(value, bytes):
        return f'"{_clipped(decoded(value[: 4 * LONGEST]))}"'
    try:
        return _clipped(orjson.dumps(value).decode())
    except TypeError:
        return _clipped(repr(value))


def _clipped(text: str) -> str:
    return shown(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
