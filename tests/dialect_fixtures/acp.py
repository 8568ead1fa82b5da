"""Makes the tape of fixtures/dialects/acp: `python -m tests.dialect_fixtures.acp PYTHON`.

PYTHON is an interpreter that has agent-client-protocol 0.12.1.
"""

import sys
from pathlib import Path

from tests.dialect_fixtures.recorded import FIXTURES, record

PROGRAMS = Path(__file__).parent / "programs"


def main(python: str) -> None:
    """Record the session: client and agent are both on the SDK."""
    record(
        FIXTURES / "acp" / "editor.tape",
        [python, str(PROGRAMS / "acp_client.py")],
        [python, str(PROGRAMS / "acp_agent.py")],
        ["fixture-agent"],
    )


if __name__ == "__main__":
    main(sys.argv[1])
