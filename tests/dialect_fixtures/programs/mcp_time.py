"""An MCP session of the newest revision by the Python SDK's client, with errors and a cancel.

Our arguments are the server's command line.
"""
# mypy: disable-error-code="import-not-found"

import asyncio
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client


async def give_up(call: Coroutine[Any, Any, Any]) -> None:
    """Cancel a call when its request is on its way and no answer can be there yet."""
    task = asyncio.ensure_future(call)
    for _ in range(2):  # turns of the loop: the task's first, and the writer's
        await asyncio.sleep(0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def session(command: str, *arguments: str) -> None:
    """Connect, list, call well and badly, give a call up, and disconnect."""
    server = StdioServerParameters(command=command, args=list(arguments))
    async with Client(stdio_client(server)) as client:
        await client.list_tools()
        for target in ("Asia/Tokyo", "Atlantis/Main_Street"):
            zones = {"source_timezone": "UTC", "target_timezone": target, "time": "12:00"}
            await client.call_tool("convert_time", zones)
        with suppress(MCPError):
            await client.call_tool("no such tool", {})
        await give_up(client.call_tool("get_current_time", {"timezone": "UTC"}))
        await client.call_tool("get_current_time", {"timezone": "UTC"})


asyncio.run(session(*sys.argv[1:]))
