"""Values that the peer chose and we say again: recorded ones stand for live ones."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence

from tapproxy.dialects.api import Echo
from tapproxy.replay.json_patterns import Path
from tapproxy.replay.rewriting import frame_rewritten, values
from tapproxy.replay.script import OwnFrame
from tapproxy.replay.spoken import Spoken
from tapproxy_store.records import Message
from tapproxy_store.rows import TERMINATORS

MOST_KEPT = 10_000
"""Bindings of one kind; of more, the oldest are forgotten, so that memory stays flat."""

ID = "id"

SECOND_ANSWER = "duplicate-answer"
"""The flag of an answer to a question that has one already."""


class Bindings:
    """Learns from each match, and puts live values in the place of recorded ones."""

    def __init__(self, echoes: Sequence[Echo]) -> None:
        self._echoes = echoes
        # what a message has in it where there is such a value: to look for it costs little
        self._names = [it.chosen.rpartition(".")[2].encode() for it in echoes]
        # recorded JSON text to live
        self._live: list[OrderedDict[bytes, bytes]] = [OrderedDict() for _ in echoes]

    def learn(self, recorded: Spoken, live: Spoken) -> None:
        """Bind what the peer chose anew: `recorded` and `live` stand in one another's place."""
        if recorded.body == live.body and not any(self._live):
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
        answers = any(map(_is_answer, own.messages))
        both = zip(self._echoes, self._live, strict=True)
        used = [it for it in both if it[1] and (answers or not it[0].of_question)]
        if not used or not own.messages or not own.data:
            return own.data

        def live(path: Path, raw: bytes) -> bytes | None:
            found = (bound.get(raw) for echo, bound in used if _is_at(path, echo.echoed))
            return next((value for value in found if value is not None), None)

        frame, patterns = own.frame, [echo.echoed for echo, _ in used]
        ends = TERMINATORS[frame.terminator]
        return frame_rewritten(own.data, frame.header_size, ends, patterns, live)


def _chosen(spoken: Spoken, echo: Echo) -> Mapping[Path, bytes]:
    """Return the texts of the values; that of a usual id is known, and to look for it is slow."""
    if echo.chosen == ID and spoken.id is not None and spoken.id.isascii():
        text = spoken.id.encode()
        if text in spoken.body:  # else it is written with escapes
            return {(ID,): text}
    return values(spoken.body, [echo.chosen])


def _is_answer(message: Message) -> bool:
    return message.answers is not None or SECOND_ANSWER in (message.flags or "").split()


def _is_at(path: Path, pattern: str) -> bool:
    steps = pattern.split(".")
    return len(steps) == len(path) and all(
        step in ("*", str(at)) or (step == "[]" and isinstance(at, int))
        for step, at in zip(steps, path, strict=True)
    )


def _bind(bound: OrderedDict[bytes, bytes], recorded: bytes, live: bytes) -> None:
    bound.pop(recorded, None)
    if recorded != live:
        bound[recorded] = live
        if len(bound) > MOST_KEPT:
            bound.popitem(last=False)
