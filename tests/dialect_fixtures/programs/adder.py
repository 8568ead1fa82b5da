"""A made-up JSON-RPC server that adds numbers, and asks back before it divides."""

import json
import sys
from typing import Any


def answers(message: Any) -> list[Any]:
    """Return what the server says to one message."""
    match message:
        case list():
            return [[answer for it in message for answer in answers(it)]]
        case {"method": "add", "id": number, "params": [first, second]}:
            return [{"jsonrpc": "2.0", "id": number, "result": first + second}]
        case {"method": "divide", "params": [_, divisor]}:
            question = {"divisor": divisor}
            return [{"jsonrpc": "2.0", "id": 1, "method": "confirm", "params": question}]
        case {"id": 1, "result": False}:
            error = {"code": 7, "message": "not confirmed", "data": {"divisor": 0}}
            told = {"jsonrpc": "2.0", "method": "log", "params": {"text": "nothing divided"}}
            return [told, {"jsonrpc": "2.0", "id": "d", "error": error}]
    return []


for line in sys.stdin:
    try:
        said = answers(json.loads(line))
    except ValueError:
        parse_error = {"code": -32700, "message": "Parse error"}
        said = [{"jsonrpc": "2.0", "id": None, "error": parse_error}]
    for answer in said:
        print(json.dumps(answer, separators=(",", ":")), flush=True)
