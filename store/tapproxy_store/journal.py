"""The journal (`*.tap.wire`): the format of what the wire process writes before it forwards.

A file header, then records, each one `writev`: mark, kind, stream, length, time, offset, bytes.
This module is on the way to the first byte: it imports next to nothing.
"""

from struct import Struct

SUFFIX = ".wire"
MAGIC = b"TAPWIRE\x01"

HEADER = Struct("<8sQQQQQQ8x")
"""Magic, monotonic and wall nanoseconds at the start, bytes of in, out and err that were forwarded
but could not be recorded, wall nanoseconds at the orderly end. The last four begin as 0 and are
written over in place: that works on a full disk."""

UNRECORDED = Struct("<QQQ")
UNRECORDED_AT = 24
"""The three counters of unrecorded bytes, and where they stand in the file."""

ENDED = Struct("<Q")
ENDED_AT = 48
"""The orderly end, likewise."""

RECORD = Struct("<2sBBIQQ")
"""Mark, kind, stream, length of the bytes, monotonic nanoseconds, offset in the stream."""
MARK = b"\xa7\x01"

CHUNK, FACTS, EVENT, END, VOID = range(5)
"""Kinds: bytes of a stream; the session's facts, an event, the orderly end (all three JSON); and
what a failed write left behind, made void by writing over its kind and length. No other record is
ever written over: a reader could meet half of the old and half of the new one."""

STREAM_NAMES = ("in", "out", "err")
"""A record's stream is the index in this; `NO_STREAM` for what is not bytes."""
NO_STREAM = 255
