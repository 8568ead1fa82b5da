"""Neovim's Lua: where the commands of language servers stand that are plain lists of texts.

Lua is a program: only forms that cannot be anything else are read (Neovim, `:help lsp-config` and
`:help lsp-new-config`; nvim-lspconfig, README), and what stands around them is not understood.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from tapproxy.wrap.configs.language import Language
from tapproxy.wrap.configs.lua_tokens import Token, tokens
from tapproxy.wrap.configs.spans import Document, Node, Pair, Path

WHOLE_FILE = ""
"""The name of the server of a file that returns its table: it is called as the file."""

COMMAND = "cmd"

_NEW = ("vim", ".", "lsp", ".", "config")
_OLD = (
    ("lspconfig",),
    ("require", "(", "'lspconfig'", ")"),
    ("require", "'lspconfig'"),
)
_SERVER = ((".", "NAME"), ("[", "TEXT", "]"))

FORMS = (
    (*_NEW, "(", "TEXT", ",", "{"),
    *((*_NEW, *server, "=", "{") for server in _SERVER),
    *(
        (*head, *server, ".", "setup", *call, "{")
        for head, server, call in product(_OLD, _SERVER, ((), ("(",)))
    ),
)
"""What stands before the table of a server; one of NAME and TEXT is its name."""

_OPENS = {"function", "do", "if", "repeat", "(", "{", "["}
_CLOSES = {"end", "until", ")", "}", "]"}


def read(text: str) -> Document:
    """Return the commands of the servers, each at the path (server, "cmd"); raises NotReadable.

    A command that is anything but a list of texts, or is given twice, has a value of the kind
    "other".
    """
    found: dict[Path, Pair] = {}
    cut = tokens(text)
    for name, at in _tables(cut):
        command = _command(cut, at)
        if command is not None:
            path = (name, COMMAND)
            found[path] = _unclear(command) if path in found else command
    return Document(text, found)


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r") + '"'


LUA = Language("Lua", read, _literal, str)


def _tables(cut: Sequence[Token]) -> Iterator[tuple[str, int]]:
    """Yield the servers that are configured, and where among the tokens their tables begin."""
    for at, token in enumerate(cut):
        if token.said == "return" and _is_whole_file(cut, at + 1):
            yield WHOLE_FILE, at + 1
        for form in FORMS:
            if form[0] == token.said:
                name = _matched(cut[at : at + len(form)], form)
                if name is not None:
                    yield name, at + len(form) - 1


def _matched(cut: Sequence[Token], form: Sequence[str]) -> str | None:
    """Return the server's name if the tokens are of the form."""
    if len(cut) < len(form):
        return None
    name = None
    for token, wanted in zip(cut, form, strict=True):
        if wanted in ("NAME", "TEXT"):
            name = token.said
            fits = token.kind == wanted.lower()
        elif wanted.startswith("'"):
            fits = token.kind == "text" and token.said == wanted.strip("'")
        else:
            fits = token.kind in ("name", "sign") and token.said == wanted
        if not fits:
            return None
    return name


def _is_whole_file(cut: Sequence[Token], at: int) -> bool:
    """Tell whether the table that begins there is the last thing in the file."""
    return at < len(cut) and cut[at].said == "{" and _end(cut, at) == len(cut) - 1


def _end(cut: Sequence[Token], at: int) -> int:
    """Return the index of what closes the bracket that is opened there, else how many there are."""
    level = 0
    for index in range(at, len(cut)):
        level += _step(cut[index])
        if level == 0:
            return index
    return len(cut)


def _step(token: Token) -> int:
    if token.kind in ("text", "odd text"):
        return 0
    return (token.said in _OPENS) - (token.said in _CLOSES)


def _command(cut: Sequence[Token], table: int) -> Pair | None:
    """Return the field `cmd` of a table, if there is one."""
    level, end = 0, _end(cut, table)
    if end == len(cut):  # words that open and close something do not match
        return None
    for at in range(table, end):
        if level == 1 and cut[at].said == COMMAND and _begins_a_field(cut, at):
            name = cut[at]
            return Pair((COMMAND,), name.start, name.start, name.end, _value(cut, at + 2))
        level += _step(cut[at])
    return None


def _begins_a_field(cut: Sequence[Token], at: int) -> bool:
    return cut[at - 1].said in ("{", ",", ";") and cut[at + 1].said == "="


def _value(cut: Sequence[Token], at: int) -> Node:
    """Return the list of texts that begins there, or a value of another kind."""
    other = Node("other", cut[at].start, cut[at].end)
    if cut[at].said != "{":
        return other
    end = _end(cut, at)
    if end + 1 < len(cut) and cut[end + 1].said not in (",", ";", "}"):
        return other
    items, between = cut[at + 1 : end : 2], cut[at + 2 : end : 2]
    if any(it.kind != "text" for it in items) or any(it.said not in (",", ";") for it in between):
        return other
    texts = tuple(Node("text", it.start, it.end, it.said) for it in items)
    return Node("list", cut[at].start, cut[end].end, items=texts)


def _unclear(pair: Pair) -> Pair:
    """Return a pair that is given twice: which one holds, only Neovim knows."""
    value = Node("other", pair.value.start, pair.value.end)
    return Pair(pair.path, pair.start, pair.name_start, pair.name_end, value)
