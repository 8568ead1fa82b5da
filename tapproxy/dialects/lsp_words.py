"""The essential values of LSP's requests, notifications and results in a few words.

Lines and columns are counted from 1, as editors show them; on the wire, LSP counts from 0.
Source: Language Server Protocol Specification 3.17.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from tapproxy.dialects.brief import clipped, counted, inner, joined, listed, plain, some
from tapproxy.dialects.jsonrpc import words_of

Words = Callable[[Any], str]

_LEVELS = {1: "error", 2: "warning", 3: "info", 4: "log", 5: "debug"}  # MessageType
_CHANGES = {1: "created", 2: "changed", 3: "deleted"}  # FileChangeType
_SHOWN_CAPABILITIES = 8
_INTS_A_TOKEN = 5  # of the `data` of semantic tokens


def request_words(method: str, params: Any) -> str:
    """Say what a request or a notification is about."""
    words = _REQUESTS.get(method)
    if words is not None:
        return words(params)
    if inner(params, "textDocument", "uri") is not None:
        return _place(params)
    return words_of(params)


def result_words(method: str | None, result: Any) -> str:
    """Say what has come of a request; `method` is None where it is not known."""
    words = _RESULTS.get(method or "")
    if words is None:
        return words_of(result)
    return "nothing" if result is None else words(result)


def file_name(uri: Any) -> str:
    """Return the last part of a URI, readable."""
    return unquote(plain(uri, 500)).rstrip("/").rpartition("/")[2]


def named(about: Any) -> str:
    """Say `name version` of a client or a server."""
    return joined(plain(inner(about, "name")), plain(inner(about, "version")))


def root_of(params: Any) -> str:
    """Return the name of the folder that `initialize` opens, if any."""
    folders = inner(params, "workspaceFolders", 0, "uri")
    return file_name(folders or inner(params, "rootUri") or inner(params, "rootPath"))


def _place(params: Any) -> str:
    """Say `file`, or `file:line:column` where there is a position or the start of a range."""
    document = inner(params, "textDocument", "uri") or inner(params, "uri")
    at = inner(params, "position") or inner(params, "range", "start")
    return joined(file_name(document), _position(at), by=":")


def _position(at: Any) -> str:
    line, column = inner(at, "line"), inner(at, "character")
    if not isinstance(line, int) or not isinstance(column, int):
        return ""
    return f"{line + 1}:{column + 1}"


def _initialize(params: Any) -> str:
    root = root_of(params)
    return joined(named(inner(params, "clientInfo")), f"root {root}" if root else "", by=", ")


def _initialized(result: Any) -> str:
    capabilities = inner(result, "capabilities")
    offered = capabilities if isinstance(capabilities, dict) else {}
    names = (key.removesuffix("Provider") for key, it in offered.items() if it not in (None, False))
    said = some(names, _SHOWN_CAPABILITIES)
    return joined(named(inner(result, "serverInfo")), said, by=": ")


def _opened(params: Any) -> str:
    document = inner(params, "textDocument")
    lines = plain(inner(document, "text"), 1 << 30).count("\n")
    language = plain(inner(document, "languageId"))
    return joined(file_name(inner(document, "uri")), language, counted(lines, "line"), by=", ")


def _changed(params: Any) -> str:
    version = plain(inner(params, "textDocument", "version"))
    count = counted(len(listed(inner(params, "contentChanges"))), "change")
    return joined(_place(params), f"version {version}" if version else "", count, by=", ")


def _diagnostics(diagnostics: Any) -> str:
    said = counted(len(listed(diagnostics)), "diagnostic")
    first = inner(diagnostics, 0)
    message = " ".join(plain(inner(first, "message")).split())
    return joined(said, joined(plain(inner(first, "code")), message), by=": ")


def _published(params: Any) -> str:
    return joined(_place(params), _diagnostics(inner(params, "diagnostics")), by=": ")


def _pulled(result: Any) -> str:
    if inner(result, "kind") == "unchanged":
        return "unchanged"
    return _diagnostics(inner(result, "items"))


def _message(params: Any) -> str:
    level = inner(params, "type")
    text = plain(inner(params, "message"), 100).strip()
    actions = some(plain(inner(it, "title")) for it in listed(inner(params, "actions")))
    level = _LEVELS.get(level, plain(level)) if isinstance(level, int) else plain(level)
    return joined(joined(level, text, by=": "), f"[{actions}]" if actions else "")


def _progress(params: Any) -> str:
    value = inner(params, "value")
    if isinstance(value, list):  # a partial result
        return counted(len(value), "item")
    said = (plain(inner(value, it)) for it in ("kind", "title", "message"))
    percentage = inner(value, "percentage")
    return joined(*said, "" if percentage is None else f"{plain(percentage)} %")


def _names(*path: str, name: str) -> Words:
    def words(value: Any) -> str:
        return some((plain(inner(it, name)) for it in listed(inner(value, *path))), 6)

    return words


def _with(member: str, word: str) -> Words:
    def words(params: Any) -> str:
        value = plain(inner(params, *member.split(".")))
        return joined(_place(params), f"{word} {value}" if value else "")

    return words


def _actions_wanted(params: Any) -> str:
    diagnostics = listed(inner(params, "context", "diagnostics"))
    return joined(_place(params), counted(len(diagnostics), "diagnostic"), by=", ")


def _files_changed(params: Any) -> str:
    def one(change: Any) -> str:
        how = inner(change, "type")
        return joined(
            file_name(inner(change, "uri")), _CHANGES.get(how, "") if isinstance(how, int) else ""
        )

    return some(one(it) for it in listed(inner(params, "changes")))


def _command(params: Any) -> str:
    return joined(
        plain(inner(params, "command")),
        some(plain(it) for it in listed(inner(params, "arguments"))),
    )


def _edit(edit: Any) -> str:
    """Say a WorkspaceEdit."""
    changes = inner(edit, "changes")
    by_file = list(changes.values()) if isinstance(changes, dict) else []
    by_file += [inner(it, "edits") for it in listed(inner(edit, "documentChanges"))]
    edits = counted(sum(len(listed(it)) for it in by_file), "edit")
    return f"{edits} in {counted(len(by_file), 'file')}"


def _edit_wanted(params: Any) -> str:
    return joined(plain(inner(params, "label")), _edit(inner(params, "edit")), by=": ")


def _items(noun: str, label: str) -> Words:
    """Make words for a list, or an object with `items`: how many, and the first ones' names."""

    def words(result: Any) -> str:
        items = listed(inner(result, "items") if isinstance(result, dict) else result)
        partly = " of more" if inner(result, "isIncomplete") is True else ""
        said = some(plain(inner(it, label)) for it in items)
        return joined(counted(len(items), noun) + partly, said, by=": ")

    return words


def _hover(result: Any) -> str:
    contents = inner(result, "contents")
    first = contents[0] if isinstance(contents, list) and contents else contents
    text = inner(first, "value") if isinstance(first, dict) else first
    lines = (it.strip() for it in plain(text, 1 << 30).splitlines())
    return clipped(" ".join(it for it in lines if it and not it.startswith("```")), 80)


def _locations(result: Any) -> str:
    places = result if isinstance(result, list) else [result]
    said = some(_location(it) for it in places)
    return said if len(places) == 1 else joined(counted(len(places), "place"), said, by=": ")


def _location(place: Any) -> str:
    uri = inner(place, "uri") or inner(place, "targetUri")
    at = inner(place, "range", "start") or inner(place, "targetSelectionRange", "start")
    return joined(file_name(uri), _position(at), by=":")


def _count(noun: str) -> Words:
    def words(result: Any) -> str:
        return counted(len(listed(result)), noun)

    return words


def _tokens(result: Any) -> str:
    return counted(len(listed(inner(result, "data"))) // _INTS_A_TOKEN, "token")


def _signature(result: Any) -> str:
    active = inner(result, "activeSignature")
    return plain(inner(result, "signatures", active if isinstance(active, int) else 0, "label"))


_registered = _names("registrations", name="method")

_REQUESTS: dict[str, Words] = {
    "initialize": _initialize,
    "textDocument/didOpen": _opened,
    "textDocument/didChange": _changed,
    "textDocument/publishDiagnostics": _published,
    "textDocument/completion": _with("context.triggerCharacter", "after"),
    "textDocument/rename": _with("newName", "to"),
    "textDocument/codeAction": _actions_wanted,
    "completionItem/resolve": lambda it: plain(inner(it, "label")),
    "codeAction/resolve": lambda it: plain(inner(it, "title")),
    "window/logMessage": _message,
    "window/showMessage": _message,
    "window/showMessageRequest": _message,
    "window/showDocument": _place,
    "workspace/didChangeWatchedFiles": _files_changed,
    "workspace/executeCommand": _command,
    "workspace/applyEdit": _edit_wanted,
    "workspace/configuration": _names("items", name="section"),
    "client/registerCapability": _registered,
    "client/unregisterCapability": _names("unregisterations", name="method"),  # as LSP spells it
    "$/progress": _progress,
    "$/logTrace": lambda it: plain(inner(it, "message"), 100),
    "$/setTrace": lambda it: plain(inner(it, "value")),
}

_RESULTS: dict[str, Words] = {
    "initialize": _initialized,
    "textDocument/completion": _items("item", "label"),
    "textDocument/hover": _hover,
    "textDocument/definition": _locations,
    "textDocument/declaration": _locations,
    "textDocument/typeDefinition": _locations,
    "textDocument/implementation": _locations,
    "textDocument/references": _locations,
    "textDocument/documentSymbol": _items("symbol", "name"),
    "workspace/symbol": _items("symbol", "name"),
    "textDocument/codeAction": _items("action", "title"),
    "textDocument/diagnostic": _pulled,
    "textDocument/formatting": _count("edit"),
    "textDocument/rangeFormatting": _count("edit"),
    "textDocument/documentHighlight": _count("highlight"),
    "textDocument/foldingRange": _count("range"),
    "textDocument/inlayHint": _count("hint"),
    "textDocument/rename": _edit,
    "textDocument/semanticTokens/full": _tokens,
    "textDocument/semanticTokens/range": _tokens,
    "textDocument/signatureHelp": _signature,
}
