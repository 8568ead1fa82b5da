"""LingXi Plugin IPC: a host asks, its plugin answers, one JSON object a line.

Source: LingXi's PluginIPCProtocol.swift, PluginProcessHost.swift and PluginDriver.swift, and the
page of the Plugin IPC, version 1, which shows another shape than the code speaks.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tapproxy.dialects.api import Dialect, Echo, Heard, Meaning, Side
from tapproxy.dialects.brief import brief, clipped
from tapproxy.dialects.ids import id_text
from tapproxy.dialects.json_reading import JsonReading, no_object, not_of
from tapproxy.dialects.jsonrpc import OTHER, error_words, parsed
from tapproxy.dialects.lingxi_layers import SWIFT_DATA, Message, Shapes, as_json, open_text
from tapproxy.dialects.lingxi_words import (
    COMMAND,
    INITIALIZE,
    METHODS,
    SNAPSHOT,
    TOOL,
    identity,
    lacking,
    request_words,
    result_words,
)
from tapproxy.dialects.open_questions import MOST_OPEN, OpenQuestions
from tapproxy.dialects.refusals import lingxi_refusal

WATCHDOG_NS = 3_000_000_000
"""What a host gives a plugin for an answer, since it sends snapshots (version 4 of its code)."""

FIRST_WATCHDOG_NS = 10_000_000_000
"""The same of its first generations (versions 1 to 3), which initialize without params."""

LONGEST_SUMMARY = 160
"""Characters; what plugins call themselves and their tools may be of any length."""

RESULTS: Mapping[str, type] = {INITIALIZE: dict, TOOL: str, COMMAND: dict}
"""What is decoded from the results that must not be empty."""


class Question(NamedTuple):
    """A request that awaits its answer."""

    frame: int  # its number
    method: str
    t_ns: int


class LingxiReading(JsonReading):
    """Remembers who speaks which shape, of which generation the host is, and what is open."""

    def __init__(self) -> None:
        super().__init__()
        self._shapes = Shapes()
        self._asked: OpenQuestions[Question] = OpenQuestions()
        self._awaited: deque[Question] = deque(maxlen=MOST_OPEN)  # by order, as the host takes them
        self._answered: int | None = None  # the frame that the line at hand answers by its id
        self._is_v4: bool | None = None  # whether the host sends snapshots and params
        self._host: dict[str, Any] = {}  # its params of plugin.initialize
        self._plugin: dict[str, Any] = {}  # its manifest

    def read(self, heard: Heard) -> Sequence[Meaning]:
        """Return what the frame says, and what the host takes it for: it compares no ids."""
        if heard.side == "in":
            return super().read(heard)
        awaited = self._next_awaited(heard.t_ns)
        self._answered = None
        meanings = super().read(heard)
        if heard.shares_read and self._shapes.understands_only("in", SWIFT_DATA):
            note = "came in one read with the line before it: this host loses it"
            return _noted(meanings, note, "lost")
        if awaited is None or awaited.frame == self._answered:
            return meanings
        return _noted(meanings, f"host takes it for #{awaited.frame}'s answer", "mistaken")

    def understand(self, heard: Heard, value: Any) -> Meaning:
        """Return what a request or an answer means, with its layers opened."""
        if type(value) is not dict:
            return no_object(value)
        message = Message(value)
        message.key = _find_key(heard, message)
        if "jsonrpc" in value:
            message.remark("a jsonrpc member, which LingXi does not have", "jsonrpc")
        method = value.get("method")
        if type(method) is str:
            return self._request(heard, method, message)
        if "result" in value or "error" in value or "id" in value:
            return self._answer(heard, message)
        return not_of("lingxi", "neither method, result nor error")

    def traits(self) -> Sequence[str]:
        """Return the host's generation and core, the plugin, and the shape that each speaks."""
        said = []
        if self._is_v4 is not None:
            host = "host v4 (3.0 s" if self._is_v4 else "host of the first generations (10 s"
            said.append(f"{host} watchdog)")
        if "coreVersion" in self._host:
            said.append(f"core {self._host['coreVersion']}")
        said += self._speaks("host", "in")
        if self._plugin:
            said.append(f"plugin {identity(self._plugin)}")
        return [*said, *self._speaks("plugin", "out")]

    def _speaks(self, who: str, side: Side) -> list[str]:
        shapes = self._shapes.spoken(side)
        return [f"{who} speaks {' and '.join(shapes)}"] if shapes else []

    def _request(self, heard: Heard, method: str, message: Message) -> Meaning:
        params = self._shapes.open(heard.side, "params", dict, message)
        if method not in METHODS:
            message.remark("unknown method", "unknown-method")
        elif type(params) is dict:
            _look_into(method, params, message)
        elif params is None and method != INITIALIZE:
            message.remark("no params", "no-params")
        words = request_words(method, params)
        if heard.side == "out":
            message.remark("a plugin asks nothing in LingXi", "from-plugin")
            return _meaning("request", words, message, method)
        self._learn_host(method, params, message)
        self._ask(message.key, Question(heard.number, method, heard.t_ns))
        return _meaning("request", words, message, method, self._watchdog_ns())

    def _answer(self, heard: Heard, message: Message) -> Meaning:
        key, method = message.key, None
        question = None if key is None else self._asked.take(OTHER[heard.side], key)
        if question is not None:
            self._answered, method = question.frame, question.method
        result = self._shapes.open(heard.side, "result", RESULTS.get(method or ""), message)
        if message.envelope.get("error") is not None:
            return _failed(result, message)
        if result is None:
            _check_empty(method, message)
            return _meaning("response", "", message)
        if method == INITIALIZE and type(result) is dict:
            self._learn_plugin(result, message)
        elif method == TOOL and open_text(message.envelope, "result", message):
            result = message.envelope["result"]
        return _meaning("response", result_words(method, result), message)

    def _ask(self, key: str | None, question: Question) -> None:
        self._awaited.append(question)
        if key is not None:
            self._asked.ask("in", key, question)

    def _next_awaited(self, t_ns: int) -> Question | None:
        """Return the request whose answer the host takes the next line for, if it waits for one."""
        watchdog_ns = self._watchdog_ns()
        while self._awaited:
            question = self._awaited.popleft()
            if t_ns - question.t_ns <= watchdog_ns:
                return question
        return None

    def _watchdog_ns(self) -> int:
        return FIRST_WATCHDOG_NS if self._is_v4 is False else WATCHDOG_NS

    def _learn_host(self, method: str, params: Any, message: Message) -> None:
        if method == SNAPSHOT:
            self._is_v4 = True
        elif method == INITIALIZE and params is not None:
            self._is_v4 = True
            self._host = params if type(params) is dict else {}
        elif method == INITIALIZE and not self._is_v4:
            self._is_v4 = False
            if "params" not in message.envelope:
                self._shapes.assume("in", SWIFT_DATA)  # nil is left out by Swift's encoder alone

    def _learn_plugin(self, result: dict[str, Any], message: Message) -> None:
        manifest = result.get("manifest")
        self._plugin = manifest if type(manifest) is dict else {}
        version, hosts = result.get("ipcVersion"), self._host.get("hostIPCVersion")
        if self._is_v4 and version is None:
            message.remark("no ipcVersion: this host refuses the plugin", "version")
        elif self._is_v4 and hosts is not None and version != hosts:
            note = f"IPC {brief(version)} where this host speaks {hosts}: refused"
            message.remark(note, "version")
        for note in lacking(result):
            message.remark(note, "lacks-member")
        tools = result.get("tools")
        for tool in tools if type(tools) is list else ():
            if type(tool) is dict and "inputSchema" in tool:
                _open_json(tool, "inputSchema", f"inputSchema of {tool.get('name')}", message)


def _look_into(method: str, params: dict[str, Any], message: Message) -> None:
    """Open what the params of a known method hold one layer deeper."""
    if method == TOOL and "arguments" in params:
        _open_json(params, "arguments", "arguments", message)
    elif method == SNAPSHOT and SWIFT_DATA in message.flags:
        observed_at = params.get("observedAt")
        if type(observed_at) not in (int, float):
            message.remark("observedAt is no number, as Swift's Date is", "date-shape")


def _open_json(owner: dict[str, Any], member: str, called: str, message: Message) -> None:
    if not open_text(owner, member, message):
        message.remark(f"{called}: no JSON object in a string", "bad-inner")


def _failed(result: Any, message: Message) -> Meaning:
    error = message.envelope["error"]
    message.flags.append("error")
    if result is not None:
        message.remark("both result and error: the error wins")
    if type(error) is not str:
        message.remark("the error is no string, as LingXi wants one", "error-shape")
    words = error_words(error)[0] if type(error) is dict else str(error)
    return _meaning("error", words, message)


def _check_empty(method: str | None, message: Message) -> None:
    if "result" not in message.envelope:
        message.remark("neither result nor error", "no-result")
    if method in RESULTS:
        message.remark("an empty result, which this host cannot decode", "empty-result")


def _find_key(heard: Heard, message: Message) -> str | None:
    if "id" not in message.envelope:
        message.remark("no id", "id-type")
        return None
    value = message.envelope["id"]
    if type(value) is not str:
        kind = "a number" if type(value) in (int, float) else "no string"
        message.remark(f"id is {kind}; LingXi wants a string", "id-type")
    return id_text(value, heard.body)


def _meaning(
    kind: str, words: str, message: Message, method: str | None = None, within_ns: int | None = None
) -> Meaning:
    """Return a request, which has a method, or an answer, which has none."""
    key = message.key
    asks, replies = (None, key) if method is None else (key, None)
    return Meaning(
        kind,
        method,
        clipped(words, LONGEST_SUMMARY),
        key,
        asks,
        replies,
        within_ns=within_ns,
        flags=tuple(message.flags),
        note="; ".join(message.notes),
        decoded=as_json(message.envelope) if message.opened else None,
    )


def _noted(meanings: Sequence[Meaning], note: str, flag: str) -> Sequence[Meaning]:
    first, *rest = meanings
    notes = f"{first.note}; {note}" if first.note else note
    return [first._replace(note=notes, flags=(*first.flags, flag)), *rest]


def _recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
    del argv  # plugins are started without arguments, under any name
    for heard in frames:
        value = parsed(heard) if heard.side == "in" else None
        if type(value) is dict and "jsonrpc" not in value and type(value.get("id")) is str:
            method = value.get("method")
            if type(method) is str and method in METHODS:
                return f'the host asks {method}, without "jsonrpc"'
    return None


LINGXI = Dialect(
    name="lingxi",
    purpose="LingXi Plugin IPC, as its page and as its Swift code have it",
    recognise=_recognise,
    begin=lambda _: LingxiReading(),
    volatile=(
        "id",
        "params.observedAt",
        "params.sessionID",
        "params.toolCallID",
        "params.performance",
        "result.manifest.capabilities.{}",  # a Set: Swift encodes it in another order each time
    ),
    echoes=(
        Echo("id", "id", of_question=True),
        Echo("params.sessionID", "result.sessionID", in_base64=True),
        Echo("params.toolCallID", "result.toolCallID", in_base64=True),
    ),
    refusal=lingxi_refusal,
    opening=frozenset({SNAPSHOT, INITIALIZE}),
)
