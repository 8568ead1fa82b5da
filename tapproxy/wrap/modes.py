"""What a wrapped target does: it is recorded, played from a recording, or left alone."""

from dataclasses import dataclass
from typing import Literal

Word = Literal["record", "replay", "off"]


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode, with the recording that is replayed."""

    word: Word = "record"
    recording: str = ""  # absolute path

    def __str__(self) -> str:
        return f"{self.word} {self.recording}".rstrip()
