"""The settings of a wrapped program, a text file beside its launcher, read before the first byte.

Lines of a key, a space and a value, after a first line that names the format; a key may come again
for a further value. Control characters and % are written as %0A. Hence without imports but os.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FIRST_LINE = b"tap wrap 1"

RECORD, REPLAY, OFF = "record", "replay", "off"

KEYS = ("mode", "name", "recordings", "recording", "only", "keep", "redact")
"""mode: record, replay or off. name: the session's. recordings: the folder. recording: what is
replayed. only: the first argument of the calls that are recorded. keep: bounds of what is kept.
redact: a rule; may come again."""


class Unreadable(ValueError):
    """The file is there, and is no settings file."""


class Settings:
    """What a launcher has to know (a plain class: dataclasses cost the first byte 10 ms)."""

    __slots__ = ("values",)

    def __init__(self, values: Mapping[str, tuple[str, ...]]) -> None:
        """Take the values of each key; keys that a newer tap has written are kept."""
        self.values = {key: tuple(them) for key, them in values.items() if them}

    @property
    def mode(self) -> str:
        """Return record, replay or off."""
        return self.one("mode") or RECORD

    def one(self, key: str) -> str:
        """Return the value of a key that has one, else an empty text."""
        return self.values.get(key, ("",))[-1]

    def all(self, key: str) -> tuple[str, ...]:
        """Return all values of a key."""
        return self.values.get(key, ())

    def but(self, **values: str | tuple[str, ...]) -> Settings:
        """Return settings in which these keys have these values; an empty one takes a key away."""
        given = {
            key: value if isinstance(value, tuple) else (value,) if value else ()
            for key, value in values.items()
        }
        return Settings({**self.values, **given})

    def encoded(self) -> bytes:
        """Return the file's bytes."""
        lines = [f"{key} {it}" for key, them in self.values.items() for it in them]
        return b"".join(_escaped(line) + b"\n" for line in (FIRST_LINE.decode(), *lines))


def decoded(data: bytes) -> Settings:
    """Return the settings that a file's bytes say; raises Unreadable."""
    first, *lines = data.split(b"\n")
    if first != FIRST_LINE or lines[-1:] != [b""]:
        raise Unreadable
    values: dict[str, tuple[str, ...]] = {}
    for line in lines[:-1]:
        key, space, value = line.partition(b" ")
        if not space:
            raise Unreadable
        name = os.fsdecode(key)
        values[name] = (*values.get(name, ()), _unescaped(value))
    if values.get("mode", ("",))[-1] not in (RECORD, REPLAY, OFF):
        raise Unreadable
    return Settings(values)


def read(path: str) -> Settings:
    """Return the settings in a file; raises OSError, Unreadable."""
    with open(path, "rb") as file:
        return decoded(file.read())


def _escaped(text: str) -> bytes:
    return b"".join(
        b"%%%02X" % byte if byte < 0x20 or byte in b"%\x7f" else bytes((byte,))
        for byte in os.fsencode(text)
    )


def _unescaped(data: bytes) -> str:
    first, *parts = data.split(b"%")
    try:
        rest = b"".join(bytes((int(part[:2], 16),)) + part[2:] for part in parts)
    except ValueError as error:
        raise Unreadable from error
    return os.fsdecode(first + rest)
