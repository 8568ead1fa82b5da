"""Signals that reach tap, with their sender, and the child's view of them."""

import os
import signal
import sys

_OUR_OWN = {"SIGKILL", "SIGSTOP", "SIGCHLD", "SIGPIPE", "SIGTTIN", "SIGTTOU", "SIGXFSZ"}
_FAULTS = {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS"}

FORWARDED = frozenset(
    signum
    for signum in getattr(signal, "valid_signals", set)()
    if getattr(signum, "name", "") not in _OUR_OWN | _FAULTS
)
"""Everything that somebody can send to a program, less what is not ours to catch or pass on."""

_TERMINAL = {"SIGINT", "SIGQUIT", "SIGTSTP", "SIGWINCH", "SIGHUP", "SIGCONT"}
_TO_LEADER_ONLY = {"SIGHUP", "SIGCONT"}  # at a hang-up the kernel tells the session leader alone

SI_KERNEL = 0x80  # Linux, sigaction(2): the terminal's driver counts as the kernel


class Received:
    """One signal, and where it came from as far as the system tells."""

    __slots__ = ("origin", "sender", "signum")

    def __init__(self, signum: int, sender: int | None, origin: str) -> None:
        """Sender: a pid. Origin: process, terminal, kernel, unknown."""
        self.signum = signum
        self.sender = sender
        self.origin = origin

    @property
    def name(self) -> str:
        """Return `SIGTERM`, or `SIG42` for a real-time signal."""
        return name_of(self.signum)

    @property
    def reached_child(self) -> bool:
        """Whether the plugin has it already: the terminal tells the whole process group."""
        if self.origin != "terminal":
            return False
        return self.name not in _TO_LEADER_ONLY or os.getsid(0) != os.getpid()


def name_of(signum: int) -> str:
    """Return a signal's name, `SIG42` where it has none."""
    try:
        return signal.Signals(signum).name
    except ValueError:
        return f"SIG{signum}"


class HostSignals:
    """How the host left the signals, taken over by us and given back to the plugin."""

    def __init__(self) -> None:
        """Hold back, in this thread and those it starts, the signals that `wait` returns."""
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED | {signal.SIGCHLD})
        # Where SIGCHLD is ignored, nobody is told of an exit: some daemons leave it so.
        self._ignored_child = signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)

    def give_back(self) -> None:
        """In the plugin's process: undo what we did, and what the interpreter did at its start."""
        for name in ("SIGPIPE", "SIGXFSZ"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        if self._ignored_child:
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)


def watch_ignored() -> None:
    """Where the kernel drops signals that are ignored by default even if blocked, keep them."""
    if sys.platform != "linux":
        for signum in (signal.SIGCHLD, signal.SIGWINCH):
            signal.signal(signum, lambda *_: None)


def wait() -> Received:
    """Wait for the next signal; SIGCHLD included."""
    watched = FORWARDED | {signal.SIGCHLD}
    if not hasattr(signal, "sigwaitinfo"):
        return Received(signal.sigwait(watched), None, "unknown")
    info = signal.sigwaitinfo(watched)
    name = name_of(info.si_signo)
    if info.si_code == SI_KERNEL:
        return Received(info.si_signo, None, "terminal" if name in _TERMINAL else "kernel")
    return Received(info.si_signo, info.si_pid, "process")


def suspend(signum: int) -> None:
    """Stop this process by `signum`, as the plugin was stopped; return when it is continued."""
    signal.signal(signum, signal.SIG_DFL)
    os.kill(os.getpid(), signum)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signum})
    signal.pthread_sigmask(signal.SIG_BLOCK, {signum})


def die_by(signum: int) -> None:
    """End this process by `signum`, without a second core file. Returns if the system refuses."""
    import resource

    from tapproxy.wire.linux import set_not_dumpable

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    set_not_dumpable()
    if signum not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signum})
    else:
        os.kill(os.getpid(), signum)
