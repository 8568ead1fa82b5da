"""Reads lines as one xlings session: those that begin with `> ` are the host's, others xlings'."""

from collections.abc import Sequence

from tapproxy.dialects.api import Heard, Meaning
from tapproxy.dialects.xlings import XlingsReading

CALL = ("xlings", "interface", "install_packages")
HOST = "> "


def heard(*lines: str) -> list[Heard]:
    """Return lines as frames, each in a read of its own."""
    return [
        Heard("in" if it.startswith(HOST) else "out", it.removeprefix(HOST).encode(), number)
        for number, it in enumerate(lines, 1)
    ]


def talk(*lines: str, argv: Sequence[str] = CALL) -> list[Meaning]:
    """Return what the lines mean, one after another."""
    reading = XlingsReading(argv)
    return [meaning for it in heard(*lines) for meaning in reading.read(it)]


def traits(*lines: str, argv: Sequence[str] = CALL) -> list[str]:
    """Return what is known of the session after the lines."""
    reading = XlingsReading(argv)
    for it in heard(*lines):
        reading.read(it)
    return list(reading.traits())


def data(data_kind: str, payload: str) -> str:
    """Return a data event with a payload, JSON text."""
    return f'{{"dataKind":"{data_kind}","kind":"data","payload":{payload}}}'


def progress(percent: str, phase: str = "extract") -> str:
    """Return a progress event with a percent, JSON text."""
    return f'{{"kind":"progress","message":"m","percent":{percent},"phase":"{phase}"}}'
