"""Anything at all: frames of which nothing is known, shown as bytes."""

from collections.abc import Sequence

from tapproxy.dialects.api import Dialect, Heard, Meaning


class RawReading:
    """Understands nothing."""

    def read(self, heard: Heard) -> Sequence[Meaning]:
        """Return no meaning: the frame is shown as it is."""
        del heard
        return ()

    def skim(self, heard: Heard, end: bytes) -> Sequence[Meaning]:
        """Return no meaning of a large frame either."""
        del heard, end
        return ()

    def traits(self) -> Sequence[str]:
        """Return nothing: nothing is learnt."""
        return ()


def _recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str:
    del argv
    return "no JSON in the first frames" if frames else "neither side has said anything"


RAW = Dialect(
    name="raw",
    purpose="frames of which nothing is known",
    recognise=_recognise,
    begin=lambda _: RawReading(),
    last_resort=True,
)
