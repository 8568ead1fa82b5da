"""What a launcher starts: the session as its settings say, or the program itself where that fails.

`python -I -S start.py SETTINGS PROGRAM ARGV0 [ARGUMENT…]`. Without the site module, whose start
takes longer than ours: what a recording needs is in the standard library and in our own folders.
"""

import os
import signal
import sys

HELD_BACK = signal.pthread_sigmask(signal.SIG_BLOCK, ())
"""Signals that the host has blocked."""


def main() -> None:
    """Start; nothing that is wrong with tap may keep the program from being started."""
    settings, program, *argv = sys.argv[1:]
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path += [root, os.path.join(root, "store")]
    try:
        from tapproxy.wrap.starting import start

        start(settings, program, argv)
    except ImportError:  # tap was removed: `tap doctor` says so
        pass
    except Exception as error:  # noqa: BLE001 - whatever it is, the host wants its plugin
        said = ascii(f"{type(error).__name__}: {error}")[1:-1]
        tell(f"tap: cannot record ({said}); the program is started as if tap were not there\n")
    become(program, argv)


def tell(line: str) -> None:
    """Say it, if anybody is there to read it."""
    try:
        os.write(2, os.fsencode(line))
    except OSError:
        return


def become(program: str, argv: list[str]) -> None:
    """Be the program, as if we had not been; not if it is started already."""
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        signal.pthread_sigmask(signal.SIG_SETMASK, HELD_BACK)
        for signum in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(signum, signal.SIG_DFL)
        try:
            os.execv(program, argv)
        except OSError as error:
            tell(f"tap: cannot start {program}: {error.strerror}\n")
            sys.exit(127 if isinstance(error, FileNotFoundError) else 126)


if __name__ == "__main__":
    main()
