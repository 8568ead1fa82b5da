"""Wraps LingXi plugins: the launcher takes the plugin's name, the original waits beside it.

An intent is on record before anything is touched, so that whoever comes after a crash can
complete or undo.
"""

import os
from dataclasses import replace
from shlex import quote

from tapproxy.wrap import launched, plugin_findings
from tapproxy.wrap.asides import set_aside
from tapproxy.wrap.errors import CouldNot, WrapError
from tapproxy.wrap.kinds import Act
from tapproxy.wrap.launched import Wish, change_settings, is_in_place, settings_for
from tapproxy.wrap.launcher import Made, make, sort_again
from tapproxy.wrap.layout import lay_out, links
from tapproxy.wrap.originals import digest_or_none
from tapproxy.wrap.parts import Parts, folder_times
from tapproxy.wrap.places import Plugin, canonical
from tapproxy.wrap.placing import place, put_launcher, restore_folder_times, take_away
from tapproxy.wrap.preparing import (
    advice_for_root,
    check_new,
    check_writable,
    launcher_for,
    made_with,
    parts_for,
)
from tapproxy.wrap.registry import Entry, now
from tapproxy.wrap.settings import Settings, Unreadable, read

KIND = "lingxi"

mode = launched.mode
switch = launched.switch
findings = plugin_findings.findings


def wrap(plugin: Plugin, wish: Wish, recordings: str, act: Act) -> None:
    """Wrap a plugin, or see to one that is wrapped; raises WrapError where it must not be.

    `recordings` is the folder for one that is wrapped for the first time.
    """
    entry = find(plugin, act.registry.entries())
    if entry is None:
        _wrap_new(plugin, wish, settings_for(plugin.name, wish, recordings), act)
    elif is_in_place(entry):
        _see_to(entry, wish, act)
    else:
        _wrap_update(plugin, entry, wish, act)


def find(plugin: Plugin, entries: list[Entry]) -> Entry | None:
    """Return the entry of a plugin, found by its program as it was or as it is now."""
    path = canonical(plugin.path)
    own = [it for it in entries if it.kind == KIND]
    return next((it for it in own if path in (it.path, it.details["layout"]["original"])), None)


def unwrap(entry: Entry, act: Act) -> None:
    """Give the original its name back; raises WrapError where it is not what it was."""
    parts = Parts.of(entry)
    if not act.force:
        _check(entry, parts)
    elif not os.path.isdir(parts.layout.folder):
        _forget(entry, act)
        return
    elif not is_in_place(entry):
        parts = replace(parts, keeps_new=True)
    _unwrap(entry, parts.with_times_of_now(), act)
    if parts.keeps_new:
        act.done(f"{entry.path} is left as it is; what tap had put beside it is gone")
    else:
        act.done(f"unwrapped {entry.path}")


def recover(entry: Entry, act: Act) -> str:
    """Complete what is in place, undo what is not; raises CouldNot."""
    parts = Parts.of(entry)
    try:
        if entry.state == "wrapping" and _is_complete(entry, parts):
            restore_folder_times(parts, act.files)
            act.registry.put(entry.to("wrapped"))
            return f"{entry.path}: completed what had begun, it is wrapped"
        _finish(entry, parts, act)
    except OSError as error:
        raise CouldNot(f"cannot complete {entry.path}: {error.strerror}") from error
    done = "undid" if entry.state == "wrapping" else "completed"
    return f"{entry.path}: {done} what had begun, it is as it was"


def _wrap_new(plugin: Plugin, wish: Wish, settings: Settings, act: Act) -> None:
    layout = lay_out(plugin)
    check_new(layout, plugin)
    made = make(launcher_for(layout), native=wish.native)
    parts = parts_for(plugin, layout, made, settings)
    entry = Entry(KIND, plugin.name, layout.launcher, "", "wrapping", now(), parts.details())
    try:
        act.registry.put(entry)
        place(parts, made.data, settings.encoded(), act.files)
        act.registry.put(entry.to("wrapped"))
    except OSError as error:
        _finish(entry, parts, act)
        raise CouldNot(f"cannot wrap {plugin.path}: {error.strerror}; it is as it was") from error
    _remark(made, act)
    act.done(f"wrapped {layout.launcher} ({settings.mode}, {made.sort})")
    for advice in advice_for_root(layout):
        act.done(advice)


def _remark(made: Made, act: Act) -> None:
    if made.remark:
        act.say(f"{made.remark}: it is a script")


def _wrap_update(plugin: Plugin, entry: Entry, wish: Wish, act: Act) -> None:
    """Wrap what has overwritten the launcher, with the settings that the old one had."""
    try:
        settings = read(entry.details["settings"])
    except (OSError, Unreadable):
        settings = settings_for(entry.name, wish, entry.details["recordings"])
    if os.path.lexists(entry.path):
        act.say(f"{entry.path} is another program than the one that was wrapped (an update?)")
    else:
        act.say(f"{entry.path}, the launcher, is gone")
    parts = replace(Parts.of(entry), keeps_new=True).with_times_of_now()
    _unwrap(entry, parts, act, keep_old=not wish.drop_old)
    if act.dry:
        act.say(f"wrap {plugin.path} as it is now")
    else:
        _wrap_new(plugin, wish, launched.as_wished(settings, wish), act)


def _see_to(entry: Entry, wish: Wish, act: Act) -> None:
    """Do what is new about a wish to wrap what is wrapped."""
    parts = Parts.of(entry)
    other_kind = wish.native is not None and wish.native != parts.native
    if other_kind or not launched.is_of_this_tap(entry):
        _renew(entry, parts, wish, act)
    _link_what_is_new(entry, parts, act)
    if launched.changes_settings(wish):
        change_settings(entry, wish, act)
        act.done(f"{entry.path}: {mode(entry)}")
    else:
        act.say(f"{entry.path} is wrapped already ({mode(entry)})")


def _renew(entry: Entry, parts: Parts, wish: Wish, act: Act) -> None:
    """Replace the launcher by one of this tap."""
    native = sort_again(was_native=parts.native, wished=wish.native)
    made = make(launcher_for(parts.layout), native=native)
    new = replace(made_with(parts, made), folder_times=folder_times(parts.layout.folder))
    both = replace(new, launchers=(*parts.launchers, *new.launchers))
    try:
        act.registry.put(replace(entry, details=both.details()))
        put_launcher(new, made.data, act.files)
        restore_folder_times(new, act.files)
        act.registry.put(replace(entry, details=new.details()))
    except OSError as error:
        raise CouldNot(f"cannot renew {entry.path}: {error.strerror}") from error
    _remark(made, act)
    act.done(f"{entry.path}: a new launcher ({made.sort})")


def _link_what_is_new(entry: Entry, parts: Parts, act: Act) -> None:
    """Let the original find what has come to lie beside it since."""
    found = links(parts.layout)
    new = {path: it for path, it in found.items() if not os.path.lexists(path)}
    if not new:
        return
    try:
        entry = act.registry.find(entry.kind, entry.path) or entry
        act.registry.put(entry.to("wrapped", links={**parts.links, **new}))
        for path, target in new.items():
            act.files.symlink(target, path)
    except OSError as error:
        raise CouldNot(f"cannot link what is beside {entry.path}: {error.strerror}") from error


def _check(entry: Entry, parts: Parts) -> None:
    """Raise WrapError where something has changed since the target was wrapped."""
    layout = parts.layout
    if not layout.moves and not os.path.lexists(entry.path):
        return  # the original was never touched
    path = quote(entry.path)
    if not is_in_place(entry):
        state = "is another program now (an update?)" if os.path.lexists(entry.path) else "is gone"
        raise WrapError(
            f"{entry.path} {state}: `tap wrap {path}` wraps it again, `tap unwrap --force "
            f"{path}` leaves it as it is, and takes away what tap has put beside it"
        )
    found = digest_or_none(layout.original)
    if found is None and layout.moves:
        raise WrapError(
            f"{layout.original}, the original of {entry.path}, is gone: install it again; "
            f"`tap unwrap --force {path}` takes away the launcher"
        )
    if found != parts.was.sha256 and layout.moves:
        raise WrapError(
            f"{layout.original}, the original of {entry.path}, has changed since it was wrapped; "
            f"`tap unwrap --force {path}` puts it back as it is now"
        )


def _forget(entry: Entry, act: Act) -> None:
    """Remove the entry of a plugin whose folder is gone with all that was in it."""
    try:
        act.registry.remove(entry)
    except OSError as error:
        raise CouldNot(f"cannot forget {entry.path}: {error.strerror}") from error
    act.done(f"{entry.path} is gone with its folder, and forgotten")


def _unwrap(entry: Entry, parts: Parts, act: Act, *, keep_old: bool = True) -> None:
    check_writable(parts.layout, f"unwrap {entry.path}")
    intent = replace(entry, state="unwrapping", details=parts.details())
    try:
        if parts.keeps_new and keep_old and parts.layout.moves:
            set_aside(parts.layout.original, act)
        act.registry.put(intent)
    except OSError as error:
        raise CouldNot(
            f"cannot unwrap {entry.path}: {error.strerror} in {act.registry.folder}; nothing is "
            "changed: make room there (`tap rm` removes recordings), and try again"
        ) from error
    try:
        _finish(intent, parts, act)
    except OSError as error:
        raise CouldNot(
            f"cannot unwrap {entry.path}: {error.strerror}; `tap doctor --fix` tries again"
        ) from error


def _finish(entry: Entry, parts: Parts, act: Act) -> None:
    """Take all parts away, and the entry last."""
    if parts.keeps_new and parts.layout.moves:
        act.files.remove(parts.layout.original)
    for path in take_away(parts, act.files):
        act.say(f"left {path}, which the plugin has made: move it yourself")
    act.registry.remove(entry)


def _is_complete(entry: Entry, parts: Parts) -> bool:
    layout = parts.layout
    return (
        is_in_place(entry)
        and os.access(entry.path, os.X_OK)
        and digest_or_none(layout.original) == parts.was.sha256
    )
