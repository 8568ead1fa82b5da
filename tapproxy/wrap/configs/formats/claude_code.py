"""Claude Code: a project's `.mcp.json`; its own `~/.claude.json`, which has projects within.

(Claude Code, "Connect Claude Code to tools via MCP": MCP installation scopes.)
"""

from tapproxy.wrap.configs.api import ANY, Format, Places, in_tables
from tapproxy.wrap.configs.jsonc import JSONC

CLAUDE_CODE = Format(
    "claude-code",
    "Claude Code",
    JSONC,
    Places(
        everywhere=("${CLAUDE_CONFIG_DIR:-~}/.claude.json",),
        project=(".mcp.json",),
    ),
    in_tables(("mcpServers",), ("projects", ANY, "mcpServers")),
)
