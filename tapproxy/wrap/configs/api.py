"""What a format is: one kind of file in which a client names the servers that it starts."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tapproxy.wrap.configs.language import Language
from tapproxy.wrap.configs.servers import Server, Shape, server_at
from tapproxy.wrap.configs.spans import Document, Path

ANY = "*"
"""In the path of a table: any name."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where a client has its files.

    As in a shell, `~` is the home folder and `${NAME:-~/folder}` a variable with what stands for it
    where it is not set.
    """

    linux: tuple[str, ...] = ()
    macos: tuple[str, ...] = ()
    windows: tuple[str, ...] = ()
    everywhere: tuple[str, ...] = ()
    project: tuple[str, ...] = ()
    """From the folder of a project on."""


@dataclass(frozen=True, slots=True)
class Format:
    """One client's way to name servers."""

    name: str
    title: str
    language: Language
    places: Places
    find: Callable[[Document, str], list[Server]]
    """Takes the file's path too: in Lua a file may be called as its server."""

    def is_at(self, path: str) -> bool:
        """Tell whether a file is called as one of this client's, its folder included."""
        there = os.path.abspath(path).replace("\\", "/")
        it = self.places
        known = (*it.linux, *it.macos, *it.windows, *it.everywhere, *it.project)
        return any(there.endswith("/" + _tail(place)) for place in known)


def _tail(place: str) -> str:
    """Return what of a place is the same for everybody: the file and its folder."""
    parts = place.rpartition("}")[2].removeprefix("~").strip("/").split("/")
    return "/".join(parts[-2:])


def in_tables(*tables: Path, shapes: tuple[Shape, ...] = (Shape(),)) -> Callable[..., list[Server]]:
    """Return what finds the servers that are the entries of some tables."""

    def find(document: Document, _path: str) -> list[Server]:
        return [
            server_at(document, path, shapes, _place(table, path))
            for table in tables
            for path in _entries(document, table)
        ]

    return find


def _place(table: Path, path: Path) -> str:
    """Return the names for which a table's path has ANY."""
    return "/".join(there for name, there in zip(table, path, strict=False) if name == ANY)


def _entries(document: Document, table: Path) -> Iterator[Path]:
    """Yield the paths of the entries of a table, in their order."""
    seen = dict.fromkeys(
        path[: len(table) + 1]
        for path in document.pairs
        if len(path) > len(table)
        and all(name in (ANY, there) for name, there in zip(table, path, strict=False))
    )
    for path in seen:
        pair = document.pairs.get(path)
        if pair is None or pair.value.kind == "table":
            yield path
