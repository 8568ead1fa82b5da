"""The facts stand before everything else in a journal, also where they could not be written first.

They hold the rules by which the recording is redacted: nothing may be read without them.
"""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tapproxy.wire.recorder import Recorder
from tapproxy_store.journal import CHUNK, EVENT, FACTS
from tapproxy_store.journal_reading import JournalReader


def kinds(path: Path) -> list[int]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return [it.kind for it in JournalReader(descriptor).read()]
    finally:
        os.close(descriptor)


def test_facts_that_could_not_be_written_are_written_before_the_next_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tap.wire"
    recorder = Recorder.create(str(path), must_record=False)

    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "writev", full)
        recorder.facts({"redaction": {"rules": ["all"], "salt": "00"}})
        recorder.chunk(0, b"lost", 0)
        assert kinds(path) == []
    recorder.chunk(0, b"kept", 4)
    assert kinds(path) == [FACTS, EVENT, CHUNK]
    recorder.end()
