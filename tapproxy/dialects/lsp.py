"""The Language Server Protocol: JSON-RPC between an editor and a language server.

Source: Language Server Protocol Specification 3.17: Base Protocol, Cancellation Support, Progress
Support, Work Done Progress, Lifecycle Messages.
"""

from collections.abc import Sequence
from typing import Any

from tapproxy.dialects.api import Dialect, Echo, Heard, Meaning, Side
from tapproxy.dialects.brief import inner, joined
from tapproxy.dialects.envelopes import objects
from tapproxy.dialects.ids import id_text
from tapproxy.dialects.json_reading import joined_notes, with_units
from tapproxy.dialects.jsonrpc import JsonRpcReading
from tapproxy.dialects.lsp_words import named, request_words, result_words, root_of
from tapproxy.dialects.refusals import jsonrpc_refusal

PREFIXES = ("textDocument/", "workspace/", "window/")
METHODS = {"$/cancelRequest", "$/progress", "$/setTrace", "$/logTrace", "client/registerCapability"}
OF_INITIALIZE = ("processId", "rootUri", "rootPath", "workspaceFolders")
TOKENS = ("workDoneToken", "partialResultToken")

MOST_TOKENS = 1000
"""Progress tokens that are remembered; of more, the oldest are forgotten."""


class LspReading(JsonRpcReading):
    """Remembers which question each progress token belongs to, and whether `shutdown` came."""

    def __init__(self) -> None:
        super().__init__()
        self._tokens: dict[str, tuple[Side, str]] = {}
        self._shut_down = False
        self._client = self._server = self._root = ""

    def read(self, heard: Heard) -> Sequence[Meaning]:
        """Return what the frame says; whether its length differs when counted in characters."""
        return with_units(heard.body, super().read(heard))

    def request_words(self, method: str, params: Any) -> str:
        """Say the essential values of a request or a notification."""
        if method == "initialize":
            self._client = named(inner(params, "clientInfo"))
            self._root = root_of(params)
        return request_words(method, params)

    def result_words(self, method: str | None, result: Any) -> str:
        """Say the essential values of a result."""
        if method == "initialize":
            self._server = named(inner(result, "serverInfo"))
        return result_words(method, result)

    def finished(self, heard: Heard, value: dict[str, Any], meaning: Meaning) -> Meaning:
        """Add what a cancellation or a progress is about."""
        method = meaning.method
        if method is None:
            return meaning
        params = value.get("params")
        if meaning.kind == "request":
            self._shut_down |= method == "shutdown"
            self._remember_tokens(heard, params, meaning)
        elif method == "$/cancelRequest":
            key = id_text(inner(params, "id"), heard.body)
            return meaning._replace(summary=key, about=(heard.side, key), cancels=True)
        elif method in ("$/progress", "window/workDoneProgress/cancel"):
            return self._with_token(meaning, id_text(inner(params, "token"), heard.body))
        elif method == "exit" and not self._shut_down:
            note = joined_notes(meaning.note, "exit without shutdown")
            return meaning._replace(note=note, flags=(*meaning.flags, "no-shutdown"))
        return meaning

    def traits(self) -> Sequence[str]:
        """Return the client, the server and the root, once `initialize` has named them."""
        named_ones = {"client": self._client, "server": self._server, "root": self._root}
        return [joined(word, it) for word, it in named_ones.items() if it]

    def _remember_tokens(self, heard: Heard, params: Any, meaning: Meaning) -> None:
        for name in TOKENS:
            token = inner(params, name)
            if token is not None and meaning.asks is not None:
                self._tokens[id_text(token, heard.body)] = (heard.side, meaning.asks)
                if len(self._tokens) > MOST_TOKENS:
                    del self._tokens[next(iter(self._tokens))]

    def _with_token(self, meaning: Meaning, token: str) -> Meaning:
        cancels = meaning.method != "$/progress"
        run = None if cancels else f"progress {token}"
        return meaning._replace(about=self._tokens.get(token), run=run, cancels=cancels)


def _recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
    del argv
    for value in objects(frames):
        method = value.get("method")
        if not isinstance(method, str):
            continue
        if method == "initialize" and _is_initialize(value):
            return "initialize with capabilities and a process or a root"
        if method in METHODS or method.startswith(PREFIXES):
            return f"{method} is a method of LSP"
    return None


def _is_initialize(value: Any) -> bool:
    params = inner(value, "params")
    has_capabilities = isinstance(inner(params, "capabilities"), dict)
    return has_capabilities and any(it in params for it in OF_INITIALIZE)


LSP = Dialect(
    name="lsp",
    purpose="Language Server Protocol",
    recognise=_recognise,
    begin=lambda _: LspReading(),
    volatile=(
        "id",
        "params.id",
        "params.processId",
        "params.rootPath",
        "params.rootUri",
        "params.workspaceFolders",
        "params.workDoneToken",
        "params.partialResultToken",
        "params.token",
    ),
    echoes=(
        Echo("id", "id", of_question=True),
        Echo("params.workDoneToken", "params.token"),
        Echo("params.token", "params.token"),
    ),
    refusal=jsonrpc_refusal,
    forgets_exchanges=True,
    opening=frozenset({"initialize"}),
)
