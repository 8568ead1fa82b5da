"""A whole story, 82 times: what people met in the field, recorded, read, and seen in a timeline."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from tapproxy.commands.group import run_group
from tapproxy.ingest.deriving import Derived, Deriver
from tapproxy.ingest.reindex import reindex
from tapproxy.ingest.tapes import import_tape
from tapproxy_store.reading import open_recording
from tapproxy_store.records import Chunk, Event, Message, Session, Told
from tapproxy_store.tape import tape_lines
from tests.field_cases import CASES, TIMELINES, Case, field_cases, golden, record, records, shown

FIELD = {case.id: case for case in field_cases()}
VISIBLE: dict[str, list[str]] = json.loads((CASES / "visible.json").read_bytes())

NOTHING_SAID = "neither side says anything"
NOTHING_OF_LSP = "no method in it is one of LSP"

OTHER_DIALECTS = {
    "X09": ("raw", NOTHING_SAID),
    "X13": ("raw", NOTHING_SAID),
    "L10": ("jsonl", "JSON objects of no protocol"),
    "L15": ("mcp", "all that is said is MCP's: ping and roots/list"),
    "E02": ("jsonrpc", "an error and log lines, nothing of MCP"),
    "E12": ("jsonrpc", NOTHING_OF_LSP),
    "E16": ("jsonrpc", "a notification of the method n, nothing of MCP"),
    "E18": ("jsonl", "JSON objects of no protocol"),
    "E31": ("jsonrpc", NOTHING_OF_LSP),
    "E34": ("raw", NOTHING_SAID),
    "E37": ("raw", NOTHING_SAID),
    "E38": ("raw", NOTHING_SAID),
    "E44": ("jsonl", "JSON objects of no protocol"),
    "E45": ("jsonrpc", "an empty result, nothing of ACP"),
    "E75": ("jsonrpc", NOTHING_OF_LSP),
    "E77": ("jsonrpc", NOTHING_OF_LSP),
    "E78": ("jsonrpc", NOTHING_OF_LSP),
    "E88": ("raw", NOTHING_SAID),
}
"""Cases that do not tell by themselves which protocol they are of: what is recognised, and why."""

OF_READS = {"X15"}
"""Of these, what matters is that two lines came in one read."""

PARTITIONS = 8
"""Ways at random in which each case's chunks are split, besides byte by byte."""

SMALL = 4096
"""Bytes of a chunk that is split byte by byte; a larger one is split into about as many pieces."""

NUMBER = re.compile(r"(?:──→|←──)  #(\d+)")
"""The number of a frame, in its line."""

Pieces: TypeAlias = Callable[[bytes], Iterable[bytes]]
"""Splits the bytes of a read."""

every_case = pytest.mark.parametrize("case", FIELD.values(), ids=FIELD)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("cases")
    for case in FIELD.values():
        record(case, made / f"{case.id}.tap")
    return made


@pytest.fixture
def recorded(case: Case, folder: Path) -> str:
    return str(folder / f"{case.id}.tap")


def timelines() -> dict[str, str]:
    parts = ("\n" + TIMELINES.read_text()).split("\n== ")[1:]
    return {part.split(" ", 1)[0]: part.split("\n\n", 1)[1] for part in parts}


def test_the_timelines_of_all_cases_are_as_they_were(folder: Path) -> None:
    drawn = []
    for case in FIELD.values():
        with open_recording(str(folder / f"{case.id}.tap")) as recording:
            drawn.append(golden(case, shown(recording)))
    assert "".join(drawn) == TIMELINES.read_text()


def test_what_each_case_is_about_is_in_its_timeline() -> None:
    told = timelines()
    assert list(VISIBLE) == list(told) == list(FIELD)
    missing = {
        case: absent
        for case, fragments in VISIBLE.items()
        if (absent := [it for it in fragments if it not in told[case]]) or not fragments
    }
    assert missing == {}


def test_each_case_is_recognised_by_itself(folder: Path) -> None:
    recognised = {}
    for case in FIELD.values():
        with open_recording(str(folder / f"{case.id}.tap")) as recording:
            recognised[case.id] = recording.session().dialect
    usual = {case.id: case.protocol for case in FIELD.values()}
    assert recognised == usual | {case: name for case, (name, _) in OTHER_DIALECTS.items()}


@every_case
def test_it_is_shown_in_every_form(
    recorded: str, case: Case, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    run_group(["show", recorded, "--exchanges"])
    exchanges = NUMBER.findall(capsysbinary.readouterr().out.decode())
    run_group(["show", recorded, "--json"])
    session, *objects = map(json.loads, capsysbinary.readouterr().out.splitlines())
    frames = [it for it in objects if it["type"] == "frame"]
    asked = [(it["number"], part["asks"]) for it in frames for part in it["messages"]]
    assert session["name"] == case.id
    assert sum(session["frames"].values()) == len(frames)
    assert exchanges == [str(number) for number, asks in asked if asks]


@every_case
def test_a_tape_of_it_gives_the_same_recording(recorded: str, tmp_path: Path) -> None:
    tape, again = tmp_path / "case.tape", str(tmp_path / "again.tap")
    with open_recording(recorded) as recording:
        tape.write_bytes(b"".join(tape_lines(recording)))
    import_tape(str(tape), again)
    assert content(again) == content(recorded)


@every_case
def test_deriving_it_anew_gives_the_same_rows(recorded: str) -> None:
    before = content(recorded)
    reindex(recorded)
    assert content(recorded) == before


@pytest.mark.parametrize("name", sorted(FIELD.keys() - OF_READS))
def test_its_messages_do_not_depend_on_how_the_bytes_were_read(name: str) -> None:
    case = FIELD[name]
    whole = meant(records(case))
    assert meant(split(case, byte_by_byte)) == whole
    for seed in range(PARTITIONS):
        assert meant(split(case, at_random(seed))) == whole, seed


def content(path: str) -> list[Any]:
    """Return all that a recording holds, the truth and what is derived."""
    with open_recording(path) as recording:
        (session,) = recording.sessions()
        told = list(recording.entries(session.id))
        decoded = [recording.decoded(it) for entry in told for it in messages_of(entry)]
        return [session, list(recording.records(session.id)), told, decoded]


def messages_of(entry: Told | Event) -> Sequence[Message]:
    return () if isinstance(entry, Event) else entry.messages


def meant(of: Iterable[Session | Chunk | Event]) -> tuple[Any, ...]:
    """Return frames, without the reads that they came in, and messages."""
    session, *rest = of
    assert isinstance(session, Session)
    deriver, derived = Deriver(session), Derived()
    for it in rest:
        if isinstance(it, Chunk):
            deriver.feed(it, derived)
        elif isinstance(it, Event):
            deriver.happened(it, derived)
    deriver.close(derived)
    frames = [(*row[:5], *row[7:]) for row in derived.frames]
    return deriver.interpreter.dialect, frames, derived.messages


def split(case: Case, split_up: Pieces) -> Iterator[Session | Chunk | Event]:
    """Yield the records of a case with each read split into several, of the same instant."""
    seq = 0
    for it in records(case):
        if isinstance(it, Session):
            yield it
        elif isinstance(it, Event):
            seq += 1
            yield replace(it, seq=seq)
        else:
            at = it.start_offset
            for piece in split_up(it.data):
                seq += 1
                yield it._replace(seq=seq, start_offset=at, data=piece)
                at += len(piece)


def byte_by_byte(data: bytes) -> Iterator[bytes]:
    size = len(data) // SMALL + 1
    return (data[at : at + size] for at in range(0, len(data), size))


def at_random(seed: int) -> Pieces:
    random = Random(seed)

    def split_up(data: bytes) -> Iterator[bytes]:
        cuts = random.choices(range(1, len(data) + 1), k=seed + 1)
        ends = sorted({*cuts, len(data)})
        return (data[start:end] for start, end in pairwise([0, *ends]))

    return split_up
