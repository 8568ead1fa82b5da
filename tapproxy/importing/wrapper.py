"""Finds in an object of a log the message that it wraps, its direction, and its time."""

from typing import Any

from tapproxy.importing.instants import instant
from tapproxy_store.records import Stream

_DIRECTION_KEYS = ("dir", "direction", "from", "side", "source", "stream", "channel", "type")
_PAYLOAD_KEYS = (
    "message", "msg", "payload", "frame", "raw", "line", "data", "body", "text",
)  # fmt: skip
_TIME_KEYS = ("ts", "time", "timestamp", "t", "at")

_WORDS: dict[Stream, str] = {
    "in": "in stdin input client host request send sent sending > c2s client>server host>plugin"
    " clienttoserver hosttoplugin toserver toplugin"
    " sendrequest sendresponse sendnotification",
    "out": "out stdout output server plugin response receive received receiving recv < s2c"
    " server>client plugin>host servertoclient plugintohost toclient tohost"
    " client<server host<plugin receiverequest receiveresponse receivenotification",
    "err": "err stderr",
}
_STREAMS = {word: stream for stream, words in _WORDS.items() for word in words.split()}
_SPELLINGS = str.maketrans({"→": ">", "⇒": ">", "←": "<", "⇐": "<"} | dict.fromkeys("-=_ \t"))


def direction_key(values: dict[str, Any]) -> str | None:
    """Return the key that tells the direction; None where this object wraps no message.

    A message that has a word for a direction itself, as those of DAP have a `type`, is no wrapper:
    for that key there must be a time too.
    """
    if "jsonrpc" in values or payload_key(values) is None:
        return None
    for key in _DIRECTION_KEYS:
        if stream_of(values.get(key)) and (key != "type" or time_of(values) is not None):
            return key
    return None


def payload_key(values: dict[str, Any]) -> str | None:
    """Return the key of the message, an object rather than a text; None where there is none."""
    for kinds in (dict | list, str):
        for key in _PAYLOAD_KEYS:
            if isinstance(values.get(key), kinds):
                return key
    return None


def stream_of(value: object) -> Stream | None:
    """Return where a message goes by the log's word for it; None for any other word.

    Words are those of the client or host: what it sends goes in.
    """
    if not isinstance(value, str):
        return None
    return _STREAMS.get(value.casefold().translate(_SPELLINGS))


def time_of(values: dict[str, Any]) -> int | None:
    """Return the instant, nanoseconds; None where there is none."""
    instants = (instant(values[key]) for key in _TIME_KEYS if key in values)
    return next((it for it in instants if it is not None), None)
