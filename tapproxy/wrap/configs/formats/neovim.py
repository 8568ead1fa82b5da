"""Neovim: the commands of language servers in its Lua, where they are plain lists of texts.

(Neovim, `:help lsp-config`, `:help lsp-new-config`, `:help base-directories`.)
"""

import os
from dataclasses import replace

from tapproxy.wrap.configs.api import Format, Places
from tapproxy.wrap.configs.lua import COMMAND, LUA, WHOLE_FILE
from tapproxy.wrap.configs.servers import Server, Shape, server_at
from tapproxy.wrap.configs.spans import Document

_SHAPES = (Shape((COMMAND,), None, ("cmd_env",)),)


def _find(document: Document, path: str) -> list[Server]:
    """Return the servers; that of a file that returns its table only if it is in a folder `lsp`."""
    folder, file = os.path.split(os.path.abspath(path))
    found = []
    for name, _ in document.pairs:
        server = server_at(document, (name,), _SHAPES)
        if name != WHOLE_FILE:
            found.append(server)
        elif os.path.basename(folder) == "lsp":
            found.append(replace(server, name=os.path.splitext(file)[0]))
    return found


NEOVIM = Format(
    "neovim",
    "Neovim",
    LUA,
    Places(
        linux=("${XDG_CONFIG_HOME:-~/.config}/nvim/init.lua",),
        macos=("${XDG_CONFIG_HOME:-~/.config}/nvim/init.lua",),
        windows=("${LOCALAPPDATA:-~/AppData/Local}/nvim/init.lua",),
    ),
    _find,
)
