"""What a command may have done with a stranger's file: nothing that hurts, in a few words."""

import csv
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from tapproxy_store.unseen import CONTROLS, FORMATTING, STRAY_JOINER, SURROGATES
from tests.hostile.watched import LARGEST_RESIDENT, Ended

_UNSEEN = re.compile(f"(?!\n)[{CONTROLS}{FORMATTING}{SURROGATES}]|{STRAY_JOINER}")
_FORMULA = re.compile(r"\s*[=+\-@\t\r＝＋－＠]")
_NUMBER = re.compile(r"-?[0-9.]+")

USAGE_OR_COULD_NOT_RUN = (2, 3)


def check(ended: Ended, *, codes: tuple[int, ...] = (0, 1), raw: bool = False) -> None:
    """Fail where the command has hurt: `codes` mean success, `raw` output is as recorded."""
    said = f"tap {' '.join(ended.arguments)} ended with {ended.code}: {ended.err[-2000:]!r}"
    assert ended.started == [], said
    assert b"internal error" not in ended.err, said
    assert b"Traceback" not in ended.err, said
    assert ended.code in (*codes, *USAGE_OR_COULD_NOT_RUN), said
    assert ended.resident <= LARGEST_RESIDENT, f"{ended.resident >> 20} MiB, {said}"
    if ended.code in USAGE_OR_COULD_NOT_RUN and ended.code not in codes:
        assert re.fullmatch(rb"tap: [^\n]+\n", ended.err), said
    if not raw:
        visible(ended.err)
        visible(ended.out.replace(b"\r\n", b"\n"))
    _check_form(ended)


def visible(output: bytes) -> None:
    """Fail where a terminal would obey, or a reader not see, some of it."""
    found = _UNSEEN.search(output.decode())
    assert found is None, f"{found[0]!r} in {output.decode()[max(found.start() - 60, 0) :][:120]!r}"


def _check_form(ended: Ended) -> None:
    """Fail where what a program will read is none of its format."""
    arguments, text = ended.arguments, ended.out.decode(errors="replace")
    if ended.code not in (0, 1):  # it is cut off
        return
    if "--json" in arguments:
        for line in text.splitlines():
            assert isinstance(json.loads(line, parse_constant=_refuse), dict)
    elif arguments[-1] in ("json", "perfetto"):
        assert isinstance(json.loads(text, parse_constant=_refuse), dict)
    elif arguments[-1] == "csv":
        _check_csv(text)
    elif arguments[-1] == "mermaid":
        _check_mermaid(text)


def _refuse(constant: str) -> None:
    raise AssertionError(f"JSON has no {constant}")


def _check_csv(text: str) -> None:
    for delimiter in (",", ";"):
        for row in csv.reader(text.splitlines(keepends=True), delimiter=delimiter):
            for cell in row:
                is_formula = _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
                assert not is_formula, cell


_LINE = re.compile(
    r"sequenceDiagram| {4}(participant (host|plugin) as [^#;:<>&%$@\\`\n]([^;:<>&%$@\\`\n]|#\d+;)*"
    r"|(Note over (host,plugin|host|plugin)|(host|plugin)-?->?[>)][+-]?(host|plugin)): "
    r"([^#;:<>&%$@\\`\n]|#\d+;)+|Note over plugin: stderr ([^#;:<>&%$@\\`\n]|#\d+;)+)"
)


def _check_mermaid(text: str) -> None:
    for line in text.splitlines():
        assert _LINE.fullmatch(line), line


def snapshot(folder: Path) -> dict[str, str]:
    """Return what is in a folder, by path: kinds, modes and contents."""
    return dict(_found(str(folder)))


def _found(folder: str) -> Iterator[tuple[str, str]]:
    for entry in os.scandir(folder):
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(status.st_mode):
            what = hashlib.sha256(Path(entry.path).read_bytes()).hexdigest()
        elif stat.S_ISLNK(status.st_mode):
            what = os.readlink(entry.path)
        else:
            what = ""
        yield entry.path, f"{status.st_mode:o} {what}"
        if stat.S_ISDIR(status.st_mode):
            yield from _found(entry.path)
