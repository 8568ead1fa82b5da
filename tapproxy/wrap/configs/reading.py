"""A configuration file as it is on the disk, and the servers in it."""

import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from tapproxy.wrap.configs.api import Format
from tapproxy.wrap.configs.formats import FORMATS
from tapproxy.wrap.configs.jsonc import JSONC
from tapproxy.wrap.configs.language import Language
from tapproxy.wrap.configs.lua import LUA
from tapproxy.wrap.configs.servers import NO_COMMAND, Server
from tapproxy.wrap.configs.spans import Document, NotReadable, position
from tapproxy.wrap.configs.toml import TOML
from tapproxy.wrap.errors import CouldNot, WrapError

MOST_BYTES = 64 << 20
"""Of a configuration; the largest that people have hold their client's history too, a few MB."""

LANGUAGES: dict[str, Language] = {".toml": TOML, ".lua": LUA}
"""By the ending of a file; all others are JSON."""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file, as it was read."""

    path: str
    """Absolute, of the file itself where the user's name for it is a symbolic link."""
    data: bytes
    format: Format
    document: Document
    servers: Sequence[Server]


def read_config(path: str, form: Format | None = None) -> ConfigFile:
    """Read a file, of the format that is given, else of the one that it has; raises WrapError."""
    real = os.path.realpath(os.path.expanduser(path))
    data = _content(real)
    text = decoded(data, real)
    if form is not None:
        document = parsed(text, form.language, real)
        return ConfigFile(real, data, form, document, form.find(document, real))
    return _recognised(real, data, text)


def _content(path: str) -> bytes:
    try:
        told = os.stat(path)
        if stat.S_ISDIR(told.st_mode):
            raise WrapError(f"{path} is a folder; name the configuration file in it")
        if not stat.S_ISREG(told.st_mode):
            raise WrapError(f"{path} is a pipe or a device: name the file that the client reads")
        if told.st_size > MOST_BYTES:
            raise WrapError(f"{path} is larger than {MOST_BYTES >> 20} MB: no configuration is")
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError as error:
        raise WrapError(
            f"there is no {path}; name the client's file, or the client: --client"
        ) from error
    except OSError as error:
        raise CouldNot(f"cannot read {path}: {error.strerror}") from error


def decoded(data: bytes, path: str) -> str:
    """Return the text of a file; raises WrapError."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise WrapError(
            f"{path} is not UTF-8 (line {line}); it is left as it is: save it as UTF-8 first"
        ) from error


def parsed(text: str, language: Language, path: str) -> Document:
    """Return where the values of a text stand; raises WrapError."""
    try:
        return language.read(text)
    except NotReadable as error:
        line, column = position(text, error.at)
        raise WrapError(
            f"{path} is broken {language.title}, line {line}, column {column}: {error.reason}; "
            "it is left as it is: correct it first"
        ) from error


def _recognised(path: str, data: bytes, text: str) -> ConfigFile:
    """Take the format by the file's place, else the one in which most servers have commands."""
    language = LANGUAGES.get(os.path.splitext(path)[1], JSONC)
    document = parsed(text, language, path)
    found = [
        ConfigFile(path, data, form, document, form.find(document, path))
        for form in FORMATS
        if form.language is language
    ]
    for config in found:
        if config.format.is_at(path):
            return config
    best = max(found, key=_plausibility)
    if any(it.obstacle != NO_COMMAND for it in best.servers) or len(found) == 1:
        return best
    known = ", ".join(it.title for it in FORMATS[1:])
    raise WrapError(
        f"{path} names no server with a command in a way that tap knows: it knows the files of "
        f"{known}, and any JSON with mcpServers"
    )


def _plausibility(config: ConfigFile) -> tuple[int, int]:
    """Return how many servers have commands, and how many say at least why they have none."""
    known = [it for it in config.servers if it.obstacle != NO_COMMAND]
    return sum(bool(it.words) for it in known), len(known)


def find_server(config: ConfigFile, name: str) -> Server | None:
    """Return the server that a user's word means; raises WrapError where it may mean several."""
    for server in config.servers:
        if server.key == name:
            return server
    called = [it for it in config.servers if it.name == name]
    if len(called) > 1:
        raise WrapError(
            f"{config.path} has several servers called {name}: {_listed(it.key for it in called)}; "
            "name one of these with --server"
        )
    return called[0] if called else None


def get_server(config: ConfigFile, name: str) -> Server:
    """Return the server that a user's word means; raises WrapError."""
    server = find_server(config, name)
    if server is not None:
        return server
    close = find_nearest(config, name)
    if close is not None:
        raise WrapError(f"{config.path} has no server {name}; did you mean {close}?")
    keys = [it.key for it in config.servers]
    there = f"there are {_listed(keys)}" if keys else "there are none"
    raise WrapError(f"{config.path} has no server {name}; {there}")


def find_nearest(config: ConfigFile, name: str) -> str | None:
    """Return the name of a server that looks like this one."""
    names = dict.fromkeys(it for server in config.servers for it in (server.key, server.name))
    return next(iter(get_close_matches(name, names, 1)), None)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
