"""The lock by which a living session is told from a dead one: the journal's writer holds it."""


def hold(fd: int) -> None:
    """Lock the open file for as long as any process has this very descriptor, or a copy, open."""
    import fcntl

    fcntl.flock(fd, fcntl.LOCK_EX)


def is_held(fd: int) -> bool:
    """Tell whether somebody holds the file that `fd` has opened on its own."""
    try:
        import fcntl
    except ImportError:  # Windows, where no session is ever recorded
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    fcntl.flock(fd, fcntl.LOCK_UN)
    return False
