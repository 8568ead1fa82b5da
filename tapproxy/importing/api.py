"""What a format of the list has, what it reads from, and how it says that it cannot."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tapproxy_store.errors import StoreError
from tapproxy_store.records import Chunk, Event, Session

Record = Session | Chunk | Event

HEAD = 20
"""Lines by which a log is recognised: it may begin with some of another kind."""


class BadImport(StoreError):
    """A file is not what its format allows; names file, line, column, and what belongs there."""


@dataclass(frozen=True, slots=True)
class Source:
    """What is imported: a file, or what comes through a pipe."""

    name: str  # as the user gave it
    modified_ns: int  # last change of the file, nanoseconds since 1970; of a pipe, now
    direction: Literal["in", "out"] | None = None  # where all lines go, if the user says so

    @property
    def session_name(self) -> str:
        """What a session is called that has no name of its own."""
        return os.path.splitext(os.path.basename(self.name))[0].strip("-") or "stdin"

    def wrong(self, line: int, column: int, words: str) -> BadImport:
        """Return the error about this place; both count from 1."""
        return BadImport(f"{self.name}:{line}:{column}: {words}")


@dataclass(frozen=True, slots=True)
class Format:
    """One way in which a conversation may be on file.

    `recognise` gets the first lines of the file, whole, and tells whether they are of this format.
    `read` gets all lines and yields a session, then its chunks and events, numbered in their
    order; it raises a StoreError that names file, line and column.
    """

    name: str
    purpose: str  # a few words for the help page
    recognise: Callable[[Sequence[bytes]], bool]
    read: Callable[[Iterable[bytes], Source], Iterator[Record]]
