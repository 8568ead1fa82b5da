"""Cassettes: tapes that are kept beside the tests, recorded once and replayed from then on."""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from tapproxy.testing.stand_ins import StandIn

FOLDER = "recordings"

READABLE = "[]=,+ "
"""What file names keep of a test's name, beside letters, digits and `_.-~`; the rest is %XX."""

KEPT_FACTS = ("argv", "platform", "tap_version", "descriptors")
"""Of the facts about a run, those that belong into a repository: not the machine's and its user's.
"""

MACHINE_TIMES = ("monotonic", "duration")
"""Left out of the header: the lines tell how long it was."""


def cassette_path(test_file: str, names: Sequence[str]) -> str:
    """Return `recordings/test_file/names.tape` beside the test's file; no two tests have the same.

    `names` are those of the test's class, the test, and the cassette, as far as there are any.
    """
    folder, file = os.path.split(test_file)
    name = ".".join(quote(it, safe=READABLE) for it in names)
    return os.path.join(folder, FOLDER, os.path.splitext(file)[0], name + ".tape")


def save(recordings: Sequence[str], tape: str) -> None:
    """Write the sessions of the recordings as one tape, which is never half there."""
    from tapproxy.replay.keeping import replace

    replace(tape, (line for recording in recordings for line in _lines(recording)))


class Growing:
    """A cassette that is played, and is to gain what it has no answer to."""

    def __init__(self, tape: str, folder: str, command: Sequence[str]) -> None:
        """Take an empty folder: there a copy grows, until the test has passed."""
        self._tape = tape
        self._copy = shutil.copy(tape, os.path.join(folder, os.path.basename(tape)))
        starts = os.path.join(folder, "starts")
        os.mkdir(starts)
        self.stand_in = StandIn([self._copy], starts, command)

    def take_over(self) -> list[str]:
        """Make the cassette what its copy has become; return how the replay differs, if it does.

        What is new says nothing of the machine.
        """
        if self.stand_in.wait() is not None:  # which tap_replay tells
            return []
        differences = list(self.stand_in.differences())
        if not differences:
            self._take_over()
        return differences

    def _take_over(self) -> None:
        from tapproxy.replay.keeping import replace

        with open(self._copy, "rb") as copy, open(self._tape, "rb") as tape:
            lines, before = copy.readlines(), tape.readlines()
        known = set(before)
        if lines != before:
            replace(self._tape, (it if it in known else _cleaned(it) for it in lines))


def _lines(recording: str) -> Iterator[bytes]:
    from tapproxy.opening import opened
    from tapproxy_store.tape import tape_lines

    with opened(recording) as it:
        lines = tape_lines(it)
        yield _without_machine(json.loads(next(lines)))
        yield from lines


def _cleaned(line: bytes) -> bytes:
    return _without_machine(json.loads(line)) if line.startswith(b"{") else line


def _without_machine(header: dict[str, Any]) -> bytes:
    facts = {key: value for key, value in header["facts"].items() if key in KEPT_FACTS}
    facts["argv"] = [os.path.basename(it) if at == 0 else it for at, it in enumerate(facts["argv"])]
    for descriptor in facts.get("descriptors", {}).values():
        descriptor.pop("path", None)
    kept = {key: value for key, value in header.items() if key not in MACHINE_TIMES}
    return json.dumps(kept | {"facts": facts}).encode() + b"\n"
