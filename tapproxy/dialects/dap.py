"""The Debug Adapter Protocol, and the envelope that it shares with TypeScript's tsserver.

Source: Debug Adapter Protocol Specification, Base Protocol (ProtocolMessage, Request, Event,
Response, ErrorResponse).
"""

from collections.abc import Sequence
from typing import Any

from tapproxy.dialects.api import UNKNOWN, Dialect, Echo, Heard, Meaning, Side
from tapproxy.dialects.brief import inner, joined, plain
from tapproxy.dialects.dap_words import event_words, request_words, result_words
from tapproxy.dialects.ids import id_text
from tapproxy.dialects.json_reading import JsonReading, joined_notes, no_object, with_units
from tapproxy.dialects.jsonrpc import LONGEST_ERROR, OTHER, parsed, words_of
from tapproxy.dialects.refusals import dap_refusal

TYPES = ("request", "response", "event")

_COMMANDS = {
    *("initialize", "launch", "attach", "configurationDone", "disconnect", "terminate"),
    *("setBreakpoints", "setExceptionBreakpoints", "stackTrace", "scopes", "variables", "threads"),
    *("runInTerminal", "startDebugging"),
}
_EVENTS = {
    *("initialized", "stopped", "continued", "exited", "terminated"),
    *("output", "process", "thread"),
}


class PacketReading(JsonReading):
    """Reads `{"seq", "type": request | response | event, …}`."""

    def request_words(self, command: str, arguments: Any) -> str:
        """Say the essential values of a request."""
        del command
        return words_of(arguments)

    def result_words(self, command: str, body: Any) -> str:
        """Say the essential values of the answer to that command."""
        del command
        return words_of(body)

    def event_words(self, event: str, body: Any) -> str:
        """Say the essential values of an event."""
        del event
        return words_of(body)

    def finished(self, heard: Heard, value: dict[str, Any], meaning: Meaning) -> Meaning:
        """Add what the dialect knows more: keys, flags, a run, a note."""
        del heard, value
        return meaning

    def understand(self, heard: Heard, value: Any) -> Meaning:
        """Return what a packet means."""
        if not isinstance(value, dict):
            return no_object(value)
        kind = value.get("type")
        seq = id_text(value["seq"], heard.body) if "seq" in value else None
        if kind == "request":
            meaning = self._request(value, seq)
        elif kind == "response":
            meaning = self._response(heard, value, seq)
        elif kind == "event":
            name = plain(value.get("event"))
            meaning = Meaning("event", name, self.event_words(name, value.get("body")), seq)
        else:
            note = "its type is not request, response or event"
            return Meaning(UNKNOWN, note=note, flags=("not-dialect",))
        return self.finished(heard, value, meaning)

    def _request(self, value: dict[str, Any], seq: str | None) -> Meaning:
        command = plain(value.get("command"))
        words = self.request_words(command, value.get("arguments"))
        if seq is None:
            return Meaning("request", command, words, note="no seq", flags=("no-id",))
        return Meaning("request", command, words, seq, seq)

    def _response(self, heard: Heard, value: dict[str, Any], seq: str | None) -> Meaning:
        command = plain(value.get("command")) or None
        if value.get("success") is False:
            meaning = Meaning("error", command, _error_words(value), seq, flags=("error",))
        else:
            words = self.result_words(command or "", value.get("body"))
            meaning = Meaning("response", command, words, seq)
        if "request_seq" not in value:
            return meaning._replace(note="no request_seq", flags=(*meaning.flags, "no-id"))
        return meaning._replace(replies=id_text(value["request_seq"], heard.body))


class DapReading(PacketReading):
    """Reads a debugging session, in both directions: adapters ask too (`runInTerminal`)."""

    def __init__(self) -> None:
        super().__init__()
        self._started: set[Side] = set()
        self._client = ""
        self._adapter = ""

    def read(self, heard: Heard) -> Sequence[Meaning]:
        """Return what the frame says; whether its length differs when counted in characters."""
        return with_units(heard.body, super().read(heard))

    def request_words(self, command: str, arguments: Any) -> str:
        """Say the essential values of a request."""
        if command == "initialize":
            self._client = plain(inner(arguments, "clientName") or inner(arguments, "clientID"))
            self._adapter = plain(inner(arguments, "adapterID"))
        return request_words(command, arguments)

    def result_words(self, command: str, body: Any) -> str:
        """Say the essential values of the answer to that command."""
        return result_words(command, body)

    def event_words(self, event: str, body: Any) -> str:
        """Say the essential values of an event."""
        return event_words(event, body)

    def finished(self, heard: Heard, value: dict[str, Any], meaning: Meaning) -> Meaning:
        """Add what a cancellation or a progress is about, and how a side begins to count."""
        side = heard.side
        if side not in self._started:
            self._started.add(side)
            meaning = _with_start(meaning)
        if meaning.method == "output":
            return meaning._replace(run=f"output {plain(inner(value, 'body', 'category'))}")
        if meaning.kind == "request" and meaning.method == "cancel":
            return _about(meaning, side, inner(value, "arguments", "requestId"), cancels=True)
        if meaning.kind == "event" and (meaning.method or "").startswith("progress"):
            meaning = meaning._replace(run=f"progress {plain(inner(value, 'body', 'progressId'))}")
            return _about(meaning, OTHER[side], inner(value, "body", "requestId"), cancels=False)
        return meaning

    def traits(self) -> Sequence[str]:
        """Return the adapter and the client, once `initialize` has named them."""
        named = (joined("adapter", self._adapter), joined("client", self._client))
        return [it for it in named if " " in it]


def _with_start(meaning: Meaning) -> Meaning:
    if meaning.id != "0":
        return meaning  # 2 may come before 1: adapters send from several threads
    note = joined_notes(meaning.note, "seq starts at 0, not at 1")
    return meaning._replace(note=note, flags=(*meaning.flags, "seq-start"))


def _about(meaning: Meaning, side: Side, seq: Any, *, cancels: bool) -> Meaning:
    if not isinstance(seq, int):
        return meaning
    return meaning._replace(about=(side, str(seq)), cancels=cancels)


def _error_words(value: dict[str, Any]) -> str:
    """Say an ErrorResponse: the short message, and the long one where it says more."""
    short, error = plain(value.get("message"), LONGEST_ERROR), inner(value, "body", "error")
    long = plain(inner(error, "format"), LONGEST_ERROR)
    variables = inner(error, "variables")
    for name, word in variables.items() if isinstance(variables, dict) else ():
        long = long.replace("{" + name + "}", plain(word))
    return long if short in long else joined(short, long, by=": ")


OPENING = frozenset({
    "initialize", "launch", "attach", "initialized", "setBreakpoints", "setFunctionBreakpoints",
    "setExceptionBreakpoints", "configurationDone",
})  # fmt: skip
"""Requests, and the event, of what leads to a running debuggee (DAP, "Initialization", "Launch
Sequence", "Configuration")."""


def _recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
    del argv
    for heard in frames:
        value = parsed(heard)
        if not isinstance(value, dict) or value.get("type") not in TYPES or "seq" not in value:
            continue
        name = value.get("event") if value["type"] == "event" else value.get("command")
        if isinstance(name, str) and name in (_EVENTS if value["type"] == "event" else _COMMANDS):
            return f'messages are numbered by "seq", and one is the {value["type"]} {name}'
    return None


DAP = Dialect(
    name="dap",
    purpose="Debug Adapter Protocol",
    recognise=_recognise,
    begin=lambda _: DapReading(),
    volatile=(
        "seq",
        "request_seq",
        "arguments.processId",
        "body.processId",
        "body.shellProcessId",
        "body.systemProcessId",
        "body.sockets.*.port",
        "body.variablesReference",
    ),
    echoes=(
        Echo("seq", "request_seq", of_question=True),
        Echo("body.threadId", "arguments.threadId"),
        Echo("body.stackFrames.*.id", "arguments.frameId"),
        Echo("body.scopes.*.variablesReference", "arguments.variablesReference"),
        Echo("body.variables.*.variablesReference", "arguments.variablesReference"),
    ),
    refusal=dap_refusal,
    opening=OPENING,
)
