"""The Agent Client Protocol, which editors and coding agents speak; both sides ask.

Source: Agent Client Protocol, schema v1.19.0: initialization, prompt turn, cancellation
(agentclientprotocol.com/protocol).
"""

from collections.abc import Sequence
from typing import Any

from tapproxy.dialects.acp_words import REQUESTS, RESULTS
from tapproxy.dialects.api import Dialect, Echo, Heard, Meaning, Side
from tapproxy.dialects.brief import inner
from tapproxy.dialects.envelopes import envelopes
from tapproxy.dialects.ids import id_text
from tapproxy.dialects.jsonrpc import OTHER, JsonRpcReading
from tapproxy.dialects.refusals import jsonrpc_refusal
from tapproxy.dialects.shared_words import TRACING, noted, peer, said

MOST_PROMPTS = 1000
"""Open prompts remembered; of more, the oldest are forgotten."""

FOLDED = ("agent_message_chunk", "agent_thought_chunk", "user_message_chunk")
"""Updates that are pieces of one text."""

OWN = set(REQUESTS) - {"initialize", "authenticate", "$/cancel_request"}
"""Methods by which a session is recognised; those left out are not ACP's alone."""

_Asked = tuple[Side, str]  # who asked, key


class AcpReading(JsonRpcReading):
    """Knows the prompt that each session is at work on, and who the two sides are."""

    def __init__(self) -> None:
        super().__init__()
        self._prompts: dict[str, _Asked] = {}  # open ones, by session
        self._sessions: dict[_Asked, str] = {}  # the other way round
        self._client = ""
        self._agent = ""
        self._protocol: Any = None
        self._wanted: Any = None

    def request_words(self, method: str, params: Any) -> str:
        """Say the essential values of a request or a notification."""
        return said(REQUESTS, method, params)

    def result_words(self, method: str | None, result: Any) -> str:
        """Say the essential values of a result."""
        return said(RESULTS, method, result)

    def finished(self, heard: Heard, value: dict[str, Any], meaning: Meaning) -> Meaning:
        """Add which prompt a message concerns, and which text it is a piece of."""
        params = value.get("params")
        if meaning.method == "session/update":
            return self._updated(OTHER[heard.side], params, meaning)
        if meaning.kind == "request":
            return self._requested(heard.side, params, meaning)
        if meaning.kind == "notification":
            return self._notified(heard.side, params, meaning)
        return self._answered(OTHER[heard.side], value.get("result"), meaning)

    def traits(self) -> Sequence[str]:
        """Return the client, the agent and the protocol's version, as far as they are known."""
        known = {"client": self._client, "agent": self._agent, "protocol": self._protocol}
        return [f"{name} {value}" for name, value in known.items() if value not in ("", None)]

    def _updated(self, asker: Side, params: Any, meaning: Meaning) -> Meaning:
        session, update = inner(params, "sessionId"), inner(params, "update")
        kind = inner(update, "sessionUpdate")
        open_prompt = self._open_prompt(asker, session)
        if kind in FOLDED:
            return meaning._replace(about=open_prompt, run=f"{kind} {session}")
        failed = ("error",) if inner(update, "status") == "failed" else ()
        return meaning._replace(about=open_prompt, flags=meaning.flags + failed)

    def _requested(self, side: Side, params: Any, meaning: Meaning) -> Meaning:
        if meaning.method == "session/prompt":
            self._prompted(side, inner(params, "sessionId"), str(meaning.id))
        elif meaning.method == "initialize":
            self._wanted = inner(params, "protocolVersion")
            self._client = peer(inner(params, "clientInfo"))
        return meaning

    def _notified(self, side: Side, params: Any, meaning: Meaning) -> Meaning:
        if meaning.method == "session/cancel":
            open_prompt = self._open_prompt(side, inner(params, "sessionId"))
            if open_prompt is None:
                return noted(meaning, "no prompt of this session is open", "nothing-to-cancel")
            return meaning._replace(about=open_prompt, cancels=True)
        if meaning.method == "$/cancel_request":
            about = side, id_text(inner(params, "requestId"), b"")
            return meaning._replace(about=about, cancels=True)
        return meaning

    def _answered(self, asker: Side, result: Any, meaning: Meaning) -> Meaning:
        session = self._sessions.pop((asker, str(meaning.replies)), None)
        if session is not None:
            self._prompts.pop(session, None)
        answered = inner(result, "protocolVersion")
        if answered is None:
            return meaning
        self._protocol = answered
        self._agent = peer(result.get("agentInfo"))
        if self._wanted in (None, answered):
            return meaning
        note = f"asked for protocol {self._wanted}, answered {answered}"
        return noted(meaning, note, "other-protocol")

    def _prompted(self, side: Side, session: Any, key: str) -> None:
        if not isinstance(session, str):
            return
        earlier = self._prompts.pop(session, None)
        if earlier is not None:
            self._sessions.pop(earlier, None)
        self._prompts[session] = side, key
        self._sessions[side, key] = session
        if len(self._prompts) > MOST_PROMPTS:
            oldest = next(iter(self._prompts))
            del self._sessions[self._prompts.pop(oldest)]

    def _open_prompt(self, asker: Side, session: Any) -> _Asked | None:
        found = self._prompts.get(session) if isinstance(session, str) else None
        return found if found is not None and found[0] == asker else None


def _recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
    del argv
    return next(filter(None, map(_reason, envelopes(frames))), None)


def _reason(message: dict[str, Any]) -> str | None:
    """Say by what a message is known to be one of ACP."""
    method = message.get("method")
    if method == "initialize":
        version = inner(message, "params", "protocolVersion")
        return f"initialize with protocolVersion {version}" if type(version) is int else None
    if isinstance(method, str) and method in OWN:
        return f"{method} is a method of ACP"
    version = inner(message, "result", "protocolVersion")
    if type(version) is int and inner(message, "result", "agentCapabilities") is not None:
        return f"an answer with protocolVersion {version} and agentCapabilities"
    return None


ACP = Dialect(
    name="acp",
    purpose="the Agent Client Protocol",
    recognise=_recognise,
    begin=lambda _: AcpReading(),
    volatile=(
        "id", "params.sessionId", "result.sessionId", "params.requestId",
        "params.update.toolCallId", "params.toolCall.toolCallId",
        "params.terminalId", "result.terminalId", "params.update.content.*.terminalId",
        *TRACING,
    ),
    echoes=(
        Echo("id", "id", of_question=True),
        Echo("result.sessionId", "params.sessionId"),
        Echo("params.sessionId", "params.sessionId"),
        Echo("result.terminalId", "params.terminalId"),
    ),
    refusal=jsonrpc_refusal,
    forgets_exchanges=True,
    opening=frozenset({"initialize", "authenticate"}),
)  # fmt: skip
