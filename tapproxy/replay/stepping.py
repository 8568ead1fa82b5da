"""What is asked before a step is taken, and what a key answers. Does no I/O."""

from collections.abc import Iterator
from typing import Final, Literal

Answer = Literal["take", "skip", "edit", "go on", "end", "help"]

KEYS: Final[dict[int, Answer]] = {
    ord("\r"): "take",
    ord("\n"): "take",
    ord("s"): "skip",
    ord("e"): "edit",
    ord("c"): "go on",
    ord("q"): "end",
    ord("?"): "help",
    ord("\x03"): "end",  # Ctrl-C where it sends no signal
    ord("\x04"): "end",  # Ctrl-D
}

ESCAPE = b"\x1b"

SAID: Final[dict[Answer, str]] = {"take": "yes", "skip": "skipped", "go on": "going on"}
"""What stands behind the question, once it is answered so."""

ENDED_BY_HAND = "by hand"


def answers(typed: bytes) -> Iterator[Answer]:
    """Yield what the keys of one read say; an arrow or a function key says nothing.

    Such a key sends ESC and more, all at once (ECMA-48, 5.4).
    """
    if typed.startswith(ESCAPE):
        return
    for code in typed.lower():
        if code in KEYS:
            yield KEYS[code]


def question(step: int | None, *, is_write: bool) -> str:
    """Return what is asked about a step of that number; None: it is not from the recording."""
    named = "it" if step is None else f"step {step}"
    return f"send {named} [enter s e c q ?]? " if is_write else f"do {named} [enter s c q ?]? "


def keys(editor: str, *, is_write: bool) -> Iterator[str]:
    """Tell what the keys do, line by line."""
    yield "enter  sends it" if is_write else "enter  does it"
    yield "s      leaves it out; what waits for it, or for its answer, goes on"
    if is_write:
        yield f"e      opens its bytes in {editor}, then asks again"
    yield "c      goes on to the end without asking"
    yield "q      ends the replay, at any time"
