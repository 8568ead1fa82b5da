"""JSON as regular expressions that never go back: each byte is looked at a few times at most.

Let pass is what the dialects let pass too: NaN and Infinity, control characters in strings, bytes
that are not UTF-8.
"""

import re

SHALLOW_LEVELS = 3
"""Levels of a value that one expression jumps over: it doubles in size with each."""

SPACES = b" \t\n\r"

_SPACE = rb"[ \t\n\r]*+"
_COLON = rb"%s:%s" % (_SPACE, _SPACE)
_TEXT = rb'[^"\\]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*+)*+'
_NUMBER = rb"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?+[0-9]++)?+"
_SCALAR = rb'"%s"|%s|true|false|null|NaN|-?+Infinity' % (_TEXT, _NUMBER)
_NAME = rb'"(%s)"%s' % (_TEXT, _COLON)


def _value(levels: int) -> bytes:
    """Return the expression of a value with so many levels of objects and lists at most."""
    if levels == 0:
        return _SCALAR
    inner = _value(levels - 1)
    item = rb"(?:%s)%s(?:,%s(?!\])|(?=\]))" % (inner, _SPACE, _SPACE)
    member = rb'"%s"%s(?:%s)%s(?:,%s(?!\})|(?=\}))' % (_TEXT, _COLON, inner, _SPACE, _SPACE)
    return rb"%s|\[%s(?:%s)*+\]|\{%s(?:%s)*+\}" % (_SCALAR, _SPACE, item, _SPACE, member)


match_shallow = re.compile(_value(SHALLOW_LEVELS)).match
"""A scalar, or an object or list of few levels."""

match_flat = re.compile(rb"%s|\[%s\]|\{%s\}" % (_SCALAR, _SPACE, _SPACE)).match
"""A scalar, or an object or list with nothing in it."""

match_opening = re.compile(rb"\{%s%s|\[%s" % (_SPACE, _NAME, _SPACE)).match
"""What stands before the first value of an object or list; group 1: the member's name, raw."""

match_next_member = re.compile(rb"%s(?:,%s%s|\})" % (_SPACE, _SPACE, _NAME)).match
"""What stands between two members, or ends the object; group 1: the next one's name, raw."""

match_next_item = re.compile(rb"%s(?:(,)%s|\])" % (_SPACE, _SPACE)).match
"""What stands between two items, or ends the list; group 1: there is a next one."""

search_bracket = re.compile(rb"[{\[]").search
"""A place at which a JSON text may begin."""
