"""Zed: `context_servers` in its settings. In older ones an entry's command is an object.

(Zed, "Model Context Protocol": As Custom Servers; "Configuring Zed": Settings files.)
"""

from tapproxy.wrap.configs.api import Format, Places, in_tables
from tapproxy.wrap.configs.jsonc import JSONC
from tapproxy.wrap.configs.servers import Shape

_OLDER = Shape(("command", "path"), ("command", "args"), ("command", "env"))

ZED = Format(
    "zed",
    "Zed",
    JSONC,
    Places(
        linux=("${XDG_CONFIG_HOME:-~/.config}/zed/settings.json",),
        macos=("~/.config/zed/settings.json",),
        windows=("${APPDATA:-~/AppData/Roaming}/Zed/settings.json",),
        project=(".zed/settings.json",),
    ),
    in_tables(("context_servers",), shapes=(_OLDER, Shape())),
)
