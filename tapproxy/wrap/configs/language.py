"""What is known about one language of configuration files."""

from collections.abc import Callable
from dataclasses import dataclass

from tapproxy.wrap.configs.spans import Document


@dataclass(frozen=True, slots=True)
class Language:
    """How a language is read and how it writes a text."""

    title: str
    read: Callable[[str], Document]
    """Raises NotReadable."""
    literal: Callable[[str], str]
    name: Callable[[str], str]
    """Writes the name of a pair, of letters alone."""
