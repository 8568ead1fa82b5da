"""prctl(2), which Python does not offer: what only Linux can do for us."""

import sys

PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4


def die_with_parent(signum: int) -> None:
    """Have the kernel send `signum` to this process when the thread that forked it ends."""
    _prctl(PR_SET_PDEATHSIG, signum)


def set_not_dumpable() -> None:
    """Leave no core, whatever `core_pattern` says."""
    _prctl(PR_SET_DUMPABLE, 0)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
