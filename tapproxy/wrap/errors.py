"""What keeps a target from being wrapped or unwrapped, in one line for the user."""

from tapproxy.errors import COULD_NOT_RUN, USAGE, TapError


class WrapError(TapError):
    """Refused: the line says what, which one, and what to try. Nothing was changed."""

    def __init__(self, message: str, exit_code: int = USAGE) -> None:
        super().__init__(message, exit_code)


class CouldNot(WrapError):
    """The system refused: a read-only folder, a full disk. What was begun is undone."""

    def __init__(self, message: str) -> None:
        super().__init__(message, COULD_NOT_RUN)
