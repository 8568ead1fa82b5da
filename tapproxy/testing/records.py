"""What a test has recorded: where it is, and until when."""

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence

from tapproxy.testing.command_lines import TAP, checked, option_words
from tapproxy.testing.waiting import comes_true

JOURNAL = ".wire"
"""Ending of what is on record before the recording is first opened."""


class Record:
    """One command that is recorded, each time that it is started."""

    def __init__(self, folder: str, name: str) -> None:
        """Take a folder of our own, and the session's name."""
        self.name = name
        self._folder = folder
        self._path = os.path.join(folder, re.sub(r"[^\w.-]", "-", name) + ".tap")

    def command(self, command: Sequence[str], options: Mapping[str, object]) -> list[str]:
        """Return what is to be started instead; raises TypeError for an option that is none.

        It is written to the journal alone: nothing goes on after the session's end.
        """
        ours = [f"--output={self._path}", f"--name={self.name}", "--ingest=later"]
        words = [*ours, *option_words(options), "--", *command]
        return [*TAP, "run", *checked("run", words)]

    def made(self) -> list[str]:
        """Return the recordings in the order of their starts."""
        return list(self._made())

    def _made(self) -> Iterator[str]:
        number, path = 1, self._path
        while os.path.exists(path) or os.path.exists(path + JOURNAL):
            yield path
            number += 1
            path = f"{self._path}~{number}"

    def remove(self) -> None:
        """Remove them."""
        shutil.rmtree(self._folder, ignore_errors=True)


def wait_until_ended(recordings: Sequence[str]) -> bool:
    """Wait until their sessions have ended; False where they do not."""
    return comes_true(lambda: not any(map(_is_live, recordings)))


def _is_live(path: str) -> bool:
    from tapproxy_store.journal_reading import open_journal
    from tapproxy_store.locks import is_held

    journal = open_journal(path)
    if journal is None:
        return False
    try:
        return is_held(journal)
    finally:
        os.close(journal)
