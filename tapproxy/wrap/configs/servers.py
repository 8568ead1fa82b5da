"""A server as a configuration names it: what is started, and where that is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tapproxy.wrap.configs.spans import Document, Node, Pair, Path

NO_COMMAND = "names no command"
HALVES = "has half of a character in its name or command"


@dataclass(frozen=True, slots=True)
class Shape:
    """The names under which an entry has its parts, from the entry on."""

    command: Path = ("command",)
    arguments: Path | None = ("args",)
    """None: the command is a list, arguments included."""
    environment: Path = ("env",)
    addresses: tuple[Path, ...] = (("url",), ("serverUrl",), ("httpUrl",))
    """A server that is reached over the network has one of these."""


@dataclass(frozen=True, slots=True)
class Server:
    """One entry of a configuration."""

    table: Path
    name: str
    words: tuple[str, ...] = ()
    """The command and its arguments; empty where tap cannot be put before them."""
    obstacle: str = ""
    """Why it cannot: what a sentence goes on with after the server's name."""
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    command: Pair | None = None
    arguments: Pair | None = None
    """None: there are none, or they are in the command's list."""

    place: str = ""
    """Of several tables of a kind, the one: a project's folder."""

    @property
    def key(self) -> str:
        """Return what the user calls it: its name, with the place that it is for."""
        return f"{self.name}@{self.place}" if self.place else self.name


def server_at(document: Document, path: Path, shapes: tuple[Shape, ...], place: str = "") -> Server:
    """Read the entry at a path in the first of the shapes that it has."""
    table, name = path[:-1], path[-1]
    for shape in shapes:
        command = document.pairs.get((*path, *shape.command))
        if command is None or (shape.arguments is not None and command.value.kind == "table"):
            continue
        found = None
        if shape.arguments is not None:
            found = document.pairs.get((*path, *shape.arguments))
        words = _words(command.value, found.value if found else None)
        if not words or not _is_whole("".join((name, place, *words))):
            obstacle = HALVES if words else _unclear(command.value, shape)
            return Server(table, name, obstacle=obstacle, place=place)
        variables = _variables(document, (*path, *shape.environment))
        return Server(table, name, words, "", variables, command, found, place)
    return Server(table, name, obstacle=_without_command(document, path, shapes), place=place)


def _is_whole(text: str) -> bool:
    """Tell whether a text can be written at all: JSON may name halves of characters."""
    return not any("\ud800" <= it <= "\udfff" for it in text)


def _words(command: Node, arguments: Node | None) -> tuple[str, ...]:
    if command.kind == "list":
        return tuple(command.texts or ())
    if command.kind != "text" or not command.value:
        return ()
    rest = [] if arguments is None else arguments.texts
    return () if rest is None else (command.value, *rest)


def _unclear(command: Node, shape: Shape) -> str:
    if shape.arguments is None:
        return "has a command that is no plain list of texts"
    if command.kind != "text" or not command.value:
        return "has a command that is no text"
    return "has arguments that are no list of texts"


def _without_command(document: Document, path: Path, shapes: tuple[Shape, ...]) -> str:
    for shape in shapes:
        for address in shape.addresses:
            pair = document.pairs.get((*path, *address))
            if pair is not None:
                return (
                    f"is reached over the network{_host(pair.value.value)}: no program is started "
                    "whose stdin and stdout tap could record"
                )
    return NO_COMMAND


def _host(address: str) -> str:
    """Name the host alone: the rest of an address may hold a token."""
    try:
        host = urlsplit(address).hostname
    except ValueError:
        host = None
    return f" at {host}" if host else ""


def _variables(document: Document, path: Path) -> dict[str, str]:
    return {
        names[-1]: pair.value.value
        for names, pair in document.pairs.items()
        if names[:-1] == path and pair.value.kind == "text"
    }
