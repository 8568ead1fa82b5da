"""Hidden names beside a file, as short as file systems want them."""

import os
from hashlib import sha256

LONGEST_NAME = 255
"""Bytes that file systems take."""


def hidden(path: str, ending: str) -> str:
    """Return a path beside `path`, such as `.my-plugin.tap`: the same one for the same path.

    Of a name that would get too long, a hash stands for the rest.
    """
    folder, name = os.path.split(path)
    made = f".{name.removeprefix('.')}.{ending}"
    if len(os.fsencode(made)) > LONGEST_NAME:
        digest = sha256(os.fsencode(name)).hexdigest()[:16]
        made = f".{_beginning(name)}~{digest}.{ending}"
    return os.path.join(folder, made)


def _beginning(name: str, size: int = 128) -> str:
    """Return as many characters of a name as fit into so many bytes."""
    while len(os.fsencode(name)) > size:
        name = name[:-1]
    return name
