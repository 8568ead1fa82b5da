"""Puts words before a server's command, and takes them out again: pieces of the text, no more."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tapproxy.wrap.configs.language import Language
from tapproxy.wrap.configs.lists import space_before, with_first, with_only, without_first
from tapproxy.wrap.configs.servers import Server
from tapproxy.wrap.configs.spans import Document, Node, Pair


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text, before and after."""

    part: Literal["command", "arguments"]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Edit:
    """What comes in place of `text[start:end]`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with its parts replaced; they must not overlap."""
    for edit in sorted(edits, key=lambda it: it.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def pieces(
    document: Document, language: Language, server: Server, words: Sequence[str], *, instead: bool
) -> list[Piece]:
    """Return what has to change so that a server is started by these words.

    They come before its own words, or, with `instead`, in place of them.
    """
    if server.command is None:
        return []
    command = server.command.value
    lists = with_only if instead else with_first
    if command.kind == "list":
        after = lists(document, command, [language.literal(it) for it in words])
        return [Piece("command", document.written(command), after)]
    first, *rest = words
    added = [language.literal(it) for it in rest]
    if not instead:
        added.append(document.written(command))
    if server.arguments is not None:
        arguments = server.arguments.value
        return [
            Piece("command", document.written(command), language.literal(first)),
            Piece("arguments", document.written(arguments), lists(document, arguments, added)),
        ]
    return [_with_arguments(document, language, server.command, (first, added))]


def _with_arguments(
    document: Document, language: Language, command: Pair, words: tuple[str, list[str]]
) -> Piece:
    """Add the arguments that there were none of, behind the command and written like it."""
    text, value = document.text, command.value
    sign = text[command.name_end : value.start]
    if sign.strip() not in (":", "="):  # a comment stands in between
        sign = ": " if ":" in sign else " = "
    first, added = words
    listed = (", " if sign[-1:] == " " else ",").join(added)
    prefix = text[command.start : command.name_start]
    pair = f"{prefix}{language.name('args')}{sign}[{listed}]"
    space = space_before(text, command.start)
    if not command.is_line:
        after = f"{language.literal(first)},{space}{pair}"
        return Piece("command", document.written(value), after)
    rest, newline = _rest_of_line(text, value.end)
    indent = space.rpartition("\n")[2]
    after = f"{language.literal(first)}{rest}{newline}{indent}{pair}"
    return Piece("command", document.written(value) + rest, after)


def _rest_of_line(text: str, at: int) -> tuple[str, str]:
    """Return what follows on a line, and how lines end there."""
    line = text[at:].partition("\n")[0]
    ends_in_cr = line.endswith("\r")
    is_last = at + len(line) == len(text)
    newline = "\r\n" if ends_in_cr or (is_last and "\r\n" in text) else "\n"
    return line.removesuffix("\r"), newline


def undone(document: Document, server: Server, done: Iterable[Piece]) -> list[Edit] | None:
    """Return what makes the pieces as they were; None where one is no longer what it was made."""
    edits = []
    for piece in done:
        pair = server.command if piece.part == "command" else server.arguments
        if pair is None or not document.text.startswith(piece.after, pair.value.start):
            return None
        start = pair.value.start
        edits.append(Edit(start, start + len(piece.after), piece.before))
    return edits


def applied(server: Server, wanted: Iterable[Piece]) -> list[Edit]:
    """Return what makes the pieces as they are wanted."""
    edits = []
    for piece in wanted:
        pair = server.command if piece.part == "command" else server.arguments
        if pair is not None:
            start = pair.value.start
            edits.append(Edit(start, start + len(piece.before), piece.after))
    return edits


def taken_out(
    document: Document, language: Language, server: Server, count: int, own: Sequence[str]
) -> list[Edit]:
    """Return what takes so many first words out of an entry that somebody has written anew.

    `own` are the server's words as they were, for where none are left.
    """
    if server.command is None:
        return []
    kept = len(server.words) > count
    rest = server.words[count:] if kept else tuple(own)
    command = server.command.value
    if command.kind == "list":
        return [_replaced(command, _rest(document, language, command, count if kept else rest))]
    if server.arguments is None:
        return [_replaced(command, language.literal(rest[0]))]
    arguments = server.arguments.value
    moved = arguments.items[count - 1] if kept else None
    first = document.written(moved) if moved else language.literal(rest[0])
    between = document.text[command.end : server.arguments.start]
    if len(rest) == 1 and between.strip() == "," and not server.command.is_line:
        return [Edit(command.start, arguments.end, first)]
    left = _rest(document, language, arguments, count if kept else rest[1:])
    return [_replaced(command, first), _replaced(arguments, left)]


def _rest(document: Document, language: Language, node: Node, left: int | Sequence[str]) -> str:
    """Return a list without so many first items, or with these texts alone."""
    if isinstance(left, int):
        return without_first(document, node, left)
    return with_only(document, node, [language.literal(it) for it in left])


def _replaced(node: Node, text: str) -> Edit:
    return Edit(node.start, node.end, text)
