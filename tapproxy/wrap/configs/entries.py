"""What the registry keeps of a server that is wrapped."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tapproxy.wrap.configs.api import Format
from tapproxy.wrap.configs.changing import Change, restored, stored
from tapproxy.wrap.configs.formats import FORMATS
from tapproxy.wrap.configs.reading import ConfigFile
from tapproxy.wrap.configs.servers import Server
from tapproxy.wrap.configs.words import How
from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.modes import Mode
from tapproxy.wrap.registry import Entry, now

KIND = "config"


@dataclass(frozen=True, slots=True)
class Standing:
    """How an entry stands in its file, or is to stand."""

    mode: Mode
    own: tuple[str, ...]
    """The server's own words."""
    change: Change | None
    """None: the entry is as it was; that is, off."""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words that the file has for it."""
        return self.own if self.change is None else self.change.expected(self.own)

    def is_in(self, words: Sequence[str]) -> bool:
        """Tell whether an entry with these words is as it was left, or has but more of them."""
        if self.change is None:
            return tuple(words) == self.own
        return self.change.count_in(words) is not None


def new_entry(config: ConfigFile, server: Server) -> Entry:
    """Return the entry of a server that is not wrapped yet."""
    details = {
        "format": config.format.name,
        "standing": _told(Standing(Mode("off"), server.words, None)),
        "is_new": True,
    }
    name = f"{server.key} ({config.format.title})"
    return Entry(KIND, name, config.path, server.key, "wrapping", now(), details)


def recorded(entry: Entry, how: How) -> Entry:
    """Return the entry of a server that is to be recorded so."""
    return entry.to(entry.state, recordings=how.recordings, redact=list(how.rules), keep=how.keep)


def how_recorded(entry: Entry) -> How:
    """Return how an entry's server is recorded."""
    details = entry.details
    return How(details["recordings"], tuple(details["redact"]), details.get("keep", ""))


def format_of(entry: Entry) -> Format:
    """Return the format of the entry's file; raises WrapError for one of another version of tap."""
    for form in FORMATS:
        if form.name == entry.details["format"]:
            return form
    raise WrapError(f"{entry.name}: this tap knows no format {entry.details['format']}")


def standing(entry: Entry) -> Standing:
    """Return how the entry stood when that was written last."""
    return _restored(entry.details["standing"])


def wanted(entry: Entry) -> Standing | None:
    """Return how it is to stand once what was begun is done."""
    told = entry.details.get("wanted")
    return None if told is None else _restored(told)


def intending(entry: Entry, to: Standing) -> Entry:
    """Return the entry of a change that is about to be made."""
    return entry.to("wrapping", wanted=_told(to))


def standing_so(entry: Entry, so: Standing) -> Entry:
    """Return the entry of a change that was made."""
    return entry.to("wrapped", standing=_told(so), wanted=None, is_new=False)


def _told(it: Standing) -> dict[str, Any]:
    change = None if it.change is None else stored(it.change)
    mode = {"word": it.mode.word, "recording": it.mode.recording}
    return {"mode": mode, "own": list(it.own), "change": change}


def _restored(told: dict[str, Any]) -> Standing:
    change = None if told["change"] is None else restored(told["change"])
    return Standing(Mode(**told["mode"]), tuple(told["own"]), change)
