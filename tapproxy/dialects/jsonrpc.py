"""JSON-RPC 2.0, and what MCP, ACP and LSP have in common with it.

Source: JSON-RPC 2.0 Specification, sections 4 (request, notification), 5 (response), 6 (batch).
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import orjson

from tapproxy.dialects.api import UNKNOWN, Dialect, Echo, Heard, Meaning, Side
from tapproxy.dialects.brief import brief, clipped, members
from tapproxy.dialects.envelopes import envelopes
from tapproxy.dialects.ids import id_text, written
from tapproxy.dialects.json_reading import JsonReading, joined_notes, no_object
from tapproxy.dialects.open_questions import OpenQuestions
from tapproxy.dialects.refusals import jsonrpc_refusal

ENVELOPE = ("jsonrpc", "id", "method", "params", "result", "error")

LONGEST_ERROR = 160
"""Characters of an error: its message is often all that is to be learnt."""

Oddity = tuple[str, str]  # flag, reason

OTHER: dict[Side, Side] = {"in": "out", "out": "in"}


class JsonRpcReading(JsonReading):
    """A dialect says what its params and results mean by overriding the `…_words` methods."""

    def __init__(self) -> None:
        super().__init__()
        self._methods: OpenQuestions[str] = OpenQuestions()

    def request_words(self, method: str, params: Any) -> str:
        """Say the essential values of a request or a notification."""
        del method
        return words_of(params)

    def result_words(self, method: str | None, result: Any) -> str:
        """Say the essential values of a result; `method` is what was asked, None if unknown."""
        del method
        return words_of(result)

    def oddities(self, value: dict[str, Any], replies: str | None) -> Sequence[Oddity]:
        """Return what strict peers refuse in an answer; `replies` is the key that it answers."""
        return list(_oddities(value, value.get("error"), replies))

    def finished(self, heard: Heard, value: dict[str, Any], meaning: Meaning) -> Meaning:
        """Add what the dialect knows more: keys that progress is about, flags, a run, a note."""
        del heard, value
        return meaning

    def understand(self, heard: Heard, value: Any) -> Meaning | list[Meaning]:
        """Return what a message, or each of a batch, means."""
        if isinstance(value, dict):
            return self._one(heard, value)
        if isinstance(value, list) and value:
            return [self._batched(heard, it) for it in value]
        return no_object(value)

    def _batched(self, heard: Heard, value: Any) -> Meaning:
        meaning = self._one(heard, value) if isinstance(value, dict) else no_object(value)
        return meaning._replace(
            flags=(*meaning.flags, "batch"), decoded=meaning.decoded or written(value)
        )

    def _one(self, heard: Heard, value: dict[str, Any]) -> Meaning:
        method = value.get("method")
        if isinstance(method, str):
            meaning = self._question(heard, value, method)
        elif "result" in value or "error" in value or "id" in value:
            meaning = self._answer(heard, value)
        else:
            reason = "neither method, result nor error"
            return Meaning(UNKNOWN, note=reason, flags=("not-dialect",))
        body = heard.body
        if body.count(b'"method"') > 1 or body.count(b'"id"') > 1:
            meaning = _noted(meaning, *_doubled(body))
        return self.finished(heard, value, meaning)

    def _question(self, heard: Heard, value: dict[str, Any], method: str) -> Meaning:
        words = self.request_words(method, value.get("params"))
        if "id" not in value:
            return Meaning("notification", method, words)
        key = id_text(value["id"], heard.body)
        self._methods.ask(heard.side, key, method)
        return Meaning("request", method, words, key, key)

    def _answer(self, heard: Heard, value: dict[str, Any]) -> Meaning:
        key = replies = id_text(value["id"], heard.body) if "id" in value else None
        method = None if key is None else self._methods.take(OTHER[heard.side], key)
        if key == "null" and method is None:
            replies = None
        error = value.get("error")
        if error is None:
            words = self.result_words(method, value.get("result"))
            meaning = Meaning("response", None, words, key, None, replies)
            if key is not None and "result" in value:
                return meaning
        else:
            words = error_words(error)
            meaning = Meaning("error", None, words, key, None, replies, flags=("error",))
        return _noted(meaning, *self.oddities(value, replies))


def words_of(value: Any) -> str:
    """Say params or a result: an object's members, anything else as it is; nothing for none."""
    if isinstance(value, dict):
        return members(value)
    return "" if value is None else brief(value)


def error_words(error: Any) -> str:
    """Say an error: its code and message, and what data it has."""
    if not isinstance(error, dict):
        return brief(error)
    said = " ".join(str(error[it]) for it in ("code", "message") if error.get(it) is not None)
    data = error.get("data")
    return clipped(said if data is None else f"{said} ({brief(data)})", LONGEST_ERROR)


def _oddities(value: dict[str, Any], error: Any, replies: str | None) -> Iterator[Oddity]:
    """Yield what strict peers refuse in an answer: flag and reason."""
    if "id" not in value:
        yield "no-id", "no id"
    elif replies is None and error is not None:
        yield "null-id", "answers what could not be read"
    if error is None:
        if "result" not in value:
            yield "no-result", "neither result nor error"
        return
    if "result" in value:
        yield "result-and-error", "both result and error"
    if not isinstance(error, dict):
        yield "error-shape", "error is no object with code and message"
    elif not isinstance(error.get("code"), int) or not isinstance(error.get("message"), str):
        yield "error-shape", "error without code and message"


def _noted(meaning: Meaning, *oddities: Oddity) -> Meaning:
    flags = (flag for flag, _ in oddities)
    note = joined_notes(meaning.note, *(reason for _, reason in oddities))
    return meaning._replace(flags=(*meaning.flags, *flags), note=note)


def _doubled(body: bytes) -> Iterator[Oddity]:
    """Yield the members of the envelope that are there twice: readers differ in which they take.

    A batch is not looked at: its bytes do not tell which message a member is of.
    """
    names: list[str] = []

    def remember(pairs: list[tuple[str, Any]]) -> None:
        names[:] = [name for name, _ in pairs]  # the outermost object is finished last

    if body.lstrip().startswith(b"{"):
        with suppress(RecursionError):
            json.loads(body, object_pairs_hook=remember)
    for name in ENVELOPE:
        if names.count(name) > 1:
            yield "duplicate-member", f'"{name}" is there twice; most readers take the last'


def parsed(heard: Heard) -> Any:
    """Return the JSON value of a frame, None where it is not JSON: for recognising dialects."""
    try:
        return orjson.loads(heard.body)
    except ValueError:
        return None


def _recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
    del argv
    if envelopes(frames):
        return 'messages say "jsonrpc": "2.0"'
    return None


JSONRPC = Dialect(
    name="jsonrpc",
    purpose="JSON-RPC 2.0 of any kind",
    recognise=_recognise,
    begin=lambda _: JsonRpcReading(),
    volatile=("id",),
    last_resort=True,
    echoes=(Echo("id", "id", of_question=True),),
    refusal=jsonrpc_refusal,
    forgets_exchanges=True,
)
