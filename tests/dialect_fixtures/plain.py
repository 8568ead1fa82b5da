"""Makes the tapes of fixtures/dialects/jsonl, jsonrpc and raw.

`python -m tests.dialect_fixtures.plain`.
"""

import sys
from pathlib import Path

from tests.dialect_fixtures.recorded import FIXTURES, record

PROGRAMS = Path(__file__).parent / "programs"
TALK = [sys.executable, str(PROGRAMS / "talk.py")]

TO_TOOL = [  # before each line: how many lines come back
    '5:{"action":"scan","path":"src"}',  # one of the five is there from the start
    '1:{"id":1,"method":"count","params":{"glob":"*.py"}}',
    '1:{"id":2,"method":"forget","params":{}}',
    '2:{"seq":0,"type":"request","command":"open","arguments":{"file":"a.py"}}',
    '2:["ping"]',
]
TO_SERVER = [
    '1:{"jsonrpc":"2.0","id":1,"method":"add","params":[20,22]}',
    '1:{"jsonrpc":"2.0","id":"d","method":"divide","params":[1,0]}',
    '2:{"jsonrpc":"2.0","id":1,"result":false}',
    '1:[{"jsonrpc":"2.0","id":1.0,"method":"add","params":[1,1]},'
    '{"jsonrpc":"2.0","id":12345678901234567890123,"method":"add","params":[2,2]}]',
    '1:{"jsonrpc":"2.0","id":3,"method":"ad',
    '0:{"jsonrpc":"2.0","method":"bye"}',
]
TO_CALCULATOR = ["1:6 * 7", "0:x = 2 ^ 64", "1:x", "0:quit"]


def main() -> None:
    """Record the three sessions."""
    tool, server = ([sys.executable, str(PROGRAMS / it)] for it in ("indexer.py", "adder.py"))
    record(FIXTURES / "jsonl" / "tool.tape", [*TALK, *TO_TOOL, "--"], tool, ["indexer"])
    record(FIXTURES / "jsonrpc" / "adder.tape", [*TALK, *TO_SERVER, "--"], server, ["adder"])
    record(FIXTURES / "raw" / "bc.tape", [*TALK, *TO_CALCULATOR, "--"], ["bc", "-q"], ["bc", "-q"])


if __name__ == "__main__":
    main()
