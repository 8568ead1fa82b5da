"""How streams are cut into frames: by lines, by Content-Length headers, by reads, or recognised."""

from collections.abc import Callable

from tapproxy.framing.api import Cut, Framer
from tapproxy.framing.content_length import ContentLengthFramer
from tapproxy.framing.detect import AutoFramer
from tapproxy.framing.lines import LinesFramer
from tapproxy.framing.raw import RawFramer

__all__ = ["FRAMINGS", "Cut", "Framer", "make_framer"]

_MAKERS: dict[str, Callable[[], Framer]] = {
    "auto": AutoFramer,
    "lines": LinesFramer,
    "content-length": ContentLengthFramer,
    "raw": RawFramer,
}

FRAMINGS = tuple(_MAKERS)
"""What `--framing` takes."""


def make_framer(name: str) -> Framer:
    """Return a new framer for one direction of one session; ValueError for an unknown name."""
    if name not in _MAKERS:
        raise ValueError(f"unknown framing {name!r}: choose one of {', '.join(FRAMINGS)}")
    return _MAKERS[name]()
