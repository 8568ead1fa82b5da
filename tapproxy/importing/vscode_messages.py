"""Puts together the message that an entry of a language client's trace tells of."""

import json
import re
from typing import NamedTuple

from tapproxy.importing.api import Source
from tapproxy.importing.entries import entry_of, in_bytes, unreadable
from tapproxy.importing.instants import instant
from tapproxy.importing.vscode_entries import TraceEntry
from tapproxy.importing.wrapper import stream_of
from tapproxy_store.records import Stream

_TOLD = re.compile(
    r"(?P<verb>Sending|Received) (?P<kind>request|notification|response) "
    r"(?:'(?P<method>[^'\n]*?)(?: - \((?P<id>[^)'\n]*)\))?'\.?"
    r"|(?P<stray>\S+) without active response promise\.)"
    r"(?: (?:in|Processing request took) (?P<latency>\d+)ms\.?)?"
    r"(?: Request failed: (?P<failure>.*?) \((?P<code>-?\d+)\)\.)?[ \t\r]*(?:\n|\Z)",
    re.DOTALL,
)
_NOTHING = re.compile(r"\s*No (?:parameters provided|result returned)\.")
_VALUE = re.compile(r"\s*(?P<label>Params|Result|Error data): ")
_LAYOUT = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')
_DECODER = json.JSONDecoder()

_UNTOLD = '{"code":0,"message":"the trace does not tell this error"'


class Message(NamedTuple):
    """A message of the protocol, as far as the trace tells it."""

    stream: Stream
    kind: str  # request, notification, response
    method: str
    id: str  # as the trace has it; empty for a notification
    body: bytes  # JSON on one line, with its line feed
    latency_ms: int | None  # of a response
    at_ns: int | None  # where the message itself says when
    rest: str  # what follows the message in its entry


def message_of(entry: TraceEntry, source: Source) -> Message | None:
    """Return the message, None where the entry is of another kind; raises BadImport."""
    if not entry.has_prefix:
        return None
    if entry.text.startswith('{"isLSPMessage":', entry.start):
        return _whole(entry, source)
    told = _TOLD.match(entry.text, entry.start)
    if told is None:
        return None
    label, value, end = _value(entry, told.end(), source)
    return Message(
        stream="in" if told["verb"] == "Sending" else "out",
        kind=told["kind"],
        method=told["method"] or "",
        id=told["id"] or told["stray"] or "",
        body=in_bytes(_body(told, label, value)) + b"\n",
        latency_ms=int(told["latency"]) if told["latency"] else None,
        at_ns=None,
        rest=entry.text[end:],
    )


def _whole(entry: TraceEntry, source: Source) -> Message:
    """Return the message of an entry in JSON (`"trace.server": {"format": "json"}`)."""
    line, _, rest = entry.text.partition("\n")
    told = entry_of(line[entry.start :].rjust(len(line)), source, entry.number)
    stream, message = stream_of(told.values.get("type")), told.values.get("message")
    if stream is None:
        told.refuse("type", 'what happened, such as "send-request"')
    if not isinstance(message, dict):
        told.refuse("message", "the message, an object")
    return Message(
        stream=stream,
        kind=str(told.values["type"]).rpartition("-")[2],
        method=str(message.get("method", "")),
        id=str(message.get("id", "")),
        body=told.message("message"),
        latency_ms=None,
        at_ns=instant(told.values.get("timestamp")),
        rest=rest,
    )


def _value(entry: TraceEntry, begin: int, source: Source) -> tuple[str, str, int]:
    """Return what the entry calls its value, the value on one line, and the index past it."""
    match = _VALUE.match(entry.text, begin)
    if match is None:
        nothing = _NOTHING.match(entry.text, begin)
        return "", "", nothing.end() if nothing else begin
    end = _end_of_json(entry, match.end(), source)
    return match["label"], _LAYOUT.sub(r"\1", entry.text[match.end() : end]), end


def _end_of_json(entry: TraceEntry, begin: int, source: Source) -> int:
    try:
        return _DECODER.raw_decode(entry.text, begin)[1]
    except json.JSONDecodeError as error:
        words = f"this is not JSON: {error.msg}; expected the values of the message"
        raise source.wrong(entry.number + error.lineno - 1, error.colno, words) from error
    except (RecursionError, ValueError) as error:
        words = f"this JSON cannot be read: {unreadable(error)}"
        raise source.wrong(entry.number, 1, words) from error


def _body(told: re.Match[str], label: str, value: str) -> str:
    members = ['"jsonrpc":"2.0"']
    if told["kind"] != "notification":
        members.append(f'"id":{_id(told["id"] or told["stray"] or "")}')
    if told["kind"] != "response":
        members.append(f'"method":{_text(told["method"] or "")}')
        members += [f'"params":{value}'] if value else []
    elif told["failure"] is not None or label == "Error data":
        members.append(f'"error":{_error(told, value)}')
    else:
        members.append(f'"result":{value or "null"}')
    return "{" + ",".join(members) + "}"


def _error(told: re.Match[str], data: str) -> str:
    error = _UNTOLD
    if told["failure"] is not None:
        error = f'{{"code":{told["code"]},"message":{_text(told["failure"])}'
    return error + (f',"data":{data}}}' if data else "}")


def _id(word: str) -> str:
    """Return the id as JSON: a trace does not tell a number from a text of digits."""
    return word if re.fullmatch(r"0|-?[1-9]\d*", word) else _text(word)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
