"""A terminal that somebody sits at: keys come one by one, and nobody else ever waits for it."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import anyio

from tapproxy.errors import COULD_NOT_RUN, TapError
from tapproxy.replay.pipes import Inlet
from tapproxy_viewers.lines import Line

OWN = "/dev/tty"
"""The terminal that a process was started from, whatever its stdin is."""

ANOTHER = "name one with --tty FILE (what `tty` says in it; `sleep 1d` keeps its shell quiet)"

USUAL_WIDTH = 80

LEAST_WIDTH = 60
"""Columns; in a terminal that is narrower lines go on below: cut off, they would tell nothing."""

MOST_UNSAID = 1 << 16
"""Bytes that a halted terminal is behind before it is better to tell it less."""


class Terminal:
    """Opened by its path. Raises TapError where there is none, or none that keys come from."""

    def __init__(self, path: str, paint: Callable[[Line], str]) -> None:
        """`paint` makes of a line what the terminal gets."""
        self.path = path
        self._paint = paint
        self._descriptor = _opened(path)
        self._has_signals = _has_signals(self._descriptor, path)
        os.set_blocking(self._descriptor, False)
        self._inlet = Inlet(self._descriptor)
        self._before = _modes(self._descriptor)
        self._is_keyed = False
        self._unsaid = bytearray()
        self._more = anyio.Event()

    @property
    def columns(self) -> int:
        """How wide lines are."""
        try:
            columns = os.get_terminal_size(self._descriptor).columns or USUAL_WIDTH
        except OSError:  # it is gone
            return USUAL_WIDTH
        return max(columns, LEAST_WIDTH)

    @property
    def is_behind(self) -> bool:
        """Whether it has been halted (Ctrl-S) for so long that it should be told less."""
        return len(self._unsaid) > MOST_UNSAID

    @contextmanager
    def keyed(self) -> Iterator[None]:
        """Have keys come singly and unseen; in the end it is as it was, however that comes."""
        self._is_keyed = True
        self._restore()
        try:
            yield
        finally:
            self.release()

    def release(self) -> None:
        """Make it as it was before."""
        self._is_keyed = False
        self._restore()

    @contextmanager
    def lent(self) -> Iterator[int]:
        """Lend it to another program, as it was before; yield a descriptor that blocks."""
        descriptor = _opened(self.path)
        self._set(self._before)
        try:
            yield descriptor
        finally:
            os.close(descriptor)
            self._restore()

    def drawn(self, lines: Iterable[Line]) -> str:
        """Return lines as they are written to it."""
        return "".join(f"{self._paint(line)}\n" for line in lines)

    async def read(self) -> bytes:
        """Return what was typed, waiting for it; nothing where the terminal is gone."""
        return await self._inlet.read()

    def say(self, text: str) -> None:
        """Write; what does not go at once is kept."""
        self._unsaid += text.encode("utf-8", "backslashreplace")
        self._write()
        self._more.set()

    async def speak(self) -> None:
        """Write what is kept as soon as that goes, until cancelled."""
        while True:
            await self._more.wait()
            self._more = anyio.Event()
            while self._unsaid:
                await anyio.wait_writable(self._descriptor)
                self._write()

    def _write(self) -> None:
        try:
            while self._unsaid:
                del self._unsaid[: os.write(self._descriptor, self._unsaid)]
        except BlockingIOError:
            return
        except OSError:  # it is gone: who sat there reads no more
            self._unsaid.clear()

    def _restore(self) -> None:
        """Set the modes that it is to have now."""
        keyed = _singly(self._before, with_signals=self._has_signals)
        self._set(keyed if self._is_keyed else self._before)

    def _set(self, modes: list[Any]) -> None:
        """Set the modes; also from the background, where that would stop us."""
        import termios

        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
        try:
            with suppress(termios.error):  # it is gone
                termios.tcsetattr(self._descriptor, termios.TCSANOW, modes)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTTOU])


def _opened(path: str) -> int:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
    except OSError as error:
        raise _none(f"{path}: {error.strerror}") from error
    except ValueError as error:  # NUL
        raise _none(repr(path)) from error
    if os.isatty(descriptor):
        return descriptor
    os.close(descriptor)
    raise _none(f"{path} is not one")


def _has_signals(descriptor: int, path: str) -> bool:
    """Tell whether its keys send us signals: it is the one that we were started from."""
    try:
        foreground = os.tcgetpgrp(descriptor)
    except OSError:
        return False
    if foreground == os.getpgrp():
        return True
    os.close(descriptor)
    raise _none(f"we are in the background of {path}")


def _none(reason: str) -> TapError:
    return TapError(f"--step: no terminal to ask on: {reason}; {ANOTHER}", COULD_NOT_RUN)


def _modes(descriptor: int) -> list[Any]:
    import termios

    return termios.tcgetattr(descriptor)


def _singly(modes: list[Any], *, with_signals: bool) -> list[Any]:
    """Return the modes in which keys come one by one, without the one that ends us as we are."""
    import termios

    *before, local, in_speed, out_speed, characters = modes
    local &= ~(termios.ECHO | termios.ICANON)
    if not with_signals:
        local &= ~termios.ISIG
    characters = list(characters)
    characters[termios.VMIN], characters[termios.VTIME] = 1, 0
    characters[termios.VQUIT] = b"\0"
    return [*before, local, in_speed, out_speed, characters]
