"""Compares two recordings, session by session: what differs, in the order of the first."""

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import Any

from tapproxy.dialects.registry import find_dialect
from tapproxy.diffing.alignment import Found, align
from tapproxy.diffing.contents import UNKNOWN, content, lanes
from tapproxy.diffing.lanes import Place
from tapproxy.diffing.values import Unequal, differing
from tapproxy.errors import TapError
from tapproxy_store.reading import Recording
from tapproxy_store.records import Frame, Message, Session
from tapproxy_store.tags import is_replay
from tapproxy_viewers.differences import LONGEST_VALUE, Difference, How, Totals
from tapproxy_viewers.naming import command_of

MOST_PLACES = 1000
"""Places at which two messages differ that are counted."""

NOT_KNOWN = {"imported", "unknown", "end not recorded"}
"""Outcomes of sessions whose end is not on record."""


def compare(
    a: Recording, b: Recording, totals: Totals, *, with_stderr: bool = False
) -> Iterator[Difference]:
    """Yield the differences; `totals` gets how much is the same.

    Messages are read twice: once for the key of each, then those that differ.
    """
    for one, other in zip_longest(a.sessions(), b.sessions()):
        if one is None or other is None:
            yield _whole_session(one, other)
        else:
            yield from _facts(one, other)
            yield from _Comparison(a, b, one, other).differences(totals, with_stderr=with_stderr)


def _whole_session(a: Session | None, b: Session | None) -> Difference:
    if a is not None:
        return Difference("only in A", "session", summary=command_of(a))
    return Difference("only in B", "session", summary=command_of(b) if b else "")


def _facts(a: Session, b: Session) -> Iterator[Difference]:
    """Compare how the sessions were started, how they ended and what they speak.

    A command or an end that one of them does not know, as a tape that was written by hand, is not
    compared, nor is the command of a replay, which is whatever was played against.
    """
    facts = {"dialect": (a.dialect, b.dialect)}
    if not {a.outcome, b.outcome} & NOT_KNOWN:
        facts["outcome"] = a.outcome, b.outcome
    if all(it.facts.get("argv") and not is_replay(it) for it in (a, b)):
        facts["argv"] = a.facts["argv"], b.facts["argv"]
    for name, (one, other) in facts.items():
        places = list(differing(one, other, name))
        if places:
            yield _changed(places, subject="session")


def _changed(places: Sequence[Unequal], **about: Any) -> Difference:
    path, a, b = places[0]
    return Difference("changed", path=path, a_value=a, b_value=b, more=len(places) - 1, **about)


class _Comparison:
    """One session of each recording."""

    def __init__(self, a: Recording, b: Recording, one: Session, other: Session) -> None:
        self._recordings = a, b
        self._sessions = one.id, other.id
        dialects = {find_dialect(it.dialect) for it in (one, other) if it.dialect}
        self._volatile = sorted({path for it in dialects if it for path in it.volatile})

    def differences(self, totals: Totals, *, with_stderr: bool) -> Iterator[Difference]:
        pairs = zip(self._recordings, self._sessions, strict=True)
        one, other = (lanes(recording, session, self._volatile) for recording, session in pairs)
        aligned = align(one, other)
        totals.same += aligned.same
        for found in aligned.found:
            if found.stream == "err" and not with_stderr:
                totals.stderr += 1
            else:
                yield self._difference(found)

    def _difference(self, found: Found) -> Difference:
        if found.a is None or found.b is None or found.how == "moved":
            return self._unpaired(found)
        a, b = self._content(0, found.a), self._content(1, found.b)
        places = list(islice(differing(a, b), MOST_PLACES)) or [Unequal("", a, b)]
        return _changed(places, **self._about(found))

    def _unpaired(self, found: Found) -> Difference:
        how: How = "moved"
        if found.how == "only":
            how = "only in A" if found.b is None else "only in B"
        return Difference(
            how, **self._about(found), summary=self._summary(found), answer=found.answer or None
        )

    def _about(self, found: Found) -> dict[str, Any]:
        side, place = _place(found)
        _, message = self._get(side, place)
        return {
            "subject": "stderr" if found.stream == "err" else "message",
            "stream": found.stream,
            "a": found.a.frame if found.a else None,
            "b": found.b.frame if found.b else None,
            "kind": message.kind if message else None,
            "method": self._method(side, message) if message else None,
        }

    def _method(self, side: int, message: Message) -> str | None:
        """Return what is asked or told; of an answer, what was asked."""
        if message.method is not None or message.answers is None:
            return message.method
        question = self._get(side, Place(message.answers, message.answers_part or 0))[1]
        return question.method if question else None

    def _summary(self, found: Found) -> str:
        side, place = _place(found)
        frame, message = self._get(side, place)
        if message is not None and message.kind != UNKNOWN:
            return message.summary
        return self._recordings[side].payload(frame, LONGEST_VALUE).decode("utf-8", "replace")

    def _content(self, side: int, place: Place) -> Any:
        return content(self._recordings[side], *self._get(side, place), self._volatile)

    def _get(self, side: int, place: Place) -> tuple[Frame, Message | None]:
        told = self._recordings[side].find_told(self._sessions[side], place.frame)
        if told is None:
            raise TapError(f"frame #{place.frame} is gone from {self._recordings[side].path}")
        return told.frame, next((it for it in told.messages if it.part == place.part), None)


def _place(found: Found) -> tuple[int, Place]:
    """Return which recording is to be asked about it, 0 or 1, and where it is there."""
    if found.a is not None:
        return 0, found.a
    return 1, found.b or Place(0, 0)
