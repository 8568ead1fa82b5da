"""Files and folders for their owner alone, whatever the umask: they hold what went over the wire.

On the way to the first byte, hence without imports.
"""

import os


def create_file(path: str) -> int:
    """Create the file, open for reading and writing; raises FileExistsError where it exists."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.chmod(path, 0o600)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def make_folder(path: str) -> None:
    """Make the folder and those above it, where they are not there."""
    if os.path.isdir(path):
        return
    make_folder(os.path.dirname(path))
    try:
        os.mkdir(path)
    except FileExistsError:
        if not os.path.isdir(path):
            raise
    else:
        os.chmod(path, 0o700)
