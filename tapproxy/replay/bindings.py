"""Values that the peer chose and we say again: recorded ones stand for live ones."""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import orjson

from tapproxy.dialects.api import Echo
from tapproxy.replay.batches import items_of, pairs
from tapproxy.replay.id_spans import Span, find_id
from tapproxy.replay.json_patterns import ANY_ITEM, Path
from tapproxy.replay.rewriting import frame_rewritten, frame_with, values
from tapproxy.replay.script import OwnFrame
from tapproxy.replay.spoken import BATCH, Spoken
from tapproxy_store.records import Message
from tapproxy_store.rows import TERMINATORS

MOST_KEPT = 10_000
"""Bindings of one kind; of more, the oldest are forgotten, so that memory stays flat."""

ID = "id"

_LIST = re.compile(rb"\s*+\[")

IN_BATCH = "batch"
"""The flag of a message in a batch."""

SECOND_ANSWER = "duplicate-answer"
"""The flag of an answer to a question that has one already."""


class Bindings:
    """Learns from each match, and puts live values in the place of recorded ones."""

    def __init__(self, echoes: Sequence[Echo], volatile: Sequence[str] = ()) -> None:
        """`volatile`: paths to what differs between items of batches that are the same."""
        self._echoes = echoes
        self._volatile = volatile
        # what a message has in it where there is such a value: to look for it costs little
        self._names = [
            b"" if it.in_base64 else it.chosen.rpartition(".")[2].encode() for it in echoes
        ]
        # recorded JSON text, without escapes that need not be, to live
        self._live: list[OrderedDict[bytes, bytes]] = [OrderedDict() for _ in echoes]

    def learn(self, recorded: Spoken, live: Spoken) -> None:
        """Bind what the peer chose anew: `recorded` and `live` stand in one another's place."""
        if recorded.body == live.body and not any(self._live):
            return
        if recorded.kind == BATCH:
            self._learn_batch(recorded, live)
            return
        for echo, name, bound in zip(self._echoes, self._names, self._live, strict=True):
            if (echo.of_question and not recorded.asks) or name not in recorded.body:
                continue
            then, now = (_chosen(it, echo) for it in (recorded, live))
            for path, value in then.items():
                if path in now:
                    _bind(bound, value, now[path])

    def applied(self, own: OwnFrame) -> bytes:
        """Return a frame of ours with live values; the recorded bytes where none is in it."""
        answers = {it.part for it in own.messages if _is_answer(it)}
        both = zip(self._echoes, self._live, strict=True)
        used = [it for it in both if it[1] and (answers or not it[0].of_question)]
        if not used or not own.messages or not own.data:
            return own.data
        if [it[0].echoed for it in used] == [ID] and _is_regular(own.messages):
            span = find_id(_body(own))  # many times as fast as to look at all
            if span is not None:
                return _with_id(own, span, used[0][1])
        frame, patterns = own.frame, [echo.echoed for echo, _ in used]
        is_batch = any(IN_BATCH in (it.flags or "").split() for it in own.messages)

        def live(path: Path, raw: bytes) -> bytes | None:
            within = path[1:] if is_batch else path
            found = (
                bound.get(_known_by(raw))
                for echo, bound in used
                if _is_at(within, echo.echoed)
                and (not (is_batch and echo.of_question) or path[0] in answers)
            )
            return next((value for value in found if value is not None), None)

        if is_batch:
            patterns = [_of_item(it) for it in patterns]
        ends = TERMINATORS[frame.terminator]
        return frame_rewritten(own.data, frame.header_size, ends, patterns, live)

    def _learn_batch(self, recorded: Spoken, live: Spoken) -> None:
        """Bind what the peer chose in each item, in whatever order they are."""
        then, now = (items_of(it, self._volatile) for it in (recorded, live))
        if then is None or now is None:
            return
        places = dict(pairs(then, now))
        for echo, bound in zip(self._echoes, self._live, strict=True):
            pattern = _of_item(echo.chosen)
            of_live = values(live.body, [pattern])
            for path, value in values(recorded.body, [pattern]).items():
                item = then[int(path[0])]
                if echo.of_question and "method" not in item:
                    continue
                place = (places.get(int(path[0]), -1), *path[1:])
                if place in of_live:
                    _bind(bound, value, of_live[place])


def _chosen(spoken: Spoken, echo: Echo) -> Mapping[Path, bytes]:
    """Return the texts of the values; that of a usual id is known, and to look for it is slow."""
    if echo.chosen == ID and spoken.id is not None and spoken.id.isascii():
        text = spoken.id.encode()
        if text in spoken.body:  # else it is written with escapes
            return {(ID,): text}
    found = values(spoken.body, [echo.chosen])
    if found or not _LIST.match(spoken.body):
        return found
    of_one = values(spoken.body, [_of_item(echo.chosen)])  # a batch of one
    return {path[1:]: value for path, value in of_one.items()}


def _of_item(pattern: str) -> str:
    """Return the pattern of the same place in an item of a batch."""
    return f"{ANY_ITEM}.{pattern}"


def _is_answer(message: Message) -> bool:
    return message.answers is not None or SECOND_ANSWER in (message.flags or "").split()


def _is_regular(messages: Sequence[Message]) -> bool:
    """Tell whether a frame is one JSON text, and nothing else."""
    return len(messages) == 1 and messages[0].flags is None and messages[0].note is None


def _body(own: OwnFrame) -> bytes:
    return own.data[own.frame.header_size : len(own.data) - TERMINATORS[own.frame.terminator]]


def _with_id(own: OwnFrame, span: Span, bound: Mapping[bytes, bytes]) -> bytes:
    """Return a frame with the live id in the place of the recorded one, if there is one."""
    body, (start, end) = _body(own), span
    live = bound.get(_known_by(body[start:end]))
    if live is None:
        return own.data
    new = b"".join((body[:start], live, body[end:]))
    return frame_with(own.data, own.frame.header_size, TERMINATORS[own.frame.terminator], new)


def _is_at(path: Path, pattern: str) -> bool:
    steps = pattern.split(".")
    return len(steps) == len(path) and all(
        step in ("*", str(at)) or (step == "[]" and isinstance(at, int))
        for step, at in zip(steps, path, strict=True)
    )


def _known_by(raw: bytes) -> bytes:
    """Return what a recorded value is known by: it may be said again with other escapes."""
    if b"\\" not in raw:
        return raw
    try:
        return orjson.dumps(orjson.loads(raw))
    except ValueError:
        return raw


def _bind(bound: OrderedDict[bytes, bytes], recorded: bytes, live: bytes) -> None:
    key = _known_by(recorded)
    bound.pop(key, None)
    if recorded != live:
        bound[key] = live
        if len(bound) > MOST_KEPT:
            bound.popitem(last=False)
