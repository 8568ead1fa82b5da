"""What is odd about how a message stands on the wire: its header, its terminator, its size."""

import re
from collections.abc import Callable, Iterator

from tapproxy_store.records import Frame, Message
from tapproxy_viewers import visible, words

LARGE = 1 << 16
"""Bytes above which a message's size is told: it fills a pipe, and some readers stop there."""

_USUAL_HEADER = re.compile(rb"(?:Content-(?:Length|Type): [^\r\n]*\r\n)+\r\n")


def is_plain(frame: Frame) -> bool:
    """Tell whether there is nothing to look for: a line of usual size that ends with LF."""
    return frame.terminator == "LF" and frame.size <= LARGE


def wire_notes(
    frame: Frame, message: Message, payload: Callable[[Frame, int], bytes]
) -> Iterator[str]:
    """Yield what strict peers stumble over; `payload` returns the beginning of a frame's body."""
    if frame.terminator == "CRCRLF":
        yield "ends with CR CR LF"
    if not frame.header_size:
        return
    length = frame.size - frame.header_size
    if frame.header_size != len(f"Content-Length: {length}\r\n\r\n"):
        header = payload(frame._replace(header_size=0), frame.header_size)
        if not _USUAL_HEADER.fullmatch(header):
            yield f"header {visible.decoded(header)}"
    if frame.flaw is None and "unfinished" in (message.flags or "").split():
        yield f"Content-Length says {length}"


def wire_remarks(frame: Frame) -> Iterator[str]:
    """Yield what else is worth telling."""
    if frame.terminator == "CRLF" and frame.flaw is None:
        yield "CRLF"
    if frame.size > LARGE:
        yield words.size(frame.size)
