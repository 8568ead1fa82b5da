"""The yardstick of the bench does the job that it is compared by."""

import subprocess
from pathlib import Path

import pytest

from tapproxy_store.journal_reading import JournalReader
from tests.bench.programs import NoCompiler, compiled


def test_the_reference_passes_bytes_unchanged_and_its_journal_holds_them(tmp_path: Path) -> None:
    try:
        reference = compiled(tmp_path, "reference") / "reference"
    except NoCompiler as error:
        pytest.skip(str(error))
    journal, said = tmp_path / "reference.wire", bytes(range(256)) * 1000
    command = [str(reference), str(journal), "cat"]
    done = subprocess.run(command, input=said, capture_output=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == (said, b"")
    assert streams_in(journal) == {0: said, 1: said}


def streams_in(journal: Path) -> dict[int, bytes]:
    streams: dict[int, bytes] = {}
    with journal.open("rb") as file:
        reader = JournalReader(file.fileno())
        while records := reader.read():
            for record in records:
                streams[record.stream] = streams.get(record.stream, b"") + record.data
    return streams
