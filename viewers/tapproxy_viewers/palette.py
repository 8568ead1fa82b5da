"""Every colour and every glyph that the viewers use, so that one file decides how tap looks.

Only the terminal's own sixteen colours, bold and dim: they are readable on dark and on light.
"""

from typing import Final

from tapproxy_store.records import Stream

STYLES: Final[dict[str, str]] = {
    "title": "bold",
    "text": "",
    "quiet": "dim",
    "symbol": "magenta",
    "time": "dim",
    "since": "",
    "in": "cyan",
    "out": "green",
    "err": "yellow",
    "note": "bold yellow",
    "event": "bright_blue",
    "notable": "yellow",
    "bad": "bold red",
    "good": "green",
    "live": "bold cyan",
}
"""Style by role, as rich writes styles."""

ARROWS: Final[dict[Stream, str]] = {"in": "──→", "out": "←──", "err": "err"}
"""The lane column: three cells each."""

LANES: Final[dict[Stream, str]] = {
    "in": "host to plugin",
    "out": "plugin to host",
    "err": "plugin's stderr",
}

EVENT_MARKS: Final[dict[str, str]] = {"event": " • ", "notable": " ! ", "bad": " ✗ "}
"""What stands in the lane column of an event, by how much it matters."""

DOTS: Final = "┄"
FLAG: Final = "!"
ELLIPSIS: Final = "…"
CODE_MARKS: Final = "\u2039", "\u203a"
"""Single angle quotation marks around the code of what has no picture: an invalid byte FF."""
SEPARATOR: Final = " · "
