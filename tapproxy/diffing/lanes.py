"""The messages of a session as keys, side by side: what can be aligned without their bytes.

Some 60 bytes for each message that is no answer; an answer stands beside its question.
"""

from array import array
from hashlib import blake2b
from typing import NamedTuple

from tapproxy.diffing.runs import Keys
from tapproxy_store.records import STREAMS, Stream

OTHER: dict[Stream, Stream] = {"in": "out", "out": "in"}

ALL_BITS = (1 << 64) - 1
_MIXER = 0x9E3779B97F4A7C15
"""An odd number without a pattern, so that a question and its answer do not cancel out."""


class Place(NamedTuple):
    """Where a message is in its session."""

    frame: int  # number, from 1; 0: nowhere
    part: int


class Said(NamedTuple):
    """A message as it is aligned."""

    place: Place
    key: int  # of what it says, less what is volatile: 64 bits, not 0
    label: int  # of its kind and method: 64 bits
    asks: bool = False
    answers: Place | None = None


class Lane:
    """What one side says, answers apart: sequences of equal length."""

    def __init__(self) -> None:
        self.keys: Keys = array("Q")
        self.labels: Keys = array("Q")
        self.frames: Keys = array("q")  # signed: damage makes them negative
        self.parts: Keys = array("q")
        self.answer_keys: Keys = array("Q")  # 0: there is no answer
        self.answer_frames: Keys = array("q")
        self.answer_parts: Keys = array("q")

    def add(self, said: Said) -> int:
        """Append a message that answers nothing; return its index."""
        self.keys.append(said.key)
        self.labels.append(said.label)
        self.frames.append(said.place.frame)
        self.parts.append(said.place.part)
        for answer in (self.answer_keys, self.answer_frames, self.answer_parts):
            answer.append(0)
        return len(self.keys) - 1

    def answer(self, index: int, said: Said) -> None:
        """Put an answer beside its question."""
        self.answer_keys[index] = said.key
        self.answer_frames[index] = said.place.frame
        self.answer_parts[index] = said.place.part

    def place(self, index: int) -> Place:
        """Return where a message is."""
        return Place(self.frames[index], self.parts[index])

    def answer_place(self, index: int) -> Place:
        """Return where its answer is."""
        return Place(self.answer_frames[index], self.answer_parts[index])

    def exchange_keys(self) -> Keys:
        """Return keys of each message together with its answer."""
        pairs = zip(self.keys, self.answer_keys, strict=True)
        return array("Q", [(key * _MIXER + answer) & ALL_BITS for key, answer in pairs])


class Lanes:
    """All lanes of one session, filled in the order of its messages."""

    def __init__(self) -> None:
        self._lanes = {stream: Lane() for stream in STREAMS}
        self._open: dict[Place, tuple[Stream, int]] = {}  # questions without an answer so far

    def __getitem__(self, stream: Stream) -> Lane:
        return self._lanes[stream]

    def add(self, stream: Stream, said: Said) -> None:
        """Take the next message of a stream."""
        question = None if said.answers is None else self._open.pop(said.answers, None)
        if question is not None:
            asker, index = question
            self._lanes[asker].answer(index, said)
            return
        index = self._lanes[stream].add(said)
        if said.asks:
            self._open[said.place] = stream, index


def key_of(*pieces: bytes) -> int:
    """Return 64 bits that stand for the pieces; the same in every run, and never 0."""
    digest = blake2b(b"\0".join(pieces), digest_size=8).digest()
    return int.from_bytes(digest) or 1
