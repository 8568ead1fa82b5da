"""Cassettes: tapes that are kept beside the tests, recorded once and replayed from then on."""

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

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
    folder, name = os.path.split(tape)
    os.makedirs(folder, exist_ok=True)
    descriptor, unfinished = tempfile.mkstemp(prefix=f".{name[:40]}.", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for recording in recordings:
                file.writelines(_lines(recording))
        os.replace(unfinished, tape)
    except BaseException:
        os.unlink(unfinished)
        raise


def _lines(recording: str) -> Iterator[bytes]:
    from tapproxy.opening import opened
    from tapproxy_store.tape import tape_lines

    with opened(recording) as it:
        lines = tape_lines(it)
        yield _without_machine(json.loads(next(lines)))
        yield from lines


def _without_machine(header: dict[str, Any]) -> bytes:
    facts = {key: value for key, value in header["facts"].items() if key in KEPT_FACTS}
    facts["argv"] = [os.path.basename(it) if at == 0 else it for at, it in enumerate(facts["argv"])]
    for descriptor in facts.get("descriptors", {}).values():
        descriptor.pop("path", None)
    kept = {key: value for key, value in header.items() if key not in MACHINE_TIMES}
    return json.dumps(kept | {"facts": facts}).encode() + b"\n"
