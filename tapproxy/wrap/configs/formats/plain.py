"""Any other client's JSON that names its servers under `mcpServers`, as most do."""

from tapproxy.wrap.configs.api import Format, Places, in_tables
from tapproxy.wrap.configs.jsonc import JSONC

PLAIN = Format(
    "mcp",
    "MCP client",
    JSONC,
    Places(everywhere=("${COPILOT_HOME:-~/.copilot}/mcp-config.json",)),
    in_tables(("mcpServers",)),
)
