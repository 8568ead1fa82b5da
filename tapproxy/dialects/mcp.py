"""The Model Context Protocol: revisions with a handshake, and the newest one without.

Source: Model Context Protocol specification, revisions 2024-11-05 to 2026-07-28: basic/lifecycle,
basic/utilities/progress, basic/utilities/cancellation; server/discover of 2026-07-28.
"""

from collections.abc import Sequence
from typing import Any

from tapproxy.dialects.api import Dialect, Echo, Heard, Meaning, Side
from tapproxy.dialects.brief import inner
from tapproxy.dialects.envelopes import envelopes
from tapproxy.dialects.ids import id_text
from tapproxy.dialects.jsonrpc import OTHER, JsonRpcReading
from tapproxy.dialects.mcp_words import INPUT_REQUIRED, META, REQUESTS, RESULTS
from tapproxy.dialects.refusals import jsonrpc_refusal
from tapproxy.dialects.shared_words import noted, peer, said

MOST_TOKENS = 1000
"""Progress tokens remembered of each side; of more, the oldest are forgotten."""

LISTEN = "subscriptions/listen"
"""The request that stays open: its stream of notifications has its id."""

OWN = {
    "notifications/initialized", "notifications/prompts/list_changed",
    "notifications/resources/list_changed", "notifications/roots/list_changed",
    "notifications/tools/list_changed", "roots/list", *REQUESTS,
} - {"initialize"}  # fmt: skip
"""Methods by which a session is recognised; LSP and others have an initialize and a ping too."""


class McpReading(JsonRpcReading):
    """Knows the progress tokens, which revision is spoken, and whether the handshake is over."""

    def __init__(self) -> None:
        super().__init__()
        self._tokens: dict[Side, dict[str, str]] = {"in": {}, "out": {}}  # by asker: token -> id
        self._client = ""
        self._server = ""
        self._protocol = ""  # the revision that is spoken
        self._wanted: Any = None  # the revision that the client has asked for
        self._in_handshake = False  # from initialize to notifications/initialized

    def request_words(self, method: str, params: Any) -> str:
        """Say the essential values of a request or a notification."""
        return said(REQUESTS, method, params)

    def result_words(self, method: str | None, result: Any) -> str:
        """Say the essential values of a result."""
        asks_back = inner(result, "resultType") == INPUT_REQUIRED
        return said(RESULTS, INPUT_REQUIRED if asks_back else method, result)

    def finished(self, heard: Heard, value: dict[str, Any], meaning: Meaning) -> Meaning:
        """Add what a message concerns, and what is wrong about it at this point of the session."""
        if meaning.kind == "request":
            return self._requested(heard, value.get("params"), meaning)
        if meaning.kind == "notification":
            return self._notified(heard, value.get("params"), meaning)
        return self._answered(value.get("result"), meaning)

    def traits(self) -> Sequence[str]:
        """Return the client, the server and the revision, as far as they are known."""
        known = {"client": self._client, "server": self._server, "protocol": self._protocol}
        return [f"{name} {value}" for name, value in known.items() if value]

    def _requested(self, heard: Heard, params: Any, meaning: Meaning) -> Meaning:
        meta = inner(params, "_meta")
        if isinstance(meta, dict):
            self._learn(meta)
            if "progressToken" in meta:
                self._remember(heard.side, id_text(meta["progressToken"], b""), str(meaning.id))
        if meaning.method == "initialize":
            self._wanted = inner(params, "protocolVersion")
            self._client = peer(inner(params, "clientInfo"))
            self._in_handshake = True
        elif self._in_handshake and meaning.method != "ping":
            return noted(meaning, "before notifications/initialized", "before-initialized")
        return meaning

    def _notified(self, heard: Heard, params: Any, meaning: Meaning) -> Meaning:
        method, other = meaning.method, OTHER[heard.side]
        if method == "notifications/progress":
            return self._progressed(other, inner(params, "progressToken"), meaning)
        if method == "notifications/cancelled":
            return self._cancelled(heard.side, inner(params, "requestId"), meaning)
        if method == "notifications/initialized":
            self._in_handshake = False
        subscription = inner(params, "_meta", META + "subscriptionId")
        if subscription is None:
            return meaning
        return meaning._replace(about=(other, id_text(subscription, b"")))

    def _progressed(self, asker: Side, token: Any, meaning: Meaning) -> Meaning:
        if token is None:
            return noted(meaning, "no progressToken", "unknown-token")
        key = id_text(token, b"")
        meaning = meaning._replace(run=f"progress {key}")
        asked = self._tokens[asker].get(key)
        if asked is not None:
            return meaning._replace(about=(asker, asked))
        # Many clients take the request's id for its token: that request may be meant.
        meaning = meaning._replace(about=(asker, key))
        return noted(meaning, f"no request has the progressToken {key}", "unknown-token")

    def _cancelled(self, side: Side, request: Any, meaning: Meaning) -> Meaning:
        if request is None:  # 2025-11-25 allows it
            return meaning
        key, asker = id_text(request, b""), side
        if self._methods.find(side, key) is None:
            # A server may end a subscription, which is its client's request (2026-07-28).
            asker = side if self._methods.find(OTHER[side], key) != LISTEN else OTHER[side]
        return meaning._replace(about=(asker, key), cancels=True)

    def _answered(self, result: Any, meaning: Meaning) -> Meaning:
        if not isinstance(result, dict):
            return meaning
        meta = result.get("_meta")
        if isinstance(meta, dict):
            self._learn(meta)
        if result.get("isError") is True:
            return meaning._replace(flags=(*meaning.flags, "error"))
        if result.get("resultType") == INPUT_REQUIRED:
            return meaning._replace(flags=(*meaning.flags, "input-required"))
        if "protocolVersion" in result:
            return self._agreed(result, meaning)
        if "supportedVersions" in result:
            return self._discovered(result["supportedVersions"], meaning)
        return meaning

    def _agreed(self, result: dict[str, Any], meaning: Meaning) -> Meaning:
        answered = result["protocolVersion"]
        self._protocol = str(answered)
        self._server = peer(result.get("serverInfo"))
        if self._wanted in (None, answered):
            return meaning
        return noted(meaning, f"asked for {self._wanted}, answered {answered}", "other-protocol")

    def _discovered(self, supported: Any, meaning: Meaning) -> Meaning:
        if not isinstance(supported, list) or self._wanted is None or self._wanted in supported:
            return meaning
        versions = " ".join(map(str, supported))
        return noted(meaning, f"asked for {self._wanted}, supports {versions}", "other-protocol")

    def _learn(self, meta: dict[str, Any]) -> None:
        """Take what the newest revision tells with each message."""
        if META + "protocolVersion" in meta:
            self._wanted = meta[META + "protocolVersion"]
            self._protocol = str(self._wanted)
        if not self._client:
            self._client = peer(meta.get(META + "clientInfo"))
        if not self._server:
            self._server = peer(meta.get(META + "serverInfo"))

    def _remember(self, side: Side, token: str, key: str) -> None:
        tokens = self._tokens[side]
        tokens.pop(token, None)
        tokens[token] = key
        if len(tokens) > MOST_TOKENS:
            del tokens[next(iter(tokens))]


def _recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
    del argv
    messages = envelopes(frames)
    reason = next(filter(None, map(_reason, messages)), None)
    return reason or _pinged(messages)


def _reason(message: dict[str, Any]) -> str | None:
    """Say by what a message is known to be one of MCP."""
    method = message.get("method")
    if method == "initialize":
        version = inner(message, "params", "protocolVersion")
        return f"initialize with protocolVersion {version}" if isinstance(version, str) else None
    if isinstance(method, str) and method in OWN:
        return f"{method} is a method of MCP"
    version = inner(message, "result", "protocolVersion")
    if isinstance(version, str) and inner(message, "result", "capabilities") is not None:
        return f"an answer with protocolVersion {version}"
    return None


def _pinged(messages: list[dict[str, Any]]) -> str | None:
    """Say that it pings as MCP does, if that is all there is: pings, and answers that are empty."""
    pings = [it for it in messages if it.get("method") == "ping"]
    answers = [it for it in messages if it.get("result") == {}]
    if pings and answers and len(pings) + len(answers) == len(messages):
        return "ping, answered with an empty result"
    return None


MCP = Dialect(
    name="mcp",
    purpose="the Model Context Protocol, all revisions to 2026-07-28",
    recognise=_recognise,
    begin=lambda _: McpReading(),
    volatile=(
        "id", "params.requestId", "params.progressToken", "params._meta",
        "params.clientInfo.version", "params.taskId", "params.elicitationId", "result.task.taskId",
    ),
    echoes=(
        Echo("id", "id", of_question=True),
        Echo("params._meta.progressToken", "params.progressToken"),
    ),
    refusal=jsonrpc_refusal,
    forgets_exchanges=True,
    opening=frozenset({"initialize"}),
)  # fmt: skip
