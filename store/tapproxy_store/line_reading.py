"""Reads a file line by line, and takes no memory for a line that is too long to be one."""

from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from tapproxy_store.errors import BadTape

LONGEST_LINE = 1 << 26
"""Bytes. A read is never larger than 1 MiB, which takes up to six times as much as text."""


def lines_of(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the lines with their ends; raises BadTape with the number of one that is too long."""
    for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), b""), 1):
        if len(line) > LONGEST_LINE:
            raise BadTape(
                f"{name}:{number}:1: this line is longer than {LONGEST_LINE >> 20} MiB, which is "
                "more than any that tap writes"
            )
        yield line
