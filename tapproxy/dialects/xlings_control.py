"""What the lines on xlings' stdin mean, and what xlings makes of them.

Source: interface-ndjson-v1, section 4; how lines are read: `stdin_loop_` in src/interface.cpp.
"""

from typing import Any

from tapproxy.dialects.api import UNKNOWN, Heard, Meaning
from tapproxy.dialects.brief import brief, members
from tapproxy.dialects.ids import id_text
from tapproxy.dialects.json_reading import joined_notes, no_object

ACTIONS = ("cancel", "pause", "resume", "prompt-reply")

IGNORED = "xlings ignores this line"
COALESCED = "in one read with the line before: xlings acts on it only when more input comes"


def control(heard: Heard, value: Any) -> Meaning:
    """Return what a line says, whatever was said before."""
    if not isinstance(value, dict):
        return no_object(value)
    if "action" not in value:
        return Meaning(UNKNOWN, note="no action", flags=("not-dialect",))
    action = value["action"]
    if action == "prompt-reply":
        return _reply(heard, value)
    rest = members({key: it for key, it in value.items() if key != "action"})
    if action in ("cancel", "pause", "resume"):
        return Meaning("control", action, rest)
    method = action if isinstance(action, str) else brief(action)
    note = "no action that xlings knows: it logs a warning and goes on"
    return Meaning("control", method, rest, note=note, flags=("unknown-action",))


def is_control(value: Any) -> bool:
    """Tell whether a line is one of xlings' control lines and nothing else."""
    if not isinstance(value, dict) or value.get("action") not in ACTIONS:
        return False
    return value.keys() == {"action"} or value.keys() == {"action", "id", "value"}


def as_taken(heard: Heard, meaning: Meaning) -> Meaning:
    """Add what xlings makes of a line: nothing at all, or nothing yet."""
    if is_ignored(meaning):
        meaning = meaning._replace(note=joined_notes(meaning.note, IGNORED), replies=None)
    if heard.shares_read:
        note = joined_notes(meaning.note, COALESCED)
        meaning = meaning._replace(note=note, flags=(*meaning.flags, "coalesced"))
    return meaning


def is_ignored(meaning: Meaning) -> bool:
    """Tell whether xlings drops the line: no JSON as it stands, or none with an action.

    A byte order mark it skips.
    """
    recovered = meaning.decoded is not None and "bom" not in meaning.flags
    return meaning.kind == UNKNOWN or recovered


def _reply(heard: Heard, value: dict[str, Any]) -> Meaning:
    """Return the meaning of an answer to a prompt.

    Both members are read as text, and what is none ends the process by SIGABRT.
    """
    key = id_text(value["id"], heard.body) if "id" in value else None
    fatal = [
        f"{name} is {_a(value[name])}: xlings dies of it"
        for name in ("id", "value")
        if name in value and not isinstance(value[name], str)
    ]
    note = "; ".join(fatal or ([] if key else ["no id: it answers no prompt"]))
    flags = ("reply-type",) if fatal else ()
    words = brief(value["value"]) if "value" in value else "no value"
    return Meaning("control", "prompt-reply", words, key, replies=key, note=note, flags=flags)


def _a(value: Any) -> str:
    said = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
    }
    return said.get(type(value), "null")
