"""A small MCP server: one tool, which tells the time that $CLOCK has, and what the server is like.

Every start is noted in the file $STARTS, if that is named.
"""

import json
import os
import sys
from typing import Any


def result(method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Answer a request."""
    if method == "initialize":
        info = {"name": "clock", "version": "1"}
        wanted = parameters["protocolVersion"]
        return {"protocolVersion": wanted, "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [{"name": "now", "inputSchema": {"type": "object"}}]}
    like = {"clock": os.environ["CLOCK"], "arguments": sys.argv[1:], "folder": os.getcwd()}
    return {"content": [{"type": "text", "text": json.dumps(like)}]}


def main() -> None:
    """Serve until stdin ends."""
    if "STARTS" in os.environ:
        with open(os.environ["STARTS"], "a", encoding="utf-8") as file:
            file.write("started\n")
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            answer = result(message["method"], message.get("params", {}))
            told = {"jsonrpc": "2.0", "id": message["id"], "result": answer}
            print(json.dumps(told), flush=True)


main()
