"""The events of xlings that mean the same whatever was said before: log, prompt, error, heartbeat.

Source: interface-ndjson-v1, section 6. Members come in any order, mostly sorted by name.
"""

from typing import Any

from tapproxy.dialects.api import Heard, Meaning
from tapproxy.dialects.brief import brief, clipped
from tapproxy.dialects.ids import id_text

NEEDED = {
    "progress": ("phase", "percent"),
    "log": ("level", "message"),
    "data": ("dataKind", "payload"),
    "prompt": ("id", "question"),
    "error": ("code", "message"),
    "heartbeat": ("ts",),
    "result": ("exitCode",),
}
"""Members without which an event is not recognised as one of xlings."""

SILENCE_NS = 6_000_000_000
"""After 5 s of silence comes a heartbeat, looked for each 0.5 s; the rest is a busy machine's."""

ANSWER_NS = 30_000_000_000
"""Time for the answer to a prompt, after which xlings goes on without one."""

CODES = (
    "E_INVALID_INPUT",
    "E_NOT_FOUND",
    "E_NETWORK",
    "E_DISK_FULL",
    "E_PERMISSION",
    "E_CANCELLED",
    "E_INTERNAL",
)

LONGEST_MESSAGE = 90
LONGEST_HINT = 60
LONGEST_OPTIONS = 40


def is_event(value: Any) -> bool:
    """Tell whether a value is one of xlings' events, and of no other protocol."""
    if not isinstance(value, dict) or "type" in value or "jsonrpc" in value:
        return False
    kind = value.get("kind")
    return isinstance(kind, str) and kind in NEEDED and all(it in value for it in NEEDED[kind])


def text_of(value: Any, longest: int = LONGEST_MESSAGE) -> str:
    """Say a member that should be text: bare where it is, nothing where it is absent."""
    if isinstance(value, str):
        return clipped(value, longest)
    return "" if value is None else brief(value)


def heartbeat(heard: Heard, value: dict[str, Any]) -> Meaning:
    """Return the meaning of a sign of life."""
    del heard
    return Meaning("heartbeat", None, text_of(value.get("ts")), within_ns=SILENCE_NS)


def log(heard: Heard, value: dict[str, Any]) -> Meaning:
    """Return the meaning of a log line; its level stands as the method."""
    del heard
    level = text_of(value.get("level")) or None
    flags = ("error",) if level == "error" else ()
    words = text_of(value.get("message"))
    return Meaning("log", level, words, within_ns=SILENCE_NS, flags=flags)


def prompt(heard: Heard, value: dict[str, Any]) -> Meaning:
    """Return the meaning of a question, which a prompt-reply with its id answers."""
    words = f'"{text_of(value.get("question"))}"'
    options, default = value.get("options"), value.get("defaultValue")
    if isinstance(options, list) and options:
        words += f" [{clipped(', '.join(map(text_of, options)), LONGEST_OPTIONS)}]"
    if default not in (None, ""):
        words += f", default {text_of(default)}"
    if "id" not in value:
        note = "no id: nobody can answer it"
        return Meaning("prompt", None, words, note=note, within_ns=SILENCE_NS)
    key = id_text(value["id"], heard.body)
    note = "" if isinstance(value["id"], str) else "id is no text"
    return Meaning("prompt", None, words, key, asks=key, within_ns=ANSWER_NS, note=note)


def error(heard: Heard, value: dict[str, Any]) -> Meaning:
    """Return the meaning of an error, whose code stands as the method."""
    del heard
    code, hint = value.get("code"), value.get("hint")
    words = text_of(value.get("message"))
    if hint:
        words += f" ({text_of(hint, LONGEST_HINT)})"
    if value.get("recoverable") is True:
        words += ", recoverable"
    note, odd = _oddity(code)
    method = None if code is None else text_of(code)
    return Meaning("error", method, words, within_ns=SILENCE_NS, flags=("error", *odd), note=note)


def _oddity(code: Any) -> tuple[str, tuple[str, ...]]:
    if isinstance(code, str) and code in CODES:
        return "", ()
    if type(code) is int:
        return "the code is a number, as in early versions", ("numeric-code",)
    return "no code of the protocol" if code else "no code", ("unknown-code",)
