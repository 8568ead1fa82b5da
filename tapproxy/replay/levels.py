"""How like a recorded message a live one must be to be taken for it."""

from typing import Literal

Level = Literal["exact", "canonical", "semantic", "method"]

LEVELS: tuple[Level, ...] = ("exact", "canonical", "semantic", "method")
"""From strict to lenient: the same bytes, the same JSON, the same but for volatile values, the same
kind and method."""
