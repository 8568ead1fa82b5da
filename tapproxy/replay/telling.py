"""Turns what a replay is going to do, and what it has found, into what viewers draw."""

from collections.abc import Callable, Iterator
from itertools import tee
from typing import Any

from tapproxy.replay.findings import Findings
from tapproxy.replay.schedule import AS_RECORDED, Pace
from tapproxy.replay.script import Act, Expected, Item, OwnFrame, Role, Step, Write
from tapproxy.replay.spoken import Spoken
from tapproxy_store.records import Event, Frame, Message, Told
from tapproxy_store.rows import TERMINATORS
from tapproxy_viewers.drawing import UNSPOKEN_KINDS, short_id
from tapproxy_viewers.happenings import STREAM_NAMES, tell
from tapproxy_viewers.replay_report import Found, Verdict
from tapproxy_viewers.replay_script import After, Mark, Part, Planned
from tapproxy_viewers.timeline import UNKNOWN
from tapproxy_viewers.visible import decoded

MOST_NAMED = 4096
"""Items whose frames are remembered for what waits for them; others go by their own number."""

TEXT_SIZE = 400
"""Bytes of a frame of which nothing is known that are shown at most."""

Payload = Callable[[Frame, int], bytes]
"""A recorded frame's body, at most so many bytes of it."""


def verdict(
    findings: Findings,
    recording: str,
    role: Role,
    took_ns: int,
    *,
    recorded_ns: int | None = None,
    pace: Pace = AS_RECORDED,
    ended: str | None = None,
    replay: str | None = None,
    by_hand: bool = False,
) -> Verdict:
    """Return what came of a replay, as reports tell it.

    `recording` and `replay` are names of recordings; `ended` is why it ended before its time.
    """
    found = tuple(
        Found(it.kind, it.words, it.frame, it.path, it.recorded, it.live) for it in findings.found
    )
    return Verdict(
        recording,
        role,
        findings.same,
        findings.steps,
        took_ns,
        dict(findings.count),
        found,
        recorded_ns,
        pace.times,
        ended,
        replay,
        findings.skipped,
        findings.edited,
        by_hand,
    )


def planned(items: Iterator[Item], payload: Payload) -> Iterator[Planned]:
    """Yield each item of a script as it is drawn; a stream, whatever the length of the session."""
    names: dict[int, str] = {}
    for item in items:
        it = _expected(item, payload) if isinstance(item, Expected) else _step(item, names)
        name = _name(item)
        if name is not None:
            names[item.number] = name
            if len(names) > MOST_NAMED:
                del names[next(iter(names))]
        yield it


def noted(items: Iterator[Item], payload: Payload, steps: dict[int, Planned]) -> Iterator[Item]:
    """Yield the items as they are; keep how each step is drawn, by its number."""
    these, those = tee(items)
    for item, it in zip(these, planned(those, payload), strict=True):
        if it.doing != "wait":
            steps[it.number] = it
        yield item


def spoken_part(spoken: Spoken) -> Part:
    """Return what a live frame is, as it is drawn."""
    if spoken.kind in (None, UNKNOWN):
        return Part("", _text(spoken.body[:TEXT_SIZE]))
    is_plain = spoken.kind in UNSPOKEN_KINDS and spoken.method is not None
    key = "" if spoken.id is None else f"({short_id(spoken.id)})"
    name = " ".join(filter(None, ["" if is_plain else spoken.kind, spoken.method, key]))
    mark: Mark = "plain" if spoken.answers is None else "answer"
    return Part(name, mark="failure" if spoken.kind == "error" else mark)


def bytes_part(data: bytes, remark: str = "", frame: int | None = None) -> Part:
    """Return what is told of bytes, whatever they mean."""
    return Part("", _text(data[:TEXT_SIZE]), frame, len(data), remark)


def event_part(event: Event) -> Part:
    """Return what has happened, as it is drawn."""
    return Part(tell(event)[1])


def _name(item: Item) -> str | None:
    """Name an item by the frame that ends with it."""
    if isinstance(item, Expected):
        return None if isinstance(item.what, Event) else f"#{item.what.frame.number}"
    write = item.does
    if isinstance(write, Act):
        return None
    ended = [it.frame.number for it in write.frames if it.frame.end_offset <= write.end_offset]
    return f"#{ended[-1]}" if ended else None


def _expected(item: Expected, payload: Payload) -> Planned:
    what = item.what
    if isinstance(what, Event):
        return Planned(item.number, item.t_ns, "wait", None, (Part(tell(what)[1]),))
    frame, messages = what
    head = payload(frame, TEXT_SIZE) if _is_bare(messages) else b""
    part = _part(what, frame.size, head, "")
    return Planned(item.number, item.t_ns, "wait", frame.stream, (part,))


def _step(step: Step, names: dict[int, str]) -> Planned:
    waits = sorted(step.waits, key=lambda it: it.after_ns)
    after = tuple(After(names.get(it.number, f"step {it.number}"), it.after_ns) for it in waits)
    does = step.does
    if isinstance(does, Act):
        part = Part(act_words(does.event))
        return Planned(step.number, step.t_ns, "do", None, (part,), after)
    return Planned(step.number, step.t_ns, "send", does.stream, _written(does), after)


def _written(write: Write) -> tuple[Part, ...]:
    """Return the frames of a write; a write that no frame is in, as its bytes."""
    if not write.frames:
        return (Part("", _text(write.data[:TEXT_SIZE]), None, len(write.data)),)
    return tuple(_own_part(own, write) for own in write.frames)


def _own_part(own: OwnFrame, write: Write) -> Part:
    frame = own.frame
    start = max(frame.start_offset, write.start_offset)
    end = min(frame.end_offset, write.end_offset)
    remark = _remark(begins=start == frame.start_offset, ends=end == frame.end_offset)
    head = b""
    if _is_bare(own.messages):
        at = max(start - frame.start_offset, frame.header_size)
        body_end = min(end - frame.start_offset, frame.size - TERMINATORS[frame.terminator])
        head = own.data[at : min(body_end, at + TEXT_SIZE)]
    return _part(Told(frame, own.messages), end - start, head, remark)


def _remark(*, begins: bool, ends: bool) -> str:
    if begins:
        return "" if ends else "begins"
    return "ends" if ends else "goes on"


def _part(told: Told, size: int, head: bytes, remark: str) -> Part:
    """Return a frame by its messages, or by the beginning of its bytes."""
    frame, messages = told
    notes = [frame.flaw, *(it.note for it in messages)]
    note = ", ".join(filter(None, notes))
    if _is_bare(messages):
        return Part("", _text(head), frame.number, size, remark, note, _mark((), note))
    name = ", ".join(map(_message_name, messages))
    text = ", ".join(it.summary for it in messages if it.summary)
    return Part(name, text, frame.number, size, remark, note, _mark(messages, note))


def _is_bare(messages: tuple[Message, ...]) -> bool:
    """Tell whether nothing is known of what a frame means."""
    return all(it.kind == UNKNOWN for it in messages)


def _message_name(message: Message) -> str:
    """Name a message as a timeline does: its kind only where that is not plain from the rest."""
    is_plain = message.kind in UNSPOKEN_KINDS and message.method is not None
    said = ["" if is_plain else message.kind, message.method]
    if message.answers is not None:
        said.append(f"#{message.answers}")
    elif message.id is not None:
        said.append(f"({short_id(message.id)})")
    return " ".join(filter(None, said))


def _mark(messages: tuple[Message, ...], note: str) -> Mark:
    if note:
        return "note"
    if any("error" in (it.flags or "").split() for it in messages):
        return "failure"
    return "answer" if any(it.answers is not None for it in messages) else "plain"


def _text(data: bytes) -> str:
    return decoded(data, whole=len(data) < TEXT_SIZE)


def act_words(event: Event) -> str:
    """Say what is to be done: `close stdin`, `exit with code 0`, `send SIGTERM`."""
    detail: dict[str, Any] = event.detail
    stream = STREAM_NAMES.get(str(detail.get("stream")), "a stream")
    if event.kind == "exit":
        if "signal" in detail:
            return f"die of {detail['signal']}"
        return f"exit with code {detail.get('code')}"
    return {
        "eof": f"close {stream}",
        "broken-pipe": f"stop reading {stream} and close it",
        "signal": f"send {detail.get('signal', 'a signal')}",
        "stall": f"stop reading {stream}",
        "stall-end": f"read {stream} again",
    }[event.kind]
