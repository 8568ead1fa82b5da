"""An MCP session by the Python SDK's client, with a server that converts times.

Our arguments are the server's command line; a summary of the session is printed as JSON. With
REVERSED=1 in the environment what is asked at once is asked in the other order.
"""
# mypy: disable-error-code="import-not-found"

import asyncio
import json
import os
import sys

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

STEP = -1 if os.environ.get("REVERSED") == "1" else 1


async def difference(client: Client, target: str) -> str:
    """Convert noon in UTC; return by how much the target differs, or the tool's complaint."""
    zones = {"source_timezone": "UTC", "target_timezone": target, "time": "12:00"}
    result = await client.call_tool("convert_time", zones)
    if result.is_error:
        return str(result.content[0].text)
    return str(result.structured_content["time_difference"])


async def refusal(client: Client) -> str:
    """Call a tool that does not exist; return the server's error."""
    try:
        await client.call_tool("no such tool ☃", {})
    except MCPError as error:
        return str(error)
    return "no error"


async def session(command: str, *arguments: str) -> dict[str, object]:
    """Connect, list, call well and badly, and disconnect."""
    server = StdioServerParameters(command=command, args=list(arguments))
    async with Client(stdio_client(server)) as client:
        tools = await client.list_tools()
        calls = [difference(client, f"Etc/GMT-{n}") for n in range(9)][::STEP]
        return {
            "protocol": client.protocol_version,
            "tools": [tool.name for tool in tools.tools],
            "converted": [
                await difference(client, zone) for zone in ("Asia/Tokyo", "Asia/Kolkata")
            ],
            "complaint": await difference(client, "Atlantis/Main_Street"),
            "refusal": await refusal(client),
            "at once": (await asyncio.gather(*calls))[::STEP],
        }


print(json.dumps(asyncio.run(session(*sys.argv[1:]))))
