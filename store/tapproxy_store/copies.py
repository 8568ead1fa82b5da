"""Copies a recording to a folder of ours, where SQLite may do with it what it must."""

import os
import shutil
import tempfile

from tapproxy_store.companions import WITH_BYTES

PAGE_SIZE_AT = slice(16, 18)
"""Where an SQLite file says how large its pages are."""


class TemporaryCopy:
    """A copy of one recording, made when it is asked for."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def make(self) -> str:
        """Make the copy; return its path. Raises OSError."""
        self.remove()
        self._folder = tempfile.TemporaryDirectory(prefix="tap-")
        copy = os.path.join(self._folder.name, "copy.tap")
        shutil.copyfile(self._path, copy)
        for companion in WITH_BYTES:
            if os.path.isfile(self._path + companion):
                shutil.copyfile(self._path + companion, copy + companion)
        return copy

    def make_of_whole_pages(self) -> str:
        """Make the copy without the half page at the end of a file that was cut off."""
        copy = self.make()
        with open(copy, "r+b") as file:
            header = file.read(PAGE_SIZE_AT.stop)
            page_size = int.from_bytes(header[PAGE_SIZE_AT], "big")
            if page_size > 1:  # 1 stands for 65536
                file.truncate(os.path.getsize(copy) // page_size * page_size)
        return copy

    def remove(self) -> None:
        """Remove the copy, if there is one."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
