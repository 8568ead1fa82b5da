"""What a dialect is: the bytes of a frame in, what they mean out. Nothing here does I/O."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, runtime_checkable

Side = Literal["in", "out"]
"""Whose words: `in` is host to plugin, `out` is plugin to host."""

UNKNOWN = "unknown"
"""The kind of a message that was not understood; its `note` says why."""


class Heard(NamedTuple):
    """One frame as a dialect gets it."""

    side: Side
    body: bytes  # without header and terminator
    number: int = 0  # of the frame in its session, from 1
    t_ns: int = 0  # arrival of its last byte since the session's start, nanoseconds
    shares_read: bool = False  # began in the read in which the frame before it on this side ended


class Meaning(NamedTuple):
    """What one frame says; a frame may hold several (a JSON-RPC batch).

    A key is any text by which an answer finds its question. Keys are paired per direction: what
    one side asks is answered by the other, and both may count from 0. For ids, take the JSON text
    (`1` is not `"1"`), as `id` does.
    """

    kind: str  # the protocol's word: request, response, error, notification, progress, heartbeat …
    method: str | None = None  # what is asked or told: tools/call, install_plan; answers: leave out
    summary: str = ""  # the essential values in a few words, on one line, without kind and method
    id: str | None = None  # the message's own id, as JSON text exactly as on the wire
    asks: str | None = None  # the key under which it awaits an answer from the other side
    replies: str | None = None  # the key of the other side's question that it answers
    about: tuple[Side, str] | None = None  # a question it concerns: (who asked, key); progress …
    cancels: bool = False  # whether it withdraws the question that it is about
    within_ns: int | None = None  # a question: its answer is due within this, nanoseconds; of
    # anything else: the next frame of the same side is
    run: str | None = None  # a viewer may fold consecutive messages of one run into one line
    flags: tuple[str, ...] = ()  # words to filter by: error, not-json, swift-data …
    note: str = ""  # what is wrong or odd about it, in words
    decoded: bytes | None = None  # JSON with all inner layers opened, where the body differs


class Reading(Protocol):
    """Reads the frames of one session in their order; may remember what it needs."""

    def read(self, heard: Heard) -> Sequence[Meaning]:
        """Return what the frame says; nothing where it says nothing (then it is shown as bytes)."""
        ...

    def traits(self) -> Sequence[str]:
        """Return what has been learnt of the session, in a few words each: `host 1.2.0`."""
        ...


@runtime_checkable
class Skimming(Protocol):
    """A reading that makes something even of a frame that is too large to be read (4 MiB)."""

    def skim(self, heard: Heard, end: bytes) -> Sequence[Meaning]:
        """Return what the frame says, by its beginning, which is `heard.body`, and its end."""
        ...


class Echo(NamedTuple):
    """A value that one side chooses and the other says again; a replay puts the live one there."""

    chosen: str  # path to it in a message of the one side
    echoed: str  # path to it in a message of the other
    of_question: bool = False  # chosen in a question, and said again in its answer alone
    in_base64: bool = False  # chosen in JSON that a string holds as base64


@dataclass(frozen=True, slots=True)
class Dialect:
    """One protocol. `recognise` and `begin` get the plugin's argv, [] where it is not known."""

    name: str
    purpose: str  # one clause for help pages
    recognise: Callable[[Sequence[str], Sequence[Heard]], str | None]
    # argv and the first frames (grows from none) -> the reason to take it for this one, or None
    begin: Callable[[Sequence[str]], Reading]
    volatile: tuple[str, ...] = ()
    # paths into the decoded message whose values differ from run to run; `*` is any one step, and
    # `{}` in the end has the items of a list in any order
    last_resort: bool = False  # asked only when no other dialect knows the first frames
    echoes: tuple[Echo, ...] = ()  # values that come back: ids, tokens
    refusal: Callable[[bytes, str], bytes | None] | None = None
    # a question's body and a reason -> the body of an error answer, None where there can be none
    orders: frozenset[str] = frozenset()
    # kinds of messages that await no answer, and yet get the refusal where they are not recorded
    forgets_exchanges: bool = False
    # whether a regular question and its answer, once both have been, change nothing in the kinds,
    # methods, ids and pairing of what comes after: a replay need not read them
    opening: frozenset[str] = frozenset()
    # methods that open a session: what a plugin has to be asked, or the host told, before the rest
