"""Makes the tape of fixtures/dialects/lsp: `python -m tests.dialect_fixtures.lsp`."""

from pathlib import Path

from tests.dialect_fixtures.recorded import FIXTURES, record
from tests.real.peers import FOLDER, python_of

PROGRAMS = Path(__file__).parent / "programs"


def main() -> None:
    """Record the session."""
    record(
        FIXTURES / "lsp" / "ruff.tape",
        [python_of("lsp"), str(PROGRAMS / "lsp_ruff.py")],
        [str(FOLDER / "lsp" / "bin" / "ruff"), "server"],
        ["ruff", "server"],
    )


if __name__ == "__main__":
    main()
