"""A recording in the place of a plugin or of a host, and what came of it."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tapproxy.testing.command_lines import TAP, checked, option_words
from tapproxy.testing.reports import BEGUN, RECORDED, REPORT, difference, is_written
from tapproxy.testing.waiting import PATIENCE_S, comes_true


class StandIn:
    """Takes a plugin's place: each time that a host starts it, it plays the recording."""

    def __init__(self, recording: str, folder: str) -> None:
        """Take the recording's path, and an empty folder for what each start leaves."""
        self.recording = recording
        self._folder = folder
        self._told: set[str] = set()

    def command(self, options: Mapping[str, object]) -> list[str]:
        """Return what the host is to start; raises TypeError where `tap replay` has no such option.

        Words that a host appends choose the session that was started with them.
        """
        words = [*option_words(options), self.recording, "--"]
        checked("replay", ["--as=plugin", *words])
        return [sys.executable, "-m", "tapproxy.testing.standing_in", self._folder, *words]

    def differences(self) -> Iterator[str]:
        """Yield the report of each replay that is over and differs; each is told once."""
        for place in self._started():
            if place not in self._told and is_written(place):
                self._told.add(place)
                text = difference(place)
                if text is not None:
                    yield text

    def wait(self) -> str | None:
        """Wait until all that was started is over; say so where it is not, or never began."""
        if not comes_true(lambda: all(map(is_written, self._started()))):
            return self._unreported()
        if not self._started():
            return (
                f"nothing has started the stand-in for {self.recording}: "
                "is the command line that tap_replay returned what the host starts?"
            )
        return None

    def _started(self) -> list[str]:
        names = sorted(os.listdir(self._folder))
        return [
            os.path.join(self._folder, it.removesuffix(BEGUN)) for it in names if it.endswith(BEGUN)
        ]

    def _unreported(self) -> str:
        place = next(it for it in self._started() if not is_written(it))
        return (
            f"the stand-in for {self.recording} has not reported {PATIENCE_S:g} s after the test: "
            "the host has killed it or never closed its stdin, or it could not play "
            f"(and said why on its stderr); see it: tap show {place}{RECORDED}"
        )


def host_difference(
    recording: str, command: Sequence[str], folder: str, options: Mapping[str, object]
) -> str | None:
    """Play the host before a plugin, and return what differed, else None.

    What the plugin wrote to stderr goes to ours, for pytest to capture; each wait of the replay has
    its bound (`patience`).
    """
    place = os.path.join(folder, "host")
    words = _host_words(recording, command, option_words(options))
    ours = [f"--junit={place}{REPORT}", f"--output={place}{RECORDED}"]
    done = subprocess.run(
        [*TAP, "replay", *ours, *checked("replay", words)],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    said = done.stderr.decode(errors="backslashreplace")
    sys.stderr.write(said)
    if done.returncode == 0:
        return None
    found = difference(place) if is_written(place) else None
    return found or said or f"tap replay ended with {done.returncode}"


def _host_words(recording: str, command: Iterable[str], options: list[str]) -> list[str]:
    return [*options, "--as=host", recording, "--", *command]
