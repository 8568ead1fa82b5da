"""Codex: `[mcp_servers.NAME]` in `config.toml`.

(Codex, "Model Context Protocol": Configure with config.toml.)
"""

from tapproxy.wrap.configs.api import Format, Places, in_tables
from tapproxy.wrap.configs.toml import TOML

CODEX = Format(
    "codex",
    "Codex",
    TOML,
    Places(everywhere=("${CODEX_HOME:-~/.codex}/config.toml",), project=(".codex/config.toml",)),
    in_tables(("mcp_servers",)),
)
