"""An MCP session by the Python SDK's client, with a server in JavaScript.

Our arguments are the server's command line; a summary of the session is printed as JSON. With
REVERSED=1 in the environment what is asked at once is asked in the other order.
"""
# mypy: disable-error-code="import-not-found"

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

STEP = -1 if os.environ.get("REVERSED") == "1" else 1


async def text_of(client: Client, name: str, **arguments: object) -> str:
    """Call a tool; return what it says."""
    result = await client.call_tool(name, arguments)
    return str(result.content[0].text)


async def session(command: str, *arguments: str) -> dict[str, object]:
    """Connect, list, call one after the other and at once, and disconnect."""
    server = StdioServerParameters(command=command, args=list(arguments))
    async with Client(stdio_client(server)) as client:
        tools = await client.list_tools()
        calls = [text_of(client, "get-sum", a=number, b=40) for number in range(7)][::STEP]
        return {
            "protocol": client.protocol_version,
            "tools": sorted(tool.name for tool in tools.tools),
            "echo": await text_of(client, "echo", message="žluťoučký kůň ☃"),
            "sums": (await asyncio.gather(*calls))[::STEP],
            "complaint": await text_of(client, "get-sum", a="two"),
        }


print(json.dumps(asyncio.run(session(*sys.argv[1:]))))
