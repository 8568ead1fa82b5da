"""What `tap stats` says of a session: a row for each method asked and for each thing told."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tapproxy_store.durations import Durations
from tapproxy_store.figures import Figures, Traffic
from tapproxy_store.reading import Counts
from tapproxy_store.records import STREAMS, Session, Stream
from tapproxy_store.silences import Silence
from tapproxy_viewers.jsonl import Json

SECOND_NS = 1_000_000_000

OTHER: dict[Stream, Stream] = {"in": "out", "out": "in"}


@dataclass(frozen=True, slots=True)
class Latency:
    """How long answers took, nanoseconds; percentiles are of the nearest rank."""

    answers: int
    waited_ns: int  # all of them together
    p50_ns: int
    p95_ns: int
    max_ns: int


@dataclass(frozen=True, slots=True)
class Row:
    """One method that was asked, or one kind and method that was told."""

    stream: Stream  # whose words: in is the host's, out the plugin's
    kind: str | None  # None: frames that the dialect says nothing of
    method: str | None
    count: int
    bytes: int  # on the wire
    errors: int  # of a question: answers that are errors
    is_question: bool
    unanswered: int = 0
    answer_bytes: int = 0
    latency: Latency | None = None


@dataclass(frozen=True, slots=True)
class Stats:
    """All that is said of one session."""

    session: Session
    counts: Counts
    figures: Figures
    rows: list[Row]  # in the order that was asked for
    sort: str  # that order: a key of SORTS
    wanted: str | None  # the filter that chose the frames, "" for a portion; None: all of them

    @property
    def heartbeats(self) -> int:
        """How many heartbeats there were."""
        return sum(row.count for row in self.rows if row.kind == "heartbeat")


SORTS: dict[str, Callable[[Row], int]] = {
    "waited": lambda row: row.latency.waited_ns if row.latency else 0,
    "max": lambda row: row.latency.max_ns if row.latency else 0,
    "p95": lambda row: row.latency.p95_ns if row.latency else 0,
    "p50": lambda row: row.latency.p50_ns if row.latency else 0,
    "count": lambda row: row.count,
    "bytes": lambda row: row.bytes + row.answer_bytes,
    "errors": lambda row: row.errors + row.unanswered,
}
"""What `--sort` chooses from: the largest comes first, and of equals the one with more bytes."""


def stats(
    session: Session, counts: Counts, figures: Figures, sort: str, wanted: str | None = None
) -> Stats:
    """Put a session's figures in rows; `wanted` as in Stats."""
    measure = SORTS[sort]
    rows = sorted(
        rows_of(figures.traffic),
        key=lambda row: (-measure(row), -SORTS["bytes"](row), row.method or "", row.kind or ""),
    )
    return Stats(session, counts, figures, rows, sort, wanted)


def rows_of(traffic: Iterable[Traffic]) -> Iterator[Row]:
    """Yield a row for each question, its answers included, and for each of the rest."""
    traffic = list(traffic)
    asked = {(it.stream, it.method) for it in traffic if it.asked}
    answers: dict[tuple[Stream, str | None], list[Traffic]] = {}
    for it in traffic:
        question = (OTHER[it.stream], it.method)
        if it.latencies.count and question in asked:
            answers.setdefault(question, []).append(it)
        elif not it.asked:
            yield Row(
                it.stream, it.kind, it.method, it.count, it.bytes, it.errors, is_question=False,
                latency=latency(it.latencies),
            )  # fmt: skip
    for it in traffic:
        if it.asked:
            yield _question(it, answers.pop((it.stream, it.method), []))


def _question(it: Traffic, answers: list[Traffic]) -> Row:
    latencies = Durations()
    for answer in answers:
        latencies.add(answer.latencies)
    return Row(
        it.stream,
        it.kind,
        it.method,
        it.count,
        it.bytes,
        it.errors + sum(answer.errors for answer in answers),
        is_question=True,
        unanswered=it.unanswered,
        answer_bytes=sum(answer.bytes for answer in answers),
        latency=latency(latencies),
    )


def latency(latencies: Durations) -> Latency | None:
    """Sum up; None where there are no answers."""
    if not latencies.count:
        return None
    return Latency(
        answers=latencies.count,
        waited_ns=latencies.total_ns,
        p50_ns=latencies.percentile(50),
        p95_ns=latencies.percentile(95),
        max_ns=latencies.max_ns,
    )


def objects(it: Stats, recording: str) -> Iterator[Json]:
    """Yield what programs get of a session: one object a line."""
    startup = it.figures.startup
    yield {
        "type": "session",
        "recording": recording,
        "session": it.session.id,
        "dialect": it.session.dialect,
        "duration_ns": it.session.duration_ns,
        "outcome": it.session.outcome,
        "frames": {stream: it.counts.frames[stream] for stream in STREAMS},
        "bytes": {stream: it.counts.bytes[stream] for stream in STREAMS},
        "spawned_ns": startup.spawned_ns,
        "first_bytes_ns": {side: startup.first_bytes_ns.get(side) for side in OTHER},
        "first_answer": startup.first_answer,
        "first_answer_ns": startup.first_answer_ns,
    }
    yield from map(_row_object, it.rows)
    for silence in it.figures.silences.both:
        yield _silence_object("silence", None, silence)
    for side, silence in sorted(it.figures.silences.by_side.items()):
        yield _silence_object("silence", side, silence)
    for side, silence in sorted(it.figures.without_heartbeats.by_side.items()):
        yield _silence_object("heartbeats", side, silence)


def _row_object(row: Row) -> Json:
    said: Json = {
        "type": "question" if row.is_question else "told",
        "stream": row.stream,
        "kind": row.kind,
        "method": row.method,
        "count": row.count,
        "bytes": row.bytes,
        "errors": row.errors,
    }
    if row.is_question:
        said |= {"unanswered": row.unanswered, "answer_bytes": row.answer_bytes}
    if row.latency is not None:
        said |= {
            "answers": row.latency.answers,
            "waited_ns": row.latency.waited_ns,
            "p50_ns": row.latency.p50_ns,
            "p95_ns": row.latency.p95_ns,
            "max_ns": row.latency.max_ns,
        }
    return said


def _silence_object(kind: str, side: Stream | None, silence: Silence) -> Json:
    return {
        "type": kind,
        "stream": side,
        "duration_ns": silence.duration_ns,
        "from_ns": silence.from_ns,
        "after": silence.after,
        "until": silence.until,
    }
