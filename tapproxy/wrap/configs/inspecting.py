"""What `tap doctor` looks at: whether a file has what was written there, and that can start."""

import os
import shlex
import shutil
from collections.abc import Iterator

from tapproxy.wrap.configs.entries import Standing, standing
from tapproxy.wrap.configs.servers import Server
from tapproxy.wrap.configs.steps import read_entry
from tapproxy.wrap.configs.words import goes_through_tap
from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.findings import Finding
from tapproxy.wrap.registry import Entry


def findings(entry: Entry) -> Iterator[Finding]:
    """Look whether the file has what was written there, and whether it can be started."""
    try:
        _, _, server = read_entry(entry)
    except WrapError as error:
        yield Finding(ok=False, what=str(error), advice=f"`tap unwrap` needs it: {entry.name}")
        return
    so = standing(entry)
    if server is None or not so.is_in(server.words):
        yield _changed(entry, server)
        return
    yield Finding(ok=True, what=f"{entry.name}: {entry.path} has it, mode {so.mode}")
    yield from _missing(entry, so)


def _changed(entry: Entry, server: Server | None) -> Finding:
    if server is None:
        what = f"{entry.path} has no server {entry.part} any more"
        return Finding(ok=False, what=what, advice=f"`tap unwrap {_named(entry)}` forgets it")
    if goes_through_tap(server.words):
        what = f"{entry.name} goes through tap, but not as tap has written it"
        return Finding(ok=False, what=what, advice=f"look into {entry.path}")
    what = f"{entry.name} goes no longer through tap: somebody has changed {entry.path}"
    return Finding(ok=False, what=what, advice=f"`tap wrap {_named(entry)}` puts it back")


def _missing(entry: Entry, so: Standing) -> Iterator[Finding]:
    """Yield what of a command line is not there."""
    again = f"`tap wrap {_named(entry)}` writes it anew"
    if so.change is not None and not os.access(so.change.words[0], os.X_OK):
        what = f"{entry.name} cannot start: {so.change.words[0]} is gone (was tap moved?)"
        yield Finding(ok=False, what=what, advice=again)
    if so.mode.word == "replay" and not os.path.exists(so.mode.recording):
        what = f"{entry.name} is to be played from {so.mode.recording}, which is gone"
        advice = f"`tap wrap {_named(entry)} --record` lets the server run again"
        yield Finding(ok=False, what=what, advice=advice)
    program = so.own[0]
    if so.mode.word == "record" and "$" not in program and shutil.which(program) is None:
        what = f"{program}, which {entry.name} starts, is not found in this shell's PATH"
        yield Finding(ok=False, what=what, advice="its client may have another PATH")


def _named(entry: Entry) -> str:
    return f"--config {shlex.quote(entry.path)} --server {shlex.quote(entry.part)}"
