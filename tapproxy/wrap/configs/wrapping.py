"""`tap wrap --config FILE`: lists the servers of a client, or has some started through tap."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tapproxy.wrap.configs.entries import KIND, how_recorded, new_entry, recorded, standing
from tapproxy.wrap.configs.instructions import instructions
from tapproxy.wrap.configs.kind import mode as mode_of
from tapproxy.wrap.configs.kind import switch
from tapproxy.wrap.configs.lua import LUA
from tapproxy.wrap.configs.reading import (
    ConfigFile,
    find_nearest,
    find_server,
    get_server,
    read_config,
)
from tapproxy.wrap.configs.servers import Server
from tapproxy.wrap.configs.words import How, goes_through_tap, own_command, words_for
from tapproxy.wrap.errors import CouldNot, WrapError
from tapproxy.wrap.kinds import Act
from tapproxy.wrap.modes import Mode
from tapproxy.wrap.registry import Entry
from tapproxy_store.locate import recordings_folder
from tapproxy_store.private import make_folder


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asks for; what is None stays as it is, or as is usual."""

    mode: Mode | None = None
    recordings: str | None = None
    rules: tuple[str, ...] | None = None
    keep: str | None = None

    def how(self, usual: How | None = None) -> How:
        """Return how to record, given how it was done."""
        usual = usual or How(recordings_folder())
        rules = usual.rules if self.rules is None else self.rules
        return How(self.recordings or usual.recordings, rules, self.keep or usual.keep)


def wrap_config(
    file: str, servers: Sequence[str], mode: Mode | None, act: Act, options: dict[str, Any]
) -> None:
    """Have servers of a file started through tap, or list them if none is named.

    `mode` None: a new one is recorded, and one that is wrapped stays in its mode. Of the options,
    `recordings` is the folder for the recordings, absolute, `redact` has the rules by which secrets
    are kept out of them, and `keep` the bounds of what is kept; None: those that it has, else the
    usual. Raises WrapError.
    """
    wish = Wish(mode, options.get("recordings"), options.get("redact"), options.get("keep"))
    if not servers:
        for line in listing(read_config(file), act):
            act.say(line)
    for name in servers:
        _wrap(file, name, wish, act)


def listing(config: ConfigFile, act: Act) -> list[str]:
    """Return a line for each server, and what to do next."""
    lines = [f"{config.format.title}, {config.path}:"]
    width = max((len(it.key) for it in config.servers), default=0)
    lines += [f"  {it.key.ljust(width)}  {_state(config, it, act)}" for it in config.servers]
    if not config.servers:
        return [*lines, "  no servers"]
    return [*lines, f"`tap wrap --config {config.path} --server NAME` records one."]


def _state(config: ConfigFile, server: Server, act: Act) -> str:
    if not server.words:
        return server.obstacle
    entry = act.registry.find(KIND, config.path, server.key)
    command = " ".join(server.words)
    if entry is not None and standing(entry).is_in(server.words):
        return f"wrapped, mode {mode_of(entry)}"
    if entry is not None:
        return f"changed since it was wrapped: {command}"
    return f"goes through tap: {command}" if goes_through_tap(server.words) else command


def _wrap(file: str, name: str, wish: Wish, act: Act) -> None:
    config = read_config(file)
    server = _wrappable(config, name, wish, act)
    entry = act.registry.find(KIND, config.path, server.key)
    named = f"{server.key} in {config.path}"
    if entry is not None:
        _wrap_again(config, entry, server, wish, act)
    elif goes_through_tap(server.words):
        act.say(f"{named} goes through tap already: left as it is")
    elif wish.mode is not None and wish.mode.word == "off":
        raise WrapError(f"{named} is not wrapped: there is nothing to switch off")
    else:
        entry = recorded(new_entry(config, server), wish.how())
        _switch(config, entry, wish.mode or Mode("record"), act)


def _wrap_again(config: ConfigFile, entry: Entry, server: Server, wish: Wish, act: Act) -> None:
    """Switch what is wrapped to another mode, or see to it that it is as it was left."""
    mode = standing(entry).mode
    if wish == Wish() and _is_as_left(entry, server):
        act.say(f"{entry.name}: {_told(mode, entry)} (as before)")
        return
    anew = recorded(entry, wish.how(how_recorded(entry)))
    _switch(config, anew, wish.mode or mode, act)


def _is_as_left(entry: Entry, server: Server) -> bool:
    """Tell whether nothing is to be done: also not where somebody has added an option of tap's."""
    so = standing(entry)
    starts_us = so.change is None or server.words[: len(own_command())] == own_command()
    return starts_us and so.is_in(server.words)


def _wrappable(config: ConfigFile, name: str, wish: Wish, act: Act) -> Server:
    """Return a server before whose command tap can be put; raises WrapError."""
    is_program = config.format.language is LUA
    is_meant = not is_program or find_nearest(config, name) is not None
    server = get_server(config, name) if is_meant else find_server(config, name)
    if server is not None and server.words:
        if server.words[0].startswith("~"):
            raise WrapError(
                f"{server.key} in {config.path} has a command with ~, which only its client can "
                "read: write the whole path there first"
            )
        return server
    if is_program:
        mode = wish.mode or Mode("record")
        words = words_for(mode, name, wish.how())
        for line in instructions(name, words, instead=mode.word == "replay"):
            act.say(line)
        raise WrapError(
            f"{config.path} has no plain list of texts as the command of {name}, so it is left as "
            "it is: paste these lines after what configures the server"
        )
    obstacle = "" if server is None else server.obstacle
    raise WrapError(f"{name} in {config.path} {obstacle}")


def _make_folder(folder: str) -> None:
    try:
        make_folder(folder)
    except OSError as error:
        raise CouldNot(f"cannot make {folder} for the recordings: {error.strerror}") from error


def _switch(config: ConfigFile, entry: Entry, mode: Mode, act: Act) -> None:
    """Switch the mode, and say what it is now."""
    if act.dry:
        switch(entry, mode, act)
        return
    _make_folder(entry.details["recordings"])
    switch(entry, mode, act)
    changed = read_config(config.path, config.format).data != config.data
    act.say(f"{entry.name}: {_told(mode, entry)}" + ("" if changed else " (as before)"))
    kept = act.registry.find(KIND, entry.path, entry.part)
    if entry.details["is_new"] and kept is not None:
        named = f"--config {shlex.quote(config.path)} --server {shlex.quote(entry.part)}"
        act.say(f"`tap unwrap {named}` undoes it; the file as it was: {kept.details['backup']}")


def _told(mode: Mode, entry: Entry) -> str:
    if mode.word == "off":
        return "started without tap from its next start on"
    if mode.word == "replay":
        return f"played from its next start on, from {mode.recording}"
    return f"recorded from its next start on, in {entry.details['recordings']}"
