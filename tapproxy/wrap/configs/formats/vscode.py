"""Visual Studio Code: `mcp.json` of a workspace or of the user; in older versions, user settings.

(Visual Studio Code, "MCP configuration reference"; before version 1.102, `mcp.servers` in
`settings.json`.)
"""

from tapproxy.wrap.configs.api import Format, Places, in_tables
from tapproxy.wrap.configs.jsonc import JSONC

_FILES = ("Code/User/mcp.json", "Code/User/settings.json")

VSCODE = Format(
    "vscode",
    "Visual Studio Code",
    JSONC,
    Places(
        linux=tuple("${XDG_CONFIG_HOME:-~/.config}/" + it for it in _FILES),
        macos=tuple("~/Library/Application Support/" + it for it in _FILES),
        windows=tuple("${APPDATA:-~/AppData/Roaming}/" + it for it in _FILES),
        project=(".vscode/mcp.json", ".vscode/settings.json"),
    ),
    in_tables(("servers",), ("mcp", "servers")),
)
