"""The course of an xlings session: whether its end agrees with what was said before.

Source: interface-ndjson-v1, section 6.6; a failing result comes after an error event since xlings
0.4.67.
"""

from collections.abc import Iterable
from typing import Any

from tapproxy.dialects.api import Meaning
from tapproxy.dialects.brief import brief
from tapproxy.dialects.json_reading import joined_notes
from tapproxy.dialects.jsonrpc import words_of
from tapproxy.dialects.xlings_events import text_of

CANCELLED = 130

_IN_WORDS = {1: "failed", 2: "refused", CANCELLED: "cancelled"}


class Course:
    """What a session has been told and has said so far."""

    def __init__(self) -> None:
        self.has_failures = False  # an install_summary counted failures
        self._result: int | None = None  # number of its frame
        self._has_error = False
        self._cancel: int | None = None  # number of the frame that asked for it
        self._cancel_told = False  # that xlings has acted on it
        self._paused = False

    @property
    def ended(self) -> bool:
        """Whether a result was said, after which nothing may come."""
        return self._result is not None

    def control(self, number: int, meaning: Meaning) -> Meaning:
        """Take note of a control line; say where it takes back the one before."""
        self._paused = self._paused or meaning.method == "pause"
        if meaning.method == "cancel":
            self._cancel, self._cancel_told = number, False
        elif self._cancel and meaning.method in ("pause", "resume") and not self._cancel_told:
            note = f"takes back the cancel of #{self._cancel} where xlings has not acted on it yet"
            return meaning._replace(note=note, flags=(*meaning.flags, "cancel-overwritten"))
        return meaning

    def error(self, value: dict[str, Any], meaning: Meaning) -> Meaning:
        """Take note of an error event; say where it is the end of a pause."""
        self._has_error = True
        if value.get("code") == "E_CANCELLED":
            self._cancel_told = True
        if self._paused and "paused" in str(value.get("message")):
            note = "the pause ended the call as an internal error"
            return meaning._replace(note=note, flags=(*meaning.flags, "pause-internal"))
        return meaning

    def result(self, number: int, value: dict[str, Any], cut_off: Iterable[str]) -> Meaning:
        """Return the meaning of the end; `cut_off` says what output is not whole."""
        code = value.get("exitCode")
        odd = list(self._oddities(code))
        notes = [note for note, _ in odd] + list(cut_off)
        flags = (["error"] if code != 0 else []) + [flag for _, flag in odd]
        if self._result is not None:
            notes.append(f"a second result: the first is #{self._result}")
            flags.append("second-result")
        else:
            self._result = number
        return Meaning(
            "result", None, _words(code, value), note="; ".join(notes), flags=tuple(flags)
        )

    def late(self, meaning: Meaning) -> Meaning:
        """Mark what comes after the result, with which a session ends."""
        note = "" if "second-result" in meaning.flags else f"after the result #{self._result}"
        return meaning._replace(
            within_ns=None,
            note=joined_notes(meaning.note, note),
            flags=(*meaning.flags, "after-result"),
        )

    def _oddities(self, code: Any) -> list[tuple[str, str]]:
        odd = []
        if type(code) is not int:
            odd.append(("exitCode is no whole number", "not-dialect"))
        if code != 0 and not self._has_error:
            note = f"failed ({brief(code)}) without an error event before it"
            odd.append((note, "no-error-event"))
        if code == 0 and self.has_failures:
            odd.append(("exit 0, but install_summary counts failures", "summary-exit"))
        if self._cancel is not None and code != CANCELLED:
            note = f"cancelled in #{self._cancel}, and yet exit {brief(code)}"
            odd.append((note, "cancel-ignored"))
        return odd


def _words(code: Any, value: dict[str, Any]) -> str:
    in_words = _IN_WORDS.get(code) if type(code) is int else None
    said = [f"exit {brief(code)}", in_words, words_of(value.get("data"))]
    if "error" in value:  # where no capability is named; no page tells of it
        said.append(text_of(value["error"]))
    return " ".join(filter(None, said))
