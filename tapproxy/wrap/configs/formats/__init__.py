"""The clients whose files are known, one file each."""

from tapproxy.wrap.configs.api import Format
from tapproxy.wrap.configs.formats.claude_code import CLAUDE_CODE
from tapproxy.wrap.configs.formats.claude_desktop import CLAUDE_DESKTOP
from tapproxy.wrap.configs.formats.codex import CODEX
from tapproxy.wrap.configs.formats.cursor import CURSOR
from tapproxy.wrap.configs.formats.helix import HELIX
from tapproxy.wrap.configs.formats.neovim import NEOVIM
from tapproxy.wrap.configs.formats.plain import PLAIN
from tapproxy.wrap.configs.formats.vscode import VSCODE
from tapproxy.wrap.configs.formats.zed import ZED

FORMATS: tuple[Format, ...] = (
    PLAIN,
    CLAUDE_CODE,
    CLAUDE_DESKTOP,
    CURSOR,
    VSCODE,
    ZED,
    CODEX,
    HELIX,
    NEOVIM,
)
"""PLAIN first: what fits it as well as another is no other's, unless it lies in its place."""
