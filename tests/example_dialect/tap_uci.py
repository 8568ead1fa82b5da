"""The Universal Chess Interface, as a dialect of tap: a board asks, an engine answers."""

from collections.abc import Sequence

from tapproxy.dialects.api import Dialect, Heard, Meaning, Side

ANSWERS = {"uciok": "uci", "readyok": "isready", "bestmove": "go"}
"""By the engine's word: the board's command that it answers."""

GO: tuple[Side, str] = ("in", "go")
"""The command that makes an engine think."""


class UciReading:
    """Reads the lines of one session; remembers which engine it is."""

    def __init__(self) -> None:
        self._engine = ""

    def read(self, heard: Heard) -> Sequence[Meaning]:
        """Return what a line says: its first word tells what it is."""
        word, _, rest = heard.body.decode("utf-8", "replace").strip().partition(" ")
        if heard.side == "in":
            asks = word if word in ANSWERS.values() else None
            about = GO if word == "stop" else None
            return [Meaning("command", word, rest, asks=asks, about=about)]
        if word in ANSWERS:
            return [Meaning("answer", summary=rest, replies=ANSWERS[word])]
        if word == "info":  # a hundred lines a second while it thinks: one run, folded
            return [Meaning("info", summary=rest, about=GO, run="thinking")]
        if word == "id" and rest.startswith("name "):
            self._engine = rest.removeprefix("name ")
        known = word in {"id", "option", "copyprotection", "registration"}
        return [Meaning("told", word, rest, note="" if known else "no word of UCI")]

    def traits(self) -> Sequence[str]:
        """Return the engine's name, once it has said it."""
        return [f"engine {self._engine}"] if self._engine else []


def _recognise(argv: Sequence[str], frames: Sequence[Heard]) -> str | None:
    del argv
    begins = frames and frames[0].side == "in" and frames[0].body.strip() == b"uci"
    return 'the host begins with "uci"' if begins else None


UCI = Dialect("uci", "the Universal Chess Interface", _recognise, lambda _: UciReading())
