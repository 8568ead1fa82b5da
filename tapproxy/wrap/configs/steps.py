"""The steps of wrapping and unwrapping a server; after each, the client has one that it can start.

In this order: an intent in the registry, a backup, the file, the registry again. To unwrap: an
intent, the file, and then the backup and what the registry has go.
"""

from tapproxy.wrap.configs import backups
from tapproxy.wrap.configs.changing import CannotChange, Text, take_out
from tapproxy.wrap.configs.diffs import difference
from tapproxy.wrap.configs.entries import KIND, Standing, format_of
from tapproxy.wrap.configs.reading import ConfigFile, read_config
from tapproxy.wrap.configs.servers import Server
from tapproxy.wrap.configs.words import goes_through_tap
from tapproxy.wrap.errors import CouldNot, WrapError
from tapproxy.wrap.kinds import Act
from tapproxy.wrap.registry import Entry


def read_entry(entry: Entry) -> tuple[ConfigFile, Text, Server | None]:
    """Return an entry's file and text, and its server, if that is still there; raises WrapError."""
    config = read_config(entry.path, format_of(entry))
    text = Text(config.format, config.path, config.document)
    return config, text, text.server(entry.part)


def bare(text: Text, server: Server, so: Standing, entry: Entry) -> tuple[Text, Server]:
    """Return the text in which the server is started by its own words, and the server there.

    Its own are those that it has now, should somebody have added one since. Raises WrapError.
    """
    if so.change is None or not goes_through_tap(server.words):
        return text, server
    try:
        after = take_out(text, server, so.change, so.own)
    except CannotChange as error:
        raise refused(entry, error) from error
    return after, after.server(server.key) or server


def refused(entry: Entry, error: CannotChange) -> WrapError:
    """Say that an entry is left as it is, and where it is as it was."""
    kept = entry.details.get("backup")
    was = f"; how it was: {kept}" if kept else ""
    return WrapError(f"{entry.name} is left as it is: {error}; edit {entry.path} yourself{was}")


def write(config: ConfigFile, after: Text, intent: Entry, act: Act) -> Entry:
    """Say in the registry what is intended, and then do it; return what was said.

    Raises WrapError.
    """
    text = after.document.text
    if text == config.document.text:
        return intent
    others = [it.details["backup"] for it in _of_the_same_file(intent, act)]
    if "backup" not in intent.details:
        kept = others[0] if others else backups.place_for(config)
        intent = intent.to(intent.state, backup=kept)
    put(intent, act)
    if intent.details["is_new"] and not others:
        backups.back_up(config, intent.details["backup"], act.files)
    backups.write_anew(config, text.encode(), act.files)
    return intent


def tell(config: ConfigFile, after: Text, act: Act) -> None:
    """Show what would be done: --dry-run."""
    lines = list(difference(config.document.text, after.document.text, config.path))
    for line in lines or [f"{config.path} stays as it is"]:
        act.say(line)


def put(entry: Entry, act: Act) -> None:
    """Write down how an entry stands; raises CouldNot."""
    try:
        act.registry.put(entry)
    except OSError as error:
        raise CouldNot(
            f"cannot write in {act.registry.folder} what is wrapped: {error.strerror}"
        ) from error


def clear_away(entry: Entry, act: Act) -> None:
    """Remove what was being written when something was cut off; raises CouldNot."""
    kept = entry.details.get("backup")
    backups.clear_away([entry.path, *([kept] if kept else [])], act.files)


def forget(entry: Entry, now: bytes, act: Act) -> None:
    """Remove what was kept of an entry; the backup only if the file is as it was before tap."""
    kept = entry.details.get("backup")
    clear_away(entry, act)
    if kept and not _of_the_same_file(entry, act) and not backups.drop_backup(kept, now, act.files):
        act.say(
            f"{kept} stays, as {entry.path} is no longer what it was before tap; remove it if you "
            "do not need it"
        )
    try:
        act.registry.remove(entry)
    except OSError as error:
        raise CouldNot(
            f"cannot remove what {act.registry.folder} has of {entry.name}: {error.strerror}"
        ) from error


def _of_the_same_file(entry: Entry, act: Act) -> list[Entry]:
    """Return the entries of the other servers of a file."""
    return [
        it
        for it in act.registry.entries()
        if (it.kind, it.path) == (KIND, entry.path) and it.part != entry.part
    ]
