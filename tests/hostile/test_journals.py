"""Journals from strangers: made a recording as far as they are sound, whatever they claim."""

import json
import random
import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tapproxy_store.journal import CHUNK, EVENT, FACTS, HEADER, MAGIC, MARK, NO_STREAM, RECORD
from tests.hostile.commands import SOME, filled
from tests.hostile.harmless import check
from tests.hostile.strangers import NASTY
from tests.hostile.watched import tap

MOST = (1 << 63) - 1
FACTS_OF_ALL_KINDS = {"name": [NASTY], "argv": 7, "framing": {}, "dialect": NASTY, "tags": NASTY}


def record(
    kind: int, stream: int, data: bytes, *, t_ns: int = 5, offset: int = 0, size: int = -1
) -> bytes:
    """Return a record, which may lie about its size."""
    length = len(data) if size < 0 else size
    return RECORD.pack(MARK, kind, stream, length, t_ns, offset) + data


def event(**its: object) -> bytes:
    return record(EVENT, NO_STREAM, json.dumps(its).encode())


HEAD = HEADER.pack(MAGIC, 1, 1, 0, 0, 0, 0)
CHUNKS = record(CHUNK, 0, b'{"id":1,"method":"a"}\n') + record(CHUNK, 1, b'{"id":1,"result":2}\n')
SOUND = HEAD + record(FACTS, NO_STREAM, b'{"name": "x"}') + CHUNKS + event(kind="exit", code=0)

JOURNALS = {
    "a record of 4 GB": HEAD + record(CHUNK, 0, b"x", size=(1 << 32) - 1),
    "facts of 16 MB that are not there": HEAD + record(FACTS, NO_STREAM, b"{", size=1 << 24),
    "no room for offsets": HEAD + record(CHUNK, 0, b"xxxx\n", offset=MOST - 1),
    "the last offset": HEAD + record(CHUNK, 0, b"xxxx\n", offset=MOST - 5) + CHUNKS,
    "times": HEAD + record(CHUNK, 0, b"x\n", t_ns=MOST) + record(CHUNK, 1, b"y\n", t_ns=0),
    "counters": HEADER.pack(MAGIC, MOST, MOST, *[(1 << 64) - 1] * 4) + CHUNKS,
    "clocks": HEADER.pack(MAGIC, *[(1 << 64) - 1] * 6) + CHUNKS,
    "facts of the wrong kinds": HEAD
    + record(FACTS, NO_STREAM, json.dumps(FACTS_OF_ALL_KINDS).encode())
    + CHUNKS,
    "facts again and again": SOUND + record(FACTS, NO_STREAM, b'{"name": "y"}') * 100,
    "deep facts": HEAD + record(FACTS, NO_STREAM, b'{"a":' * 3000 + b"1" + b"}" * 3000),
    "many facts": HEAD + record(FACTS, NO_STREAM, b'{"a":[' + b"[]," * 900_000 + b"[]]}"),
    "nasty events": SOUND + event(kind=NASTY, a=NASTY) + event(kind=[NASTY]) + event(code=NASTY),
    "no JSON": SOUND + record(EVENT, NO_STREAM, b"\xff\xfe{") + record(FACTS, NO_STREAM, b"[1]"),
    "another kind": SOUND + record(99, 7, b"x"),
}


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_that_lies_is_read_as_far_as_it_is_sound(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tap"
    Path(f"{path}.wire").write_bytes(JOURNALS[name])
    for command in SOME:
        check(tap(filled(command, str(path), str(path)), tmp_path))
    assert {it.name for it in tmp_path.iterdir()} <= {"a.tap", "a.tap.wire"}


@given(
    places=st.lists(st.integers(min_value=0, max_value=10**6), min_size=1, max_size=8),
    seed=st.integers(),
    end=st.integers(min_value=0, max_value=len(SOUND)),
)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_journal_with_wrong_bits_hurts_nobody(
    tmp_path: Path, places: list[int], seed: int, end: int
) -> None:
    chance = random.Random(seed)
    data = bytearray(SOUND)
    for place in places:
        data[place % len(data)] ^= 1 << chance.randrange(8)
    path = tmp_path / "a.tap"
    for left in tmp_path.iterdir():
        left.unlink()
    Path(f"{path}.wire").write_bytes(data[: max(end, struct.calcsize(HEADER.format))])
    check(tap(["show", str(path)], tmp_path))
    check(tap(["export", str(path), "--to", "json"], tmp_path))
    assert {it.name for it in tmp_path.iterdir()} <= {"a.tap", "a.tap.wire"}
