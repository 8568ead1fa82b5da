"""Secrets in all layers and encodings are not in a redacted copy, and the copy can be replayed."""

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tapproxy.ingest.tapes import import_file
from tapproxy.opening import opened
from tapproxy.replay.script import Role
from tapproxy_store.records import Chunk, Event, Session
from tests.journeys.planted import (
    FACTS,
    RULES,
    SECRETS,
    Planted,
    jsonrpc,
    layers_of,
    left,
    lingxi,
    lsp,
)
from tests.journeys.two_sides import chunks_of, difference, play_both, tap
from tests.tapproxy.replay.rig import records

WITHIN_S = 60

SESSIONS: dict[str, Callable[[], Planted]] = {"jsonrpc": jsonrpc, "lingxi": lingxi, "lsp": lsp}


def made(folder: Path, planted: Planted) -> Path:
    path = folder / "original.tap"

    def read(*_: object) -> Iterator[Session | Chunk | Event]:
        for record in records(planted.happened):
            yield replace(record, facts=FACTS) if isinstance(record, Session) else record

    import_file("/dev/null", str(path), read, planted.dialect)
    return path


def everything(recording: Path) -> bytes:
    """Return a file's bytes, and those of its streams, in which a secret may be spread over it."""
    streams = chunks_of(recording).values()
    return recording.read_bytes() + b"\n".join(b"".join(reads) for reads in streams)


def redact(recording: Path, copy: Path) -> str:
    command = tap("redact", recording, *RULES, "-o", copy)
    return subprocess.run(
        command, stdout=subprocess.PIPE, text=True, timeout=WITHIN_S, check=True
    ).stdout


def test_every_secret_is_planted(tmp_path: Path) -> None:
    whole = b""
    for name, planted in SESSIONS.items():
        folder = tmp_path / name
        folder.mkdir()
        whole += everything(made(folder, planted()))
    assert len(SECRETS) >= 40
    assert set(SECRETS) - set(left(whole)) == set()


@pytest.mark.parametrize("name", SESSIONS)
@pytest.mark.parametrize("ending", [".tap", ".tape"])
def test_no_secret_is_left_in_the_bytes_of_a_copy(name: str, ending: str, tmp_path: Path) -> None:
    original = made(tmp_path, SESSIONS[name]())
    before = original.read_bytes()
    copy = tmp_path / f"copy{ending}"
    said = redact(original, copy)
    assert left(everything(copy)) == []
    assert left(said.encode()) == []
    assert original.read_bytes() == before
    assert sorted(it.name for it in tmp_path.iterdir()) == sorted(["original.tap", copy.name])


@pytest.mark.parametrize("name", SESSIONS)
def test_a_copy_has_the_same_reads_of_the_same_sizes(name: str, tmp_path: Path) -> None:
    original = made(tmp_path, SESSIONS[name]())
    redact(original, tmp_path / "copy.tap")
    one, other = chunks_of(original), chunks_of(tmp_path / "copy.tap")
    assert {it: list(map(len, reads)) for it, reads in one.items()} == {
        it: list(map(len, reads)) for it, reads in other.items()
    }


@pytest.mark.parametrize("name", SESSIONS)
@pytest.mark.parametrize("keeping", ["host", "plugin"])
def test_both_sides_of_a_copy_played_against_each_other_are_the_copy(
    name: str, keeping: Role, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.tap"
    redact(made(tmp_path, SESSIONS[name]()), copy)
    played = play_both(copy, keeping, tmp_path)
    same = [it for it in played.said if it.startswith("same: ")]
    assert (played.code, len(same)) == (0, 1), played.said
    one, other = chunks_of(played.recording), chunks_of(copy)
    assert (one["in"], one["out"]) == (other["in"], other["out"])
    assert sorted(one["err"]) == sorted(other["err"])
    assert difference(copy, played.recording) == ""


def test_what_was_json_in_three_layers_still_is_and_says_the_same_everywhere(
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy.tap"
    redact(made(tmp_path, lingxi()), copy)
    reads = chunks_of(copy)
    arguments = layers_of(reads["in"][0])["arguments"]
    assert arguments["token"].startswith("REDACTED")
    assert json.loads(reads["out"][0])["id"] == "A-1"
    with opened(str(copy)) as it:
        answered = [told for told in it.entries(1) if not isinstance(told, Event)][-1]
        said = it.decoded(answered.messages[0])
    assert said is not None
    assert arguments["token"].encode() in said
