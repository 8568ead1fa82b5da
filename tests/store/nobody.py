"""Runs a function in a child process, as somebody whom permissions hold back."""

import os
import pickle
from collections.abc import Callable
from typing import Any

NOBODY = 65534


def as_nobody(function: Callable[[], Any]) -> Any:
    """Return what the function returns, or raise what it raises, without root's privileges."""
    if os.name == "nt" or os.getuid() != 0:
        return function()
    return in_child(lambda: _without_privileges(function))


def in_child(function: Callable[[], Any]) -> Any:
    """Return what the function returns, or raise what it raises, and leave our process as it is."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _answer(function, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        value = pickle.loads(answer.read())  # noqa: S301 - our own child's
    os.waitpid(child, 0)
    if isinstance(value, Exception):
        raise value
    return value


def _without_privileges(function: Callable[[], Any]) -> Any:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    return function()


def _answer(function: Callable[[], Any], descriptor: int) -> None:
    try:
        value = function()
    except Exception as error:  # noqa: BLE001 - it is raised by the parent
        value = error
    with os.fdopen(descriptor, "wb") as answer:
        pickle.dump(value, answer)
    os._exit(0)
