"""The list of all formats that can be imported, and how one is chosen for a file."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from tapproxy.importing.api import HEAD, BadImport, Format, Record, Source
from tapproxy.importing.json_lines import JSON_LINES
from tapproxy.importing.mcp_rec import MCP_REC
from tapproxy.importing.mcpsnoop import MCPSNOOP
from tapproxy.importing.tape import TAPE
from tapproxy.importing.vscode_lsp import VSCODE_LSP

FORMATS = (TAPE, MCP_REC, MCPSNOOP, VSCODE_LSP, JSON_LINES)
"""In the order in which they are tried: the one that takes any JSON comes last."""


def records_of(
    lines: Iterable[bytes], source: Source, form: Format | None = None
) -> Iterator[Record]:
    """Yield the records of the lines, of the format that is given, else of the recognised one.

    Raises a StoreError.
    """
    lines = iter(lines)
    head = list(islice(lines, HEAD))
    chosen = form or recognised(head, source.name)
    if source.direction is not None and chosen is not JSON_LINES:
        raise BadImport(
            f"{source.name} is of the format {chosen.name}, which tells directions itself: "
            "leave --direction out, or add --from json-lines"
        )
    return read(chosen, chain(head, lines), source)


def read(form: Format, lines: Iterable[bytes], source: Source) -> Iterator[Record]:
    """Yield the records of the lines; raises a StoreError: also where there are none at all."""
    is_empty = True
    for record in form.read(lines, source):
        is_empty = False
        yield record
    if is_empty:
        raise _empty(source.name)


def recognised(head: Sequence[bytes], name: str) -> Format:
    """Return the format of a file by its first lines, HEAD of them; raises BadImport."""
    if not any(line.strip() for line in head):
        raise _empty(name)
    for it in FORMATS:
        if it.recognise(head):
            return it
    names = ", ".join(it.name for it in FORMATS)
    raise BadImport(
        f"{name} begins like none of the formats that tap reads ({names}); "
        "if it is one of them, name it with --from"
    )


def get_format(name: str) -> Format:
    """Return the format of this name, one of the list's; raises KeyError."""
    return {it.name: it for it in FORMATS}[name]


def _empty(name: str) -> BadImport:
    return BadImport(f"{name} is empty: there is nothing to import")
