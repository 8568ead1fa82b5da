"""What tap tells its user and what it exits with; printed in one place, `tapproxy.cli`."""

USAGE = 2
"""Exit code: the command line or the input is wrong."""
COULD_NOT_RUN = 3
"""Exit code: the command was right, and yet tap could not do it."""
NOT_EXECUTABLE = 126
NOT_FOUND = 127


class TapError(Exception):
    """One line for the user (what, which, what to try) and the exit code that goes with it."""

    def __init__(self, message: str, exit_code: int = COULD_NOT_RUN) -> None:
        super().__init__(message)
        self.exit_code = exit_code
