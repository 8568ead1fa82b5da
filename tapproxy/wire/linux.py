"""System calls that Python does not offer, or not as they are, and what stands in elsewhere."""

import os
import sys

PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4


def die_with_parent(signum: int) -> None:
    """Have the kernel send `signum` to this process when the thread that forked it ends."""
    _prctl(PR_SET_PDEATHSIG, signum)


def set_not_dumpable() -> None:
    """Leave no core, whatever `core_pattern` says."""
    _prctl(PR_SET_DUMPABLE, 0)


def execve(path: bytes, argv: list[bytes], environment: list[bytes]) -> None:
    """Replace this process, with the environment as it is; raises OSError.

    Python's own takes a mapping: a variable that is there twice, or an entry that is none, is lost.
    """
    if sys.platform != "linux":
        pairs = (entry.partition(b"=") for entry in environment)
        os.execve(path, argv, {name: value for name, equals, value in pairs if name and equals})
    import ctypes

    def array(items: list[bytes]) -> object:
        return (ctypes.c_char_p * (len(items) + 1))(*items, None)

    ctypes.CDLL(None, use_errno=True).execve(path, array(argv), array(environment))
    number = ctypes.get_errno()
    raise OSError(number, os.strerror(number))


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
