"""Every command that takes a recording, on one file: none may hurt."""

from collections.abc import Iterator
from pathlib import Path

from tests.hostile.harmless import check, snapshot
from tests.hostile.watched import tap

READING: tuple[tuple[str, ...], ...] = (
    ("show", "{}"),
    ("show", "{}", "--json"),
    ("show", "{}", "--exchanges"),
    ("show", "{}", "--unfold", "-v", "--around", "2"),
    ("show", "{}", "#1", "--hex"),
    ("show", "{}", "latency:>0s", "or", "gap:>0s", "or", "json:a.b=1", "or", "text:a*"),
    ("show", "{}", "--dialect", "lingxi"),
    ("stats", "{}"),
    ("stats", "{}", "--json"),
    ("diff", "{}", "{}", "--json"),
    ("diff", "{}", "{good}"),
    ("export", "{}", "--to", "tape"),
    ("export", "{}", "--to", "json"),
    ("export", "{}", "--to", "csv"),
    ("export", "{}", "--to", "mermaid"),
    ("export", "{}", "--to", "perfetto"),
    ("replay", "{}", "--as", "host", "--print"),
    ("replay", "{}", "--as", "plugin", "--print", "--order", "strict"),
)
"""Commands that only read, and say what they have read in a form that is checked."""

SOME = tuple(it for it in READING if it[:1] in (("show",), ("export",), ("stats",)))[::3]
"""A part of them, for files that are made by chance."""

PLAYED = ("--pace", "0", "--max-gap", "0s", "--patience", "0.05s", "--no-record")


def filled(command: tuple[str, ...], path: str, good: str) -> list[str]:
    """Return a command line with the file in its place."""
    return [{"{}": path, "{good}": good}.get(it, it) for it in command]


def read_by_all(path: str, good: str, folder: Path) -> None:
    """Have each command read the file; nothing in the folder changes by that."""
    before = snapshot(folder)
    for command in READING:
        check(tap(filled(command, path, good), folder))
        assert snapshot(folder) == before, command


def read_by_some(path: str, folder: Path, chosen: int) -> None:
    """Have a few of the commands read the file, others each time."""
    for number in range(3):
        command = SOME[(chosen + number) % len(SOME)]
        check(tap(filled(command, path, path), folder))


def used_by_all(path: str, folder: Path) -> None:
    """Have it played, indexed, imported, listed: commands that write where they are asked to."""
    check(tap(["show", path, "--raw", "out"], folder), raw=True)
    played = tap(["replay", path, "--as", "plugin", *PLAYED], folder)
    check(played, codes=tuple(range(256)), raw=True)
    for command in _writing(path):
        check(tap(command, folder, {"TAP_DIR": str(folder)}))


def _writing(path: str) -> Iterator[list[str]]:
    yield ["ls"]
    yield ["ls", "--json"]
    yield ["import", path, "--from", "tape"]
    yield ["import", path]
    yield ["redact", path, "-o", "redacted.tap"]
    yield ["export", path, "--share", "--to", "json", "-o", "shared.json"]
    yield ["index", path]
    yield ["show", path]
    yield ["rm", path]
