"""The `tap` command: the short way to the first byte, all other commands, and every error message.

`tap run` is on the way to a plugin's first byte: its command line is read here without click,
from the same table of options from which click makes its help and its error messages.
"""

from __future__ import annotations

import gc
import os
import sys

from tapproxy.errors import COULD_NOT_RUN, TapError
from tapproxy.own_path import prefer_own_modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and exit."""
    sys.excepthook = _unexpected
    prefer_own_modules()
    gc.disable()  # until the session or the command runs: nothing that a start makes is garbage
    if sys.argv[1:2] == ["run"]:
        _die_of_ctrl_c()
    try:
        if sys.argv[1:2] == ["run"] and sys.platform != "win32":
            from tapproxy.commands.run_line import read

            order = read(sys.argv[2:])
            if order is not None:
                from tapproxy.wire.session import run

                run(order)
        from tapproxy.commands.group import run_group

        sys.exit(run_group(sys.argv[1:]))
    except TapError as error:
        fail(str(error), error.exit_code)
    except OSError as error:  # such as a full disk under our own output
        named = f": {error.filename}" if error.filename else ""
        fail(f"{error.strerror or error}{named}", COULD_NOT_RUN)
    except KeyboardInterrupt:
        sys.exit(130)


def _die_of_ctrl_c() -> None:
    """Undo what the interpreter does with SIGINT: before it runs, the plugin would die of it."""
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _unexpected(kind: type[BaseException], error: BaseException, _trace: object) -> None:
    """Say in one line what nobody foresaw; with TAP_DEBUG set, where it happened."""
    if isinstance(error, SystemExit):  # comes here under PYTHONINSPECT
        return
    if "TAP_DEBUG" in os.environ:
        sys.__excepthook__(kind, error, error.__traceback__)
    _say(f"internal error, {kind.__name__}: {error} (set TAP_DEBUG=1 for the whole story)")


def fail(message: str, exit_code: int) -> NoReturn:
    """Print one line about what went wrong, and exit."""
    _say(message)
    sys.exit(exit_code)


def _say(message: str) -> None:
    shown = "".join(it if it.isprintable() else ascii(it)[1:-1] for it in message)
    try:
        os.write(2, f"tap: {shown}\n".encode(errors="backslashreplace"))
    except OSError:  # stderr is closed: the exit code has to do
        return
