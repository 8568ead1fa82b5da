"""The exchanges of a session: each question with its answer, in one line."""

from collections.abc import Iterable, Iterator

from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Frame, Message, Told
from tapproxy_viewers import words
from tapproxy_viewers.cells import clipped, fitted, width_of
from tapproxy_viewers.drawing import short_id
from tapproxy_viewers.layout import Layout
from tapproxy_viewers.lines import Line
from tapproxy_viewers.palette import ARROWS, MARKS

BETWEEN = "  "
LATENCY_WIDTH = len("12.3 ms")
NO_ANSWER = "no answer"
LEAST_QUESTION = 16
"""Cells that a question has at least; the answer takes the rest."""


def exchanges(
    recording: Recording, entries: Iterable[Told | Event], place: Layout
) -> Iterator[Line]:
    """Draw a line for each question among the entries, in their order."""
    for entry in entries:
        if isinstance(entry, Event):
            continue
        for message in entry.messages:
            if message.asks:
                yield _line(entry.frame, message, _answer(recording, message), place)


def _answer(recording: Recording, question: Message) -> Message | None:
    return None if question.answered_after_ns is None else recording.find_answer(question)


def _line(frame: Frame, question: Message, answer: Message | None, place: Layout) -> Line:
    line: Line = [
        ("time", place.clock(frame.last_ns).rjust(place.clock_width) + BETWEEN),
        (frame.stream, ARROWS[frame.stream] + BETWEEN),
        ("number", f"{f'#{frame.number}':<{place.number_width}} "),
        _latency(answer),
    ]
    asked: Line = [("method", (question.method or question.kind) + " ")]
    if question.id is not None:
        asked.append(("id", f"({short_id(question.id)}) "))
    taken = sum(width_of(text) for _, text in [*line, *asked])
    room = max((place.width - taken) // 2, LEAST_QUESTION)
    asked += fitted(question.summary, room)
    return clipped([*line, *asked, ("text", BETWEEN), *_outcome(answer)], place.width)


def _latency(answer: Message | None) -> tuple[str, str]:
    if answer is None or answer.latency_ns is None:
        return "bad", " " * LATENCY_WIDTH + BETWEEN
    style = "slow" if answer.latency_ns >= words.SECOND else "latency"
    return style, words.duration(answer.latency_ns).rjust(LATENCY_WIDTH) + BETWEEN


def _outcome(answer: Message | None) -> Line:
    if answer is None:
        return [("bad", f"{MARKS['failure']} {NO_ANSWER}")]
    failed = "error" in (answer.flags or "").split()
    mark: Line = [("bad" if failed else "quiet", MARKS["failure" if failed else "answer"] + " ")]
    number: Line = [("number", f"#{answer.frame} ")]
    note: Line = [("note", f"{answer.note}: ")] if answer.note else []
    return [*mark, *number, *note, ("text", answer.summary)]
