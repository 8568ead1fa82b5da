"""Makes the tape of fixtures/dialects/dap: `python -m tests.dialect_fixtures.dap`."""

from pathlib import Path

from tests.dialect_fixtures.recorded import FIXTURES, record
from tests.real.peers import python_of

PROGRAMS = Path(__file__).parent / "programs"


def main() -> None:
    """Record the session."""
    record(
        FIXTURES / "dap" / "debugpy.tape",
        [python_of("dap"), str(PROGRAMS / "dap_debugpy.py")],
        [python_of("dap"), "-m", "debugpy.adapter"],
        ["python", "-m", "debugpy.adapter"],
    )


if __name__ == "__main__":
    main()
