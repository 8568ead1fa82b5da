"""Cursor: `mcp.json` in the folder `.cursor` of the user or of a project.

(Cursor, "Model Context Protocol": Configuration locations.)
"""

from tapproxy.wrap.configs.api import Format, Places, in_tables
from tapproxy.wrap.configs.jsonc import JSONC

CURSOR = Format(
    "cursor",
    "Cursor",
    JSONC,
    Places(everywhere=("~/.cursor/mcp.json",), project=(".cursor/mcp.json",)),
    in_tables(("mcpServers",)),
)
