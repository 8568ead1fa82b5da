"""Servers in the configurations of clients, as one kind of what is wrapped."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tapproxy.wrap.configs.changing import CannotChange, Text, put_in
from tapproxy.wrap.configs.entries import (
    KIND,
    Standing,
    how_recorded,
    intending,
    standing,
    standing_so,
    wanted,
)
from tapproxy.wrap.configs.inspecting import findings
from tapproxy.wrap.configs.servers import Server
from tapproxy.wrap.configs.steps import (
    bare,
    clear_away,
    forget,
    put,
    read_entry,
    refused,
    tell,
    write,
)
from tapproxy.wrap.configs.words import goes_through_tap, words_for
from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.kinds import Act
from tapproxy.wrap.modes import Mode
from tapproxy.wrap.registry import Entry

__all__ = ["findings", "mode", "recover", "switch", "unwrap"]


def mode(entry: Entry) -> str:
    """Return the mode in words."""
    return str(standing(entry).mode)


def switch(entry: Entry, mode: Mode, act: Act) -> None:
    """Have the server started in another mode, or (off) as before tap; raises WrapError."""
    config, text, server = read_entry(entry)
    if server is None:
        raise WrapError(
            f"{entry.path} has no server {entry.part} any more; `tap unwrap` forgets it"
        )
    before, own = bare(text, server, standing(entry), entry)
    after, to = _in_mode(before, own, mode, entry)
    if act.dry:
        tell(config, after, act)
        return
    with _undone_if_refused(entry, act):
        begun = write(config, after, intending(entry, to), act)
        put(standing_so(begun, to), act)


def unwrap(entry: Entry, act: Act) -> None:
    """Have the server started as before tap, and forget that it was wrapped; raises WrapError."""
    try:
        config, text, server = read_entry(entry)
        after = text if server is None else bare(text, server, standing(entry), entry)[0]
    except WrapError as error:
        if not act.force:
            raise WrapError(f"{error} (--force: forget it, and leave the file)") from error
        forget(entry, b"", act)
        act.say(f"{entry.name} is forgotten; {entry.path} is left as it is")
        return
    if act.dry:
        tell(config, after, act)
        return
    if server is None:
        act.say(f"{entry.path} has no server {entry.part} any more: there was nothing to restore")
    with _undone_if_refused(entry, act):
        write(config, after, entry.to("unwrapping"), act)
    forget(entry, after.document.text.encode(), act)
    if server is not None:
        act.say(f"{entry.name} is started as before tap: {entry.path}")


def recover(entry: Entry, act: Act) -> str:
    """Complete what was begun if the file has it, else undo it; return which, in a sentence."""
    try:
        config, _, server = read_entry(entry)
    except WrapError as error:
        return f"{entry.name}: something was begun and not completed; {error}"
    clear_away(entry, act)
    words = () if server is None else server.words
    was, to = standing(entry), wanted(entry)
    if entry.state == "wrapping" and to is not None and words == to.words:
        put(standing_so(entry, to), act)
        return f"{entry.name}: what was begun is completed; mode {to.mode}"
    is_out = entry.state == "unwrapping" and not goes_through_tap(words)
    if is_out or entry.details["is_new"]:
        forget(entry, config.data, act)
        ended = "completed" if is_out else "undone"
        return f"{entry.name}: what was begun is {ended}; it is not wrapped"
    put(standing_so(entry, was), act)
    return f"{entry.name}: what was begun is undone; mode {was.mode}, as before"


@contextmanager
def _undone_if_refused(entry: Entry, act: Act) -> Iterator[None]:
    """Leave nothing half-done where a step is refused; what is refused then, the next tap does."""
    try:
        yield
    except WrapError:
        with suppress(WrapError):
            begun = act.registry.find(KIND, entry.path, entry.part)
            if begun is not None and begun.state != "wrapped":
                recover(begun, act)
        raise


def _in_mode(text: Text, own: Server, mode: Mode, entry: Entry) -> tuple[Text, Standing]:
    """Return the text in which the server is started in a mode; raises WrapError."""
    if mode.word == "off":
        return text, Standing(mode, own.words, None)
    if goes_through_tap(own.words):
        raise WrapError(f"{entry.name} goes through tap already, in its own words: {entry.path}")
    words = words_for(mode, own.name, how_recorded(entry))
    try:
        after, change = put_in(text, own, words, instead=mode.word == "replay")
    except CannotChange as error:
        raise refused(entry, error) from error
    return after, Standing(mode, own.words, change)
