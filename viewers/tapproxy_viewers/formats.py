"""What a recording can be exported to: each format is one function, entered in one list here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tapproxy_store.reading import Recording
from tapproxy_store.tape import tape_lines


@dataclass(frozen=True, slots=True)
class Format:
    """One entry of `tap export --to`."""

    name: str
    purpose: str  # one clause for the help
    pieces: Callable[[Recording], Iterator[bytes]]  # the file, piece by piece


FORMATS: tuple[Format, ...] = (
    Format("tape", "the lossless text form, made for git and for editing", tape_lines),
)


def get_format(name: str) -> Format:
    """Return the format of that name; KeyError where there is none."""
    return {entry.name: entry for entry in FORMATS}[name]
