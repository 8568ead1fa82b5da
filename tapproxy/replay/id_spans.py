"""Where a JSON object has its `id`, where that is plain to see: without reading the rest."""

import re

_ID = re.compile(rb'"[ !#-\[\]-~]{0,100}"|0|-?[1-9][0-9]{0,15}')
"""An id that is its own JSON text: a small integer, or a string without escapes."""

_MEMBER = re.compile(rb'"id"[ \t]*:[ \t]*(' + _ID.pattern + rb")(?![0-9.eE])")

Span = tuple[int, int]


def find_id(body: bytes) -> Span | None:
    """Return from where to where the id is, of an object that is known to be JSON.

    None where it is no small integer or plain string, or might be a member of another object: it
    is taken only where all brackets are on one side of it, and its name is not there twice.
    """
    place = _MEMBER.search(body)
    if place is None or body.count(b'"id"') != 1:
        return None
    if not (body.startswith(b"{") and body.endswith(b"}")):
        return None
    start, end = place.span()
    if body.find(b"{", 1, start) < 0 and body.find(b"[", 1, start) < 0:
        return place.span(1)
    if body.find(b"}", end, -1) < 0 and body.find(b"]", end, -1) < 0:
        return place.span(1)
    return None


def is_plain_id(text: bytes) -> bool:
    """Tell whether a JSON text is such an id."""
    return _ID.fullmatch(text) is not None
