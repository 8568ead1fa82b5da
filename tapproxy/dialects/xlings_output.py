"""The output of a command that xlings runs in a sub-OS: fragments, joined to text again.

Source: interface-ndjson-v1, section 1 (1.6). A fragment may end inside a character; it is base64
where it is not UTF-8 by itself.
"""

import binascii
import codecs
import json
from collections.abc import Iterator
from typing import Any

import orjson

from tapproxy.dialects.api import Meaning
from tapproxy.dialects.brief import brief, counted
from tapproxy.dialects.xlings_events import SILENCE_NS

OUTPUT = "subos_exec_output"
_STREAMS = ("stdout", "stderr")


class OutputJoiner:
    """Decodes each of the command's streams over the borders of its fragments."""

    def __init__(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")
        self._decoders = {name: decoder("replace") for name in _STREAMS}

    def add(self, event: dict[str, Any]) -> Meaning:
        """Return the meaning of the fragment in a data event whose payload is an object.

        `decoded` has the characters that are whole with a fragment in base64, instead of it.
        """
        payload = event["payload"]
        stream, data, encoding = payload.get("stream"), payload.get("data"), payload.get("encoding")
        if stream not in _STREAMS:
            return _meaning(brief(data), note="stream is neither stdout nor stderr")
        if not isinstance(data, str):
            return _meaning(f"{stream} {brief(data)}", note="data is no text")
        if encoding is None:
            text = self._decoders[stream].decode(data.encode())
            return _meaning(self._words(stream, text))
        if encoding == "base64":
            return self._base64(event, stream, data)
        note = f"encoding {brief(encoding)} is not base64"
        return _meaning(f"{stream} {brief(data)}", note=note)

    def cut_off(self) -> Iterator[str]:
        """Say so of each stream that has not ended with a whole character."""
        for stream in _STREAMS:
            if pending := self._pending(stream):
                yield f"{stream} ended inside a character ({counted(pending, 'byte')})"

    def _base64(self, event: dict[str, Any], stream: str, data: str) -> Meaning:
        try:
            raw = binascii.a2b_base64(data, strict_mode=True)
        except ValueError as error:
            note = f"data is not base64: {error}"
            words = f"{stream} {brief(data)}"
            return _meaning(words, note=note, flags=("bad-base64",))
        text = self._decoders[stream].decode(raw)
        decoded = _dumped({**event, "payload": {**event["payload"], "data": text}})
        words = self._words(stream, text)
        return _meaning(words, flags=("base64",), decoded=decoded)

    def _words(self, stream: str, text: str) -> str:
        pending = self._pending(stream)
        more = f" + {counted(pending, 'byte')} of a character" if pending else ""
        return f"{stream} {brief(text)}{more}"

    def _pending(self, stream: str) -> int:
        return len(self._decoders[stream].getstate()[0])


def _meaning(
    words: str, *, note: str = "", flags: tuple[str, ...] = (), decoded: bytes | None = None
) -> Meaning:
    return Meaning(
        "data", OUTPUT, words, within_ns=SILENCE_NS, flags=flags, note=note, decoded=decoded
    )


def _dumped(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # an integer beyond 64 bits
        return json.dumps(value).encode()
