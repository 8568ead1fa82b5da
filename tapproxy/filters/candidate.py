"""What a filter is asked about: a frame, with the message in it, if there is one."""

from typing import Protocol

from tapproxy_store.records import Frame


class Message(Protocol):
    """What a filter looks at in a message: columns of the table `messages`."""

    @property
    def kind(self) -> str:
        """The protocol's word: request, response, progress."""
        ...

    @property
    def method(self) -> str | None:
        """What is asked or told, and of an answer, what was asked."""
        ...

    @property
    def id(self) -> str | None:
        """The message's own id, as JSON text."""
        ...

    @property
    def asks(self) -> int:
        """1 where it awaits an answer, else 0."""
        ...

    @property
    def latency_ns(self) -> int | None:
        """Of an answer: how long after its question, nanoseconds."""
        ...

    @property
    def flags(self) -> str | None:
        """Words separated by one space; None without any."""
        ...


class Candidate(Protocol):
    """One frame, or one message of several in a frame. What costs a read is a call."""

    @property
    def frame(self) -> Frame:
        """The frame."""
        ...

    @property
    def message(self) -> Message | None:
        """The message in it; None for bytes that say nothing, and for stderr."""
        ...

    @property
    def gap_ns(self) -> int | None:
        """Time since the frame before it on any stream, nanoseconds; None for the first."""
        ...

    @property
    def answered(self) -> bool:
        """Whether another message answers the message."""
        ...

    def body(self) -> bytes:
        """Return the frame's bytes without header and terminator."""
        ...

    def decoded(self) -> bytes | None:
        """Return the message as JSON with all inner layers opened, where the body differs."""
        ...
