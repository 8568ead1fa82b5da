"""Looks at everything that recording and wrapping stand on; starts no program of the user's."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from shlex import quote

from tapproxy import __version__
from tapproxy.own_path import own_environment, tap_command
from tapproxy.wrap.adrift import find_adrift
from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.findings import Finding
from tapproxy.wrap.kinds import kind_of
from tapproxy.wrap.launcher import find_compiler
from tapproxy.wrap.layout import BOX
from tapproxy.wrap.places import canonical, find_plugin, plugin_folders
from tapproxy.wrap.registry import Entry, Registry
from tapproxy_store import locate
from tapproxy_store.errors import StoreError
from tapproxy_store.reading import open_recording

LITTLE_SPACE = 1 << 30
"""Bytes of free disk below which a warning is due."""

SELF_TEST_S = 30.0
SAID = b"a line\n"


def about_this_tap() -> Iterator[Finding]:
    """Tell versions, and whether the tap in PATH is this one."""
    python = sys.version.split()[0]
    yield Finding(
        ok=True, what=f"tap {__version__}, Python {python}, SQLite {sqlite3.sqlite_version}"
    )
    own = os.path.join(os.path.dirname(sys.executable), "tap")
    found = shutil.which("tap")
    if found is not None and os.path.exists(own) and not os.path.samefile(found, own):
        yield Finding(
            ok=False,
            what=f"the tap in PATH is another program: {found}",
            advice=f"in configurations, write {own}",
        )
    compiler = find_compiler()
    if compiler is None:
        yield Finding(ok=True, what="no C compiler: launchers are scripts for /bin/sh")
    else:
        yield Finding(ok=True, what=f"launchers are compiled by {compiler}")


def about_recordings(folders: list[str]) -> Iterator[Finding]:
    """Tell where recordings go, how much they hold, and whether there is room for more."""
    for folder in folders:
        try:
            paths = locate.recordings(folder)
        except StoreError as error:
            yield Finding(ok=False, what=str(error), advice="`chmod u+rwx` it, or name another")
            continue
        used = sum(map(_size, paths))
        yield Finding(ok=True, what=f"{folder}: {_counted(len(paths), 'recording')}, {_told(used)}")
        yield from _trouble_in(folder)


def self_test() -> Finding:
    """Record a small child of our own, and read what was recorded."""
    with tempfile.TemporaryDirectory(prefix="tap-") as folder:
        path = os.path.join(folder, "test.tap")
        echo = [sys.executable, "-I", "-S", "-c", "import os; os.write(1, os.read(0, 99))"]
        command = tap_command("run", "--ingest", "later", "-o", path, "--")
        try:
            done = subprocess.run(
                [*command, *echo],
                input=SAID,
                capture_output=True,
                check=False,
                timeout=SELF_TEST_S,
                env=own_environment(),
            )
            return _judged(done, path)
        except (OSError, subprocess.TimeoutExpired, StoreError) as error:
            return Finding(ok=False, what=f"a test recording failed: {error}", advice=REPORT)


REPORT = "run `TAP_DEBUG=1 tap run -- cat`, and see what it says"


def about_wrapped(registry: Registry) -> Iterator[Finding]:
    """Tell of everything that is wrapped: in which mode, and whether it starts."""
    entries = registry.entries()
    if not entries:
        yield Finding(ok=True, what="nothing is wrapped")
    for entry in entries:
        yield from _about(entry)


def about_plugins(folders: list[str], entries: list[Entry]) -> Iterator[Finding]:
    """Tell what a host would find in its folders of plugins."""
    paths = {it.path: it for it in entries}
    for folder in folders:
        try:
            names = sorted(os.listdir(folder))
        except FileNotFoundError:
            continue
        except OSError as error:
            yield Finding(ok=False, what=f"cannot read {folder}: {error.strerror}")
            continue
        for name in names:
            if not name.startswith("."):
                yield from _about_place(os.path.join(folder, name), paths)
        yield from _left_over(os.path.join(folder, BOX), paths)


def folders_of_plugins(global_root: str | None) -> list[str]:
    """Return where a host looks that works in our folder."""
    return plugin_folders(os.getcwd(), os.path.expanduser("~"), global_root)


def folders_of_recordings(entries: list[Entry]) -> list[str]:
    """Return ours, and those of what is wrapped."""
    named = [it.details["recordings"] for it in entries if it.details.get("recordings")]
    return list(dict.fromkeys([locate.recordings_folder(), *named]))


def _about(entry: Entry) -> Iterator[Finding]:
    if entry.state != "wrapped":
        yield Finding(
            ok=False,
            what=f"{entry.path}: {entry.state} it has begun, and was not completed",
            advice="`tap doctor --fix` completes or undoes it",
        )
        return
    try:
        found = list(kind_of(entry).findings(entry))
        mode = kind_of(entry).mode(entry)
    except WrapError as error:
        yield Finding(ok=False, what=str(error))
        return
    if all(it.ok for it in found):
        yield Finding(ok=True, what=f"{entry.kind} {entry.name} is wrapped, and starts: {mode}")
    yield from (it for it in found if not it.ok)


def _about_place(place: str, entries: dict[str, Entry]) -> Iterator[Finding]:
    """Tell what a host makes of one file or folder among the plugins."""
    found = find_plugin(place)
    if os.path.isdir(place):
        yield from _moved_here(place, entries)
    if found is None:
        if os.path.isdir(place):
            yield Finding(ok=True, what=f"{place}: no host finds a program in it")
        return
    program = os.path.relpath(found.path, os.path.dirname(place))
    wrapped = "wrapped" if canonical(found.path) in entries else "not wrapped"
    yield Finding(ok=True, what=f"plugin {found.name} in {os.path.dirname(place)}: {wrapped}")
    if found.rule == "first" and len(_taken_for_programs(place)) > 1:
        yield Finding(
            ok=False,
            what=f"{place}: hosts take whichever program comes first, such as {program}",
            advice=f"call the plugin's program {found.name}, or main",
        )


def _moved_here(folder: str, entries: dict[str, Entry]) -> Iterator[Finding]:
    """Tell of a launcher in a plugin's folder of which this registry knows nothing."""
    adrift = find_adrift(folder)
    if adrift is not None and adrift.path not in entries:
        yield Finding(
            ok=False,
            what=f"{adrift.path} is a launcher of tap that is not on this list (was it moved?)",
            advice=f"`tap unwrap --force {quote(adrift.path)}` takes it out, {UNLESS}",
        )


UNLESS = "unless it is another user's"


def _taken_for_programs(folder: str) -> list[str]:
    """Return what a host may take for the first program: by its test, a folder is one, too."""
    return [it for it in os.listdir(folder) if os.access(os.path.join(folder, it), os.X_OK)]


def _left_over(box: str, entries: dict[str, Entry]) -> Iterator[Finding]:
    """Tell of what a tap has put there of which this registry knows nothing."""
    names = os.listdir(box) if os.path.isdir(box) else []
    for name in sorted(names):
        path = os.path.join(os.path.dirname(box), name)
        if canonical(path) not in entries:
            yield Finding(
                ok=False,
                what=f"{box}/{name} is of no plugin that is wrapped here",
                advice=f"`tap unwrap --force {quote(path)}` takes it out, {UNLESS}",
            )


def _trouble_in(folder: str) -> Iterator[Finding]:
    there = folder
    while not os.path.isdir(there) and os.path.dirname(there) != there:
        there = os.path.dirname(there)
    if not os.access(there, os.W_OK):
        yield Finding(
            ok=False,
            what=f"{there} cannot be written: nothing is recorded there",
            advice="`chmod u+w` it, or name another with TAP_DIR or --recordings",
        )
        return
    free = shutil.disk_usage(there).free
    if free < LITTLE_SPACE:
        yield Finding(
            ok=False,
            what=f"{folder}: only {_told(free)} of disk left",
            advice="remove recordings; where the disk is full, sessions go on unrecorded",
        )


def _judged(done: "subprocess.CompletedProcess[bytes]", path: str) -> Finding:
    from tapproxy.opening import bring_up

    if (done.stdout, done.stderr, done.returncode) != (SAID, b"", 0):
        said = done.stderr.decode(errors="replace").strip() or f"exit {done.returncode}"
        return Finding(ok=False, what=f"a test recording failed: {said}", advice=REPORT)
    bring_up(path)
    with open_recording(path) as recording:
        counts = recording.counts(recording.session().id)
    if counts.bytes["in"] != len(SAID) or counts.bytes["out"] != len(SAID):
        return Finding(ok=False, what="a test recording lacks what was said", advice=REPORT)
    return Finding(ok=True, what="recording works: a small child was recorded and read")


def _size(path: str) -> int:
    """Return the bytes of a recording, of its journal and of SQLite's files beside it."""
    size = 0
    for ending in ("", ".wire", "-wal", "-shm"):
        try:
            size += os.stat(path + ending).st_size
        except OSError:  # not there, or just gone
            continue
    return size


def _told(count: int) -> str:
    from tapproxy_viewers.words import size

    return size(count)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"
