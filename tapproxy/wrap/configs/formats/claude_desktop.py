"""Claude Desktop: `claude_desktop_config.json`.

(Model Context Protocol, "Connect to local MCP servers": Configure the Filesystem Server.)
"""

from tapproxy.wrap.configs.api import Format, Places, in_tables
from tapproxy.wrap.configs.jsonc import JSONC

_FILE = "Claude/claude_desktop_config.json"

CLAUDE_DESKTOP = Format(
    "claude-desktop",
    "Claude Desktop",
    JSONC,
    Places(
        linux=("${XDG_CONFIG_HOME:-~/.config}/" + _FILE,),
        macos=("~/Library/Application Support/" + _FILE,),
        windows=("${APPDATA:-~/AppData/Roaming}/" + _FILE,),
    ),
    in_tables(("mcpServers",)),
)
