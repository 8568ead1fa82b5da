"""What a test has recorded: where it is, and until when."""

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence

from tapproxy.testing.command_lines import TAP, checked, option_words
from tapproxy.testing.waiting import comes_true, has_begun, is_live


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
        __tracebackhide__ = True
        ours = [f"--output={self._path}", f"--name={self.name}", "--ingest=later"]
        words = [*ours, *option_words(options), "--", *command]
        return [*TAP, "run", *checked("run", words)]

    def made(self) -> list[str]:
        """Return the recordings in the order of their starts."""
        return list(self._made())

    def _made(self) -> Iterator[str]:
        number, path = 1, self._path
        while has_begun(path):
            yield path
            number += 1
            path = f"{self._path}~{number}"

    def remove(self) -> None:
        """Remove them."""
        shutil.rmtree(self._folder, ignore_errors=True)


def have_ended(recordings: Sequence[str]) -> bool:
    """Wait until their sessions have ended; False where they do not."""
    return comes_true(lambda: not any(map(is_live, recordings)))
