"""Characters that are not seen: they steer, turn the direction of writing, or take no room.

A text that holds one can be shown as another text than it is, and a terminal obeys some of them.
"""

CONTROLS = "\x00-\x1f\x7f-\x9f"
"""C0, DEL and C1, as a range of a regular expression; so are the others."""

LATE_CONTROLS = "\x7f-\x9f"
"""Those that JSON lets stand in a string."""

SURROGATES = "\ud800-\udfff"
"""Half characters, which UTF-8 does not have."""

FORMATTING = (
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
"""Unicode's Cf, Zl and Zp, and what else is ignorable by default (UCD, DerivedCoreProperties), less
the variation selectors, which emoji are written with, and the two joiners."""

_JOINER = "[\u200c\u200d]"
STRAY_JOINER = f"{_JOINER}(?<![^\x00-\x9f\u200c\u200d{FORMATTING}{SURROGATES}]{_JOINER})"
"""A joiner where there is nothing to join: scripts and emoji have one after a character that is
seen and is none of ASCII. A whole expression, not a range; the joiner comes first in it, so that
next to no place in a text takes the look behind it."""
