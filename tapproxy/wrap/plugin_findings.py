"""What `tap doctor` looks at of a wrapped plugin: whether it is where it was put, and starts."""

import os
from collections.abc import Iterator
from shlex import quote

from tapproxy.wrap import launched
from tapproxy.wrap.findings import Finding
from tapproxy.wrap.launched import is_in_place
from tapproxy.wrap.parts import Parts
from tapproxy.wrap.registry import Entry


def findings(entry: Entry) -> Iterator[Finding]:
    """Look whether the plugin starts."""
    layout = Parts.of(entry).layout
    path = quote(entry.path)
    again = f"`tap wrap {path}`"
    if not os.path.isdir(layout.folder):
        yield Finding(
            ok=False,
            what=f"{layout.folder} is gone, or was moved, with what is wrapped in it",
            advice=f"`tap unwrap --force {path}` forgets it; where it is now, name its new path",
        )
        return
    if not os.path.lexists(entry.path):
        yield Finding(
            ok=False,
            what=f"{entry.path} is gone",
            advice=f"`tap unwrap --force {path}` takes away what tap has put beside it",
        )
    elif not is_in_place(entry):
        yield Finding(
            ok=False,
            what=f"{entry.path} is another program now (an update?), and is not recorded",
            advice=f"{again} wraps the new one",
        )
    elif not os.access(entry.path, os.X_OK):
        yield Finding(
            ok=False,
            what=f"{entry.path} cannot be executed",
            advice=f"`chmod +x {path}`",
        )
    if not os.access(layout.program, os.X_OK):
        yield Finding(
            ok=False,
            what=f"{layout.program}, the original, cannot be executed",
            advice="install the plugin again, and wrap it again",
        )
    yield from launched.findings(entry)
