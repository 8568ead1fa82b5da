"""Makes the tapes of fixtures/dialects/mcp: `python -m tests.dialect_fixtures.mcp`."""

from pathlib import Path

from tests.dialect_fixtures.recorded import FIXTURES, record
from tests.real.peers import EVERYTHING, FOLDER, NODE, python_of

PROGRAMS = Path(__file__).parent / "programs"


def main() -> None:
    """Record both sessions."""
    record(
        FIXTURES / "mcp" / "time.tape",
        [python_of("mcp"), str(PROGRAMS / "mcp_time.py")],
        [str(FOLDER / "mcp" / "bin" / "mcp-server-time"), "--local-timezone", "UTC"],
        ["mcp-server-time", "--local-timezone", "UTC"],
    )
    record(
        FIXTURES / "mcp" / "everything.tape",
        ["node", str(PROGRAMS / "mcp_everything.mjs"), str(NODE)],
        ["node", str(EVERYTHING / "index.js")],
        ["mcp-server-everything"],
    )


if __name__ == "__main__":
    main()
