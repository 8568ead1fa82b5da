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
    except Exception:  # noqa: BLE001 - whatever it is, the host wants its plugin
        become(program, argv)


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
            os.write(2, os.fsencode(f"tap: cannot start {program}: {error.strerror}\n"))
            sys.exit(127 if isinstance(error, FileNotFoundError) else 126)


if __name__ == "__main__":
    main()
