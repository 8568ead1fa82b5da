"""All that is known of one wrapped plugin, as its entry in the registry keeps it."""

import os
from dataclasses import asdict, dataclass, replace
from shlex import quote
from typing import Any

from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.layout import Layout
from tapproxy.wrap.originals import Original
from tapproxy.wrap.registry import Entry


@dataclass(frozen=True, slots=True)
class Parts:
    """Where everything is, what the original was, and what was put in its place."""

    layout: Layout
    links: dict[str, str]  # path and target of each link to what lies beside the plugin
    was: Original
    folder_times: tuple[int, int]  # of access and change, ns, of the launcher's folder
    place: str  # the file or folder among the plugins
    launchers: tuple[str, ...]  # SHA-256 of what may be at the launcher's path
    native: bool
    python: str
    start: str  # the script that the launcher starts with it
    recordings: str
    settings: str
    keeps_new: bool = False  # what is at the launcher's path is another program, and stays

    @classmethod
    def of(cls, entry: Entry) -> "Parts":
        """Read them from an entry; raises WrapError where it has been damaged."""
        try:
            return cls._of(dict(entry.details))
        except (KeyError, TypeError, ValueError) as error:
            raise WrapError(
                f"{entry.path}: what is on record of it is damaged: remove it from tap/wrapped in "
                f"your data folder, and then `tap unwrap --force {quote(entry.path)}`"
            ) from error

    @classmethod
    def _of(cls, details: dict[str, Any]) -> "Parts":
        layout, was = dict(details.pop("layout")), details.pop("was")
        folders = tuple(layout.pop("folders"))
        atime_ns, mtime_ns = details.pop("folder_times")
        return cls(
            layout=Layout(folders=folders, **layout),
            was=Original(**was),
            folder_times=(atime_ns, mtime_ns),
            launchers=tuple(details.pop("launchers")),
            **details,
        )

    def details(self) -> dict[str, Any]:
        """Return what an entry keeps."""
        return asdict(self)

    def with_times_of_now(self) -> "Parts":
        """Take the times that the folder has now for those to be restored."""
        return replace(self, folder_times=folder_times(self.layout.folder))


def folder_times(folder: str) -> tuple[int, int]:
    """Return when a folder was accessed and changed last, ns."""
    told = os.stat(folder)
    return told.st_atime_ns, told.st_mtime_ns
