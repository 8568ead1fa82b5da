"""What a journal says of the redaction that was asked for when its session began."""

from typing import Any

from tapproxy.errors import TapError
from tapproxy.redaction.in_order import InOrder
from tapproxy.redaction.rules import read_rules
from tapproxy.redaction.sessions import SessionRedactor
from tapproxy.redaction.texts import Texts

ASKED = "redaction"
"""The fact that holds the rules and the salt, in the journal alone."""


def find_redaction(facts: dict[str, Any], framing: str) -> InOrder | None:
    """Take the redaction out of a journal's facts; None where none was asked for.

    Raises TapError where it cannot be read: nothing may be recorded as it is then.
    """
    asked = facts.pop(ASKED, None)
    if asked is None:
        return None
    try:
        rules, salt = read_rules(asked["rules"]), bytes.fromhex(asked["salt"])
    except (TypeError, KeyError, ValueError) as error:
        raise TapError("the journal asks for a redaction that this tap cannot read") from error
    return InOrder(SessionRedactor(rules, framing, Texts(rules, salt)))
