"""The exchanges of a session: each question with its answer, in one line."""

from collections.abc import Iterable, Iterator

from tapproxy_store.reading import Recording
from tapproxy_store.records import Event, Frame, Message, Session, Told
from tapproxy_viewers import words
from tapproxy_viewers.cells import Segment, clipped, width_of
from tapproxy_viewers.chosen import no_answer
from tapproxy_viewers.drawing import BETWEEN, SLOW_NS
from tapproxy_viewers.layout import Layout
from tapproxy_viewers.lines import Line
from tapproxy_viewers.palette import ARROWS, MARKS, SEPARATOR

LATENCY_WIDTH = 7
LEAST_QUESTION = 16
"""Cells that a question has at least, where half of the room is less."""

MOST_WAITING = 10_000
"""Drawn questions whose answers are still to come, so that memory has a bound."""


class Exchanges:
    """Finds the exchanges that entries belong to, each once."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._waiting: dict[tuple[int, int], None] = {}  # drawn; their answers are to come

    def of(self, told: Told) -> Iterator[tuple[Frame, Message]]:
        """Yield the questions, with their frames, that a frame asks, or answers unasked here."""
        for message in told.messages:
            if message.asks:
                if message.answered_after_ns is not None:
                    self._wait(message)
                yield told.frame, message
            elif message.answers is not None:
                place = message.answers, message.answers_part or 0
                if place in self._waiting:
                    del self._waiting[place]
                else:
                    yield from self._question(told.frame.session, *place)

    def _wait(self, question: Message) -> None:
        if len(self._waiting) >= MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        self._waiting[question.frame, question.part] = None

    def _question(self, session: int, frame: int, part: int) -> Iterator[tuple[Frame, Message]]:
        """Yield the question of an answer that was chosen without it."""
        told = self._recording.find_told(session, frame)
        if told is not None:
            yield from ((told.frame, it) for it in told.messages if it.part == part and it.asks)


def exchanges(
    recording: Recording, session: Session, entries: Iterable[Told | Event], place: Layout
) -> Iterator[Line]:
    """Draw a line for each exchange that has its question or its answer among the entries."""
    found = Exchanges(recording)
    for entry in entries:
        if isinstance(entry, Event):
            continue
        for frame, question in found.of(entry):
            answer = None
            if question.answered_after_ns is not None:
                answer = recording.find_answer(question)
            outcome = _unanswered(session) if answer is None else _answered(answer)
            yield _line(frame, question, outcome, place)


def _line(frame: Frame, question: Message, outcome: Line, place: Layout) -> Line:
    begun: Line = [
        ("time", place.clock(frame.last_ns).rjust(place.clock_width) + BETWEEN),
        (frame.stream, ARROWS[frame.stream] + BETWEEN),
        ("number", f"#{frame.number}".ljust(place.number_width) + BETWEEN),
        _latency(question.answered_after_ns),
    ]
    room = place.width - sum([len(text) for _, text in begun])
    share = max(room // 2 - len(BETWEEN), LEAST_QUESTION)
    asked = clipped(_asked(question), share)
    missing = share - sum([width_of(text) for _, text in asked])
    apart: Line = [("text", " " * missing + BETWEEN)]
    return clipped([*begun, *asked, *apart, *outcome], place.width)


def _asked(question: Message) -> Line:
    """Return the question; what is odd about it comes last, as its values are looked for here."""
    line: Line = [("note", MARKS["note"] + " ")] if question.note else []
    line.append(("method", question.method or question.kind))
    if question.summary:
        line.append(("text", BETWEEN + question.summary))
    if question.note:
        line.append(("note", (SEPARATOR if question.summary else BETWEEN) + question.note))
    return line


def _latency(latency_ns: int | None) -> Segment:
    if latency_ns is None:
        return "latency", " " * LATENCY_WIDTH + BETWEEN
    style = "latency" if latency_ns < SLOW_NS else "slow"
    return style, words.duration(latency_ns).rjust(LATENCY_WIDTH) + BETWEEN


def _unanswered(session: Session) -> Line:
    return [("note", f"{MARKS['note']} {no_answer(session)}")]


def _answered(answer: Message) -> Line:
    failed = "error" in (answer.flags or "").split()
    line: Line = [("quiet", MARKS["answer"] + " ")]
    if answer.note:
        line = [("note", MARKS["note"] + " ")]
    elif failed:
        line = [("bad", MARKS["failure"] + " ")]
    line.append(("number", f"#{answer.frame}"))
    if answer.note:
        line.append(("note", BETWEEN + answer.note))
    if answer.summary:
        line.append(("text", (SEPARATOR if answer.note else BETWEEN) + answer.summary))
    return line
