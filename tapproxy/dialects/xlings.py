"""xlings interface, protocol 1.0 to 1.7: events as JSON lines, control lines the other way.

Source: interface-ndjson-v1, and src/interface.cpp where the wire differs from it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import orjson

from tapproxy.dialects.api import Dialect, Echo, Heard, Meaning
from tapproxy.dialects.brief import brief
from tapproxy.dialects.json_reading import JsonReading, no_object, not_of
from tapproxy.dialects.json_recovery import Recovery
from tapproxy.dialects.refusals import xlings_refusal
from tapproxy.dialects.xlings_call import find_call
from tapproxy.dialects.xlings_control import as_taken, control, is_control, is_ignored
from tapproxy.dialects.xlings_course import Course
from tapproxy.dialects.xlings_data import data, has_failures
from tapproxy.dialects.xlings_events import (
    SILENCE_NS,
    error,
    heartbeat,
    is_event,
    log,
    prompt,
    text_of,
)
from tapproxy.dialects.xlings_options import is_option_answer, option_answer
from tapproxy.dialects.xlings_output import OUTPUT, OutputJoiner
from tapproxy.dialects.xlings_progress import PercentScale, progress
from tapproxy.dialects.xlings_versions import Versions


class XlingsReading(JsonReading):
    """Reads one session: one call of a capability, of `--version` or of `--list`."""

    def __init__(self, argv: Sequence[str]) -> None:
        super().__init__()
        self._call = find_call(argv)
        self._scale = PercentScale()
        self._output = OutputJoiner()
        self._versions = Versions()
        self._course = Course()
        self._events: dict[str, Callable[[Heard, dict[str, Any]], Meaning]] = {
            "progress": self._progress,
            "data": self._data,
            "log": log,
            "heartbeat": heartbeat,
            "prompt": prompt,
            "error": self._error,
            "result": self._result,
        }

    def read(self, heard: Heard) -> Sequence[Meaning]:
        """Return what the frame says, and what xlings makes of a line on its stdin."""
        ended = self._course.ended
        meanings = super().read(heard)
        if heard.side == "in":
            return [self._taken(heard, it) for it in meanings]
        if ended:
            return [self._course.late(it) for it in meanings]
        return meanings

    def understand(self, heard: Heard, value: Any) -> Meaning:
        """Return what a JSON value means on that side."""
        if heard.side == "in":
            return control(heard, value)
        if not isinstance(value, dict):
            return no_object(value)
        kind = value.get("kind")
        event = self._events.get(kind) if isinstance(kind, str) else None
        return self._no_event(value) if event is None else event(heard, value)

    def traits(self) -> Sequence[str]:
        """Return the capability, its arguments, and what is known of the protocol's version."""
        called = [] if self._call is None else self._call.words()
        return [*called, *self._versions.words()]

    def _taken(self, heard: Heard, meaning: Meaning) -> Meaning:
        if not is_ignored(meaning):
            meaning = self._course.control(heard.number, meaning)
        return as_taken(heard, meaning)

    def _progress(self, heard: Heard, value: dict[str, Any]) -> Meaning:
        del heard
        meaning = progress(value, self._scale)
        self._versions.phase(meaning.method)
        return meaning

    def _data(self, heard: Heard, value: dict[str, Any]) -> Meaning:
        del heard
        data_kind, payload = value.get("dataKind"), value.get("payload")
        if not isinstance(data_kind, str) or not isinstance(payload, dict):
            return data(value)
        self._versions.data(data_kind, payload)
        if data_kind == OUTPUT:
            return self._output.add(value)
        if data_kind == "install_summary" and has_failures(payload):
            self._course.has_failures = True
        return data(value)

    def _error(self, heard: Heard, value: dict[str, Any]) -> Meaning:
        return self._course.error(value, error(heard, value))

    def _result(self, heard: Heard, value: dict[str, Any]) -> Meaning:
        return self._course.result(heard.number, value, self._output.cut_off())

    def _no_event(self, value: dict[str, Any]) -> Meaning:
        mode = None if self._call is None else self._call.mode
        is_asked = mode in ("version", "list") and "kind" not in value
        if (is_asked and "protocol_version" in value) or (mode is None and is_option_answer(value)):
            self._versions.told = text_of(value["protocol_version"])
            return option_answer(value)
        odd = f"kind {brief(value['kind'])} is none of the seven" if "kind" in value else "no kind"
        return not_of("xlings", odd)._replace(within_ns=SILENCE_NS)


def _recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
    call = find_call(argv)
    if call is not None:
        return call.reason()
    for heard in frames:
        for value in _values(heard.body):
            if heard.side == "in" and is_control(value):
                return f"a control line with action {value['action']}"
            if heard.side == "out" and is_event(value):
                return f"an event of kind {value['kind']}"
            if heard.side == "out" and is_option_answer(value):
                return "an answer with protocol_version"
    return None


def _values(body: bytes) -> Iterator[Any]:
    """Yield the JSON values of a frame, also those that a stray progress bar is glued to."""
    try:
        yield orjson.loads(body)
    except ValueError:
        yield from (it.value for it in Recovery().find(body, 0) if it.text is not None)


XLINGS = Dialect(
    name="xlings",
    purpose="xlings interface, what programs call the package manager by",
    recognise=_recognise,
    begin=XlingsReading,
    volatile=("ts", "payload.elapsedSec", "payload.files.*.downloadedBytes"),
    echoes=(Echo("id", "id", of_question=True),),
    refusal=xlings_refusal,
    orders=frozenset({"control"}),
)
