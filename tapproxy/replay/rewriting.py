"""Replaces values in messages by their spans: every other byte stays as it was."""

import re
from collections.abc import Callable, Sequence

from tapproxy.replay.json_patterns import Path, tree_of
from tapproxy.replay.json_spans import QUOTE, Reached, reached, reached_within
from tapproxy.replay.layers import Edit, applied, find_layer

Change = Callable[[Path, bytes], bytes | None]
"""Given a value's path and its JSON text, returns the text that takes its place; None: it stays."""

_LENGTH = re.compile(rb"(?im)^content-length[ \t]*:[ \t]*([0-9]{1,20})[ \t]*\r*$")


def rewritten(body: bytes, patterns: Sequence[str], change: Change) -> bytes:
    """Return a body with the values at some patterns changed; the body itself where none is.

    A pattern may go on within a string that holds a JSON object or list, as text or as base64; the
    change is given the JSON there without the coat, and returns it so. A value that is replaced is
    not looked into.
    """
    return applied(body, _edits(body, reached(body, tree_of(patterns)), change))


def frame_rewritten(
    frame: bytes, header_size: int, terminator_size: int, patterns: Sequence[str], change: Change
) -> bytes:
    """Return a frame with its body rewritten, sizes in bytes.

    A Content-Length that was right (LSP 3.17 and DAP, "Base Protocol") stays right: its digits
    alone change. One that was wrong stays as it was, and so do two.
    """
    end = len(frame) - terminator_size
    body = frame[header_size:end]
    new = rewritten(body, patterns, change)
    return frame if new is body else frame_with(frame, header_size, terminator_size, new)


def frame_with(frame: bytes, header_size: int, terminator_size: int, new: bytes) -> bytes:
    """Return a frame with another body; of its header at most the digits of the length change."""
    end = len(frame) - terminator_size
    body = frame[header_size:end]
    header = header_rewritten(frame[:header_size], len(body), len(new))
    return b"".join((header, new, frame[end:]))


def values(body: bytes, patterns: Sequence[str]) -> dict[Path, bytes]:
    """Return the JSON texts of a body's values at some patterns; of duplicate members the last."""
    found: dict[Path, bytes] = {}

    def note(path: Path, raw: bytes) -> None:
        found[path] = raw

    _edits(body, reached(body, tree_of(patterns)), note)
    return found


def _edits(body: bytes, places: Sequence[Reached], change: Change) -> list[Edit]:
    edits: list[Edit] = []
    done = 0  # the end of what is decided
    for it in places:
        if it.start < done:
            continue
        raw = body[it.start : it.end]
        new = change(it.path, raw) if it.node.wanted else None
        if new is not None:
            done = it.end
            edits += [Edit(it.start, it.end, new)] if new != raw else []
        elif not it.node.is_leaf and raw[0] == QUOTE:
            edits += _edits_within(it, raw[1:-1], change)
    return edits


def _edits_within(place: Reached, raw: bytes, change: Change) -> list[Edit]:
    """Return the edits of a string that the patterns go on in."""
    layer = find_layer(raw)
    if layer is None:
        return []
    places = reached_within(layer.inner, place)
    begin = place.start + 1
    outer = layer.outward(_edits(layer.inner, places, change))
    return [Edit(begin + it.start, begin + it.end, it.new) for it in outer]


def header_rewritten(header: bytes, old_size: int, new_size: int) -> bytes:
    """Return a frame's header for a body of another size, in bytes, as `frame_rewritten` does."""
    lengths = list(_LENGTH.finditer(header))
    if len(lengths) != 1 or int(lengths[0][1]) != old_size:
        return header
    digits = lengths[0][1]
    width = len(digits) if digits.startswith(b"0") else 0
    return applied(header, [Edit(*lengths[0].span(1), b"%0*d" % (width, new_size))])
