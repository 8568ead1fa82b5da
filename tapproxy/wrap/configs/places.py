"""Where clients have their files: on this system, for this user, in this project."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tapproxy.wrap.configs.api import Format
from tapproxy.wrap.configs.formats import FORMATS
from tapproxy.wrap.configs.reading import find_server, read_config
from tapproxy.wrap.errors import WrapError

_variable = re.compile(r"\$\{(\w+):-([^}]*)\}")

SHORT = {"claude": ("claude-code", "claude-desktop"), "code": ("vscode",), "nvim": ("neovim",)}
"""What people may call a client."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the places depend on."""

    system: str  # sys.platform
    home: str
    project: str
    variables: Mapping[str, str]


def surroundings() -> Surroundings:
    """Return those of this process."""
    return Surroundings(sys.platform, os.path.expanduser("~"), os.getcwd(), os.environ)


def places_of(form: Format, around: Surroundings) -> list[str]:
    """Return where a client looks for its files, a project's first."""
    it = form.places
    own = {"darwin": it.macos, "win32": it.windows}.get(around.system, it.linux)
    project = [os.path.join(around.project, place) for place in it.project]
    return [*project, *(_filled_in(place, around) for place in (*own, *it.everywhere))]


def _filled_in(place: str, around: Surroundings) -> str:
    path = _variable.sub(lambda it: around.variables.get(it[1]) or it[2], place)
    path = around.home + path[1:] if path.startswith("~") else path
    return os.path.normpath(path)


def formats_called(client: str) -> list[Format]:
    """Return the formats of a client by what it is called; raises WrapError."""
    names = SHORT.get(client, (client,))
    found = [it for it in FORMATS if it.name in names]
    if not found:
        known = ", ".join(sorted(it.name for it in FORMATS))
        raise WrapError(f"no client {client} is known; known are {known}: name its file, --config")
    return found


def file_of(client: str, servers: Sequence[str]) -> str:
    """Return the file of a client: of several, the one that has these servers. Raises WrapError."""
    found = files_of(client, surroundings())
    having = [it for it in found if len(found) == 1 or _has(it, servers)]
    if len(having) == 1:
        return having[0]
    which = f"{client} has {', '.join(having or found)}"
    if servers and not having:
        raise WrapError(f"{which}; none of them has {', '.join(servers)}")
    raise WrapError(f"{which}: name one with --config")


def _has(path: str, servers: Sequence[str]) -> bool:
    config = read_config(path)
    return all(find_server(config, it) for it in servers)


def files_of(client: str, around: Surroundings) -> list[str]:
    """Return the files that a client has; raises WrapError if there are none."""
    places = [it for form in formats_called(client) for it in places_of(form, around)]
    found = [it for it in places if os.path.isfile(it)]
    if not found:
        raise WrapError(
            f"{client} has no file here; looked for {', '.join(places)} (another: --config FILE)"
        )
    return found
