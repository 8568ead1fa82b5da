"""Every colour and every glyph that the viewers use, so that one file decides how tap looks.

Only the terminal's own sixteen colours, bold and dim: they are readable on dark and on light.
"""

from typing import Final

from tapproxy_store.records import Stream

STYLES: Final[dict[str, str]] = {
    "title": "bold",
    "method": "bold",
    "kind": "",
    "number": "dim",
    "id": "dim",
    "latency": "",
    "slow": "yellow",
    "remark": "dim",
    "key": "cyan",
    "tick": "dim",
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
"""Style by role, as rich writes styles, for a dark background."""

LIGHT: Final[dict[str, str]] = STYLES | {
    "key": "blue",
    "in": "blue",
    "out": "green",
    "err": "magenta",
    "symbol": "red",
    "slow": "bold magenta",
    "note": "bold red",
    "notable": "magenta",
    "event": "blue",
    "live": "bold blue",
}
"""The same for a light background, where yellow and cyan are hard to read."""

THEMES: Final[dict[str, dict[str, str]]] = {
    "dark": STYLES,
    "light": LIGHT,
    "none": dict.fromkeys(STYLES, ""),
}
"""What `--theme` chooses from."""

ARROWS: Final[dict[Stream, str]] = {"in": "──→", "out": "←──", "err": "err"}
"""The lane column: three cells each."""

LANES: Final[dict[Stream, str]] = {
    "in": "host to plugin",
    "out": "plugin to host",
    "err": "plugin's stderr",
}

EVENT_MARKS: Final[dict[str, str]] = {"event": " • ", "notable": " ! ", "bad": " ✗ "}
"""What stands in the lane column of an event, by how much it matters."""

MARKS: Final[dict[str, str]] = {"answer": "↩", "failure": "✗", "note": "!", "plain": " "}
"""What stands before a message."""

BAR: Final = "▇"
BAR_GOES_ON: Final = "▸"
"""The waiting bar beside a slow answer, and its end where it is too long to be drawn."""

TIMES: Final = "\u00d7"
"""The multiplication sign before how often something came."""
DOTS: Final = "┄"
ELLIPSIS: Final = "…"
CODE_MARKS: Final = "\u2039", "\u203a"
"""Single angle quotation marks around the code of what has no picture: an invalid byte FF."""
SEPARATOR: Final = " · "
CHANGE: Final = " → "
"""Between what a value was and what it is."""
