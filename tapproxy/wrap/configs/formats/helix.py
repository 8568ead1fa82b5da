"""Helix: `[language-server.NAME]` in `languages.toml`.

(Helix, "Languages": Language Server configuration; "Configuration": where the folder is.)
"""

from tapproxy.wrap.configs.api import Format, Places, in_tables
from tapproxy.wrap.configs.servers import Shape
from tapproxy.wrap.configs.toml import TOML

HELIX = Format(
    "helix",
    "Helix",
    TOML,
    Places(
        linux=("${XDG_CONFIG_HOME:-~/.config}/helix/languages.toml",),
        macos=("${XDG_CONFIG_HOME:-~/.config}/helix/languages.toml",),
        windows=("${APPDATA:-~/AppData/Roaming}/helix/languages.toml",),
        project=(".helix/languages.toml",),
    ),
    in_tables(("language-server",), shapes=(Shape(environment=("environment",)),)),
)
