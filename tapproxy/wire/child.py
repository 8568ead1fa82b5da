"""Starts the plugin as the host would have: same process group, environment, argv, signals."""

from __future__ import annotations

import errno
import os
import signal

from tapproxy.wire.linux import die_with_parent, execve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tapproxy.wire.host_state import HostState

NEVER_SEEN = 127
"""The exit code of a child that could not become the plugin; its errno is reported instead."""

NO_INTERPRETER = errno.ENOEXEC
"""What is reported of a file that is there, while the interpreter in its first line is not."""

_TRY_NEXT = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ESTALE, errno.ENODEV)


class NotStarted(Exception):
    """The command could not be executed."""

    def __init__(self, number: int) -> None:
        missing = number == NO_INTERPRETER
        super().__init__("its interpreter is not there" if missing else os.strerror(number))
        self.not_found = number == errno.ENOENT
        self.name = errno.errorcode.get(number, "EIO")


class Launched:
    """A plugin on its way."""

    def __init__(self, pid: int, failure: int) -> None:
        """Take its pid and the descriptor on which it says why it could not be started."""
        self.pid = pid
        self._failure = failure

    def confirm(self) -> None:
        """Return once the plugin runs; raises NotStarted."""
        told = os.read(self._failure, 16)
        os.close(self._failure)
        if told:
            os.waitpid(self.pid, 0)
            raise NotStarted(int(told))


def original_environment() -> list[bytes]:
    """Return the environment as the host gave it, entry by entry: PEP 538 adds LC_CTYPE."""
    try:
        with open("/proc/self/environ", "rb") as file:
            return file.read().split(b"\0")[:-1]
    except OSError:  # not Linux
        return [name + b"=" + value for name, value in os.environb.items()]


def launch(
    program: bytes,
    command: list[bytes],
    environment: list[bytes],
    descriptors: dict[int, int | None],
    host_state: HostState,
) -> Launched:
    """Start the plugin and return at once: it takes a while to become what it shall be.

    The program is looked up in PATH as execvp(3) does; `command` is its argv. `descriptors` says
    which of ours becomes the plugin's 0, 1, 2 (None: closed).
    """
    failure, report = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            _prepare(descriptors, host_state)
            alive = os.getppid() == parent
            number = _execute(program, command, environment) if alive else errno.ESRCH
        except OSError as error:
            number = error.errno or errno.EIO
        os.write(report, str(number).encode())
        os._exit(NEVER_SEEN)
    os.close(report)
    return Launched(pid, failure)


def replace_ourselves(
    program: bytes, command: list[bytes], environment: list[bytes], host_state: HostState
) -> NotStarted:
    """Become the plugin, without a session; return why that failed."""
    host_state.give_back()
    return NotStarted(_execute(program, command, environment))


def _prepare(descriptors: dict[int, int | None], host_state: HostState) -> None:
    for fd, ours in descriptors.items():
        if ours is None:
            os.close(fd)
        else:
            os.dup2(ours, fd)
    die_with_parent(signal.SIGKILL)
    host_state.give_back()


def _execute(program: bytes, command: list[bytes], environment: list[bytes]) -> int:
    """Replace this process by the command; return why that failed (an errno)."""
    number = errno.ENOENT
    for path in _candidates(program, _search_path(environment)):
        try:
            execve(path, command, environment)
        except OSError as error:
            if error.errno == errno.ENOEXEC:  # a script without a first line: execvp(3)
                execve(b"/bin/sh", [b"/bin/sh", path, *command[1:]], environment)
            if error.errno not in _TRY_NEXT:
                return error.errno or number
            if error.errno == errno.EACCES:
                number = error.errno
            elif error.errno == errno.ENOENT and os.path.exists(path):
                return NO_INTERPRETER
    return number


def _search_path(environment: list[bytes]) -> bytes:
    found = [entry[5:] for entry in environment if entry.startswith(b"PATH=")]
    return found[0] if found else os.fsencode(os.defpath)


def _candidates(program: bytes, search_path: bytes) -> list[bytes]:
    if b"/" in program:
        return [program]
    return [os.path.join(folder or b".", program) for folder in search_path.split(b":")]
