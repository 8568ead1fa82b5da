"""What xlings answers to --version and --list: one object without a kind.

Source: interface-ndjson-v1, sections 3.1 and 3.2.
"""

import re
from typing import Any

from tapproxy.dialects.api import Meaning
from tapproxy.dialects.brief import inner
from tapproxy.dialects.xlings_data import listed
from tapproxy.dialects.xlings_events import text_of

_VERSION = re.compile(r"[0-9]+(\.[0-9]+)+")


def is_option_answer(value: Any) -> bool:
    """Tell whether a value can only be the answer to one of the two options."""
    if not isinstance(value, dict) or not value.keys() <= {"protocol_version", "capabilities"}:
        return False
    version, capabilities = value.get("protocol_version"), value.get("capabilities", [])
    return (
        isinstance(version, str)
        and _VERSION.fullmatch(version) is not None
        and isinstance(capabilities, list)
    )


def option_answer(value: dict[str, Any]) -> Meaning:
    """Return the meaning of the answer, which may have further members."""
    capabilities = value.get("capabilities")
    if not isinstance(capabilities, list):
        return Meaning("version", None, f"protocol {text_of(value['protocol_version'])}")
    names = [text_of(inner(it, "name")) or "?" for it in capabilities]
    return Meaning("list", None, listed(names, "capability", "capabilities"))
