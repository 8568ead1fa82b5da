"""Text in, text out: a server that is started through tap, and one that no longer is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tapproxy.wrap.configs.api import Format
from tapproxy.wrap.configs.pieces import Edit, Piece, applied, edited, pieces, taken_out, undone
from tapproxy.wrap.configs.servers import Server
from tapproxy.wrap.configs.spans import Document, NotReadable, Path

OTHER_LISTS = "its arguments are not what tap wrote there"


class CannotChange(ValueError):
    """The entry cannot be changed without doing harm, for this reason."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was, or is to be, done to an entry."""

    words: tuple[str, ...]
    """That start tap; the server's own come behind them."""
    instead: bool
    """The words stand alone: in place of the server's own."""
    pieces: tuple[Piece, ...]

    def expected(self, own: Sequence[str]) -> tuple[str, ...]:
        """Return all words of the entry, given the server's own."""
        return self.words if self.instead else (*self.words, *own)

    def count_in(self, words: Sequence[str]) -> int | None:
        """Return how many of an entry's words are tap's; None where that cannot be told.

        A client may have swallowed the `--`, and a user may have put options before it.
        """
        start = self.words if self.instead else self.words[: self.words.index("run") + 1]
        if tuple(words[: len(start)]) != start:
            return None
        if self.instead:
            return len(start) if len(words) == len(start) else None
        ours = len(self.words)
        if tuple(words[:ours]) == self.words:
            return ours
        swallowed = tuple(words[: ours - 1]) == self.words[:-1] and words[ours - 1 :]
        if swallowed and not swallowed[0].startswith("-"):
            return ours - 1
        return words.index("--") + 1 if "--" in words else None


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file of a format; `path` is for formats in which a file's name counts."""

    form: Format
    path: str
    document: Document

    def server(self, key: str) -> Server | None:
        """Return the server of this key."""
        found = self.form.find(self.document, self.path)
        return next((it for it in found if it.key == key), None)

    def changed(self, edits: Sequence[Edit], server: Server, words: Sequence[str]) -> "Text":
        """Return the text with edits made; raises CannotChange if they do more than they should.

        Afterwards the server must have these words, and every other value be written as before.
        """
        try:
            document = self.form.language.read(edited(self.document.text, edits))
        except NotReadable as error:
            raise CannotChange(error.reason) from error
        after = Text(self.form, self.path, document)
        now = after.server(server.key)
        if now is None or now.words != tuple(words):
            raise CannotChange(OTHER_LISTS)
        if _others(self.document, server) != _others(document, now):
            raise CannotChange("other entries would change with it")
        return after


def put_in(
    text: Text, server: Server, words: Sequence[str], *, instead: bool
) -> tuple[Text, Change]:
    """Return the text in which the server is started by these words, and what was done.

    Raises CannotChange.
    """
    wanted = pieces(text.document, text.form.language, server, words, instead=instead)
    change = Change(tuple(words), instead, tuple(wanted))
    edits = applied(server, wanted)
    return text.changed(edits, server, change.expected(server.words)), change


def take_out(text: Text, server: Server, change: Change, own: Sequence[str]) -> Text:
    """Return the text in which the server is started by its own words again.

    To the byte, unless somebody has written the entry anew since: then its words are taken out of
    what stands there. Raises CannotChange where tap's words are no longer in it as they were.
    """
    edits = undone(text.document, server, change.pieces)
    if edits is not None and server.words == change.expected(own):
        return text.changed(edits, server, own)
    count = change.count_in(server.words)
    if count is None:
        raise CannotChange(OTHER_LISTS)
    edits = taken_out(text.document, text.form.language, server, count, own)
    return text.changed(edits, server, server.words[count:] or own)


def _others(document: Document, server: Server) -> dict[Path, str]:
    """Return all values but the server's command and arguments, as they are written."""
    return {
        path: document.written(pair.value)
        for path, pair in document.pairs.items()
        if pair.value.kind != "table" and pair not in (server.command, server.arguments)
    }


def stored(change: Change) -> dict[str, Any]:
    """Return a change as JSON has it."""
    done = [[it.part, it.before, it.after] for it in change.pieces]
    return {"words": list(change.words), "instead": change.instead, "pieces": done}


def restored(told: dict[str, Any]) -> Change:
    """Return the change that was stored."""
    done = tuple(Piece(*it) for it in told["pieces"])
    return Change(tuple(told["words"]), told["instead"], done)
