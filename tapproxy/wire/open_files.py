"""The limit of open files: ours is lifted, the plugin's stays, and too few are noticed in time."""

ENOUGH = 48
"""Descriptors with which a session never runs out: three streams take about thirty."""


class OpenFiles:
    """The host's limit, lifted for us as far as we may and given back to the plugin."""

    def __init__(self) -> None:
        import resource

        self._soft, self._hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._lifted = 0 <= self._soft < ENOUGH
        if self._lifted:
            self._set(self._hard)

    @property
    def are_enough(self) -> bool:
        """Whether a session can be recorded with as many."""
        return self._hard < 0 or self._hard >= ENOUGH

    def give_back(self) -> None:
        """In the plugin's process: set the limit as it was."""
        if self._lifted:
            self._set(self._soft)

    def _set(self, soft: int) -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, self._hard))
