"""A recording in the place of a plugin or of a host, and what came of it."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence

from tapproxy.testing.command_lines import PYTHON, TAP, checked, option_words
from tapproxy.testing.reports import BEGUN, RECORDED, REPORT, has_reported, is_over, reported
from tapproxy.testing.waiting import PATIENCE_S, comes_true


class StandIn:
    """Takes a plugin's place: each time that a host starts it, it plays the recording."""

    def __init__(self, recordings: Sequence[str], folder: str, plugin: Sequence[str] = ()) -> None:
        """Take the recordings' paths, and an empty folder for what each start leaves.

        `plugin`: the command of the real one, which is asked what is not recorded.
        """
        self._recordings = recordings
        self._plugin = plugin
        self._folder = folder
        self._told: set[str] = set()

    def command(self, options: Mapping[str, object]) -> list[str]:
        """Return what the host is to start; raises TypeError for an option that is none.

        Words that a host appends choose the session that was started with them.
        """
        __tracebackhide__ = True
        words = [*option_words(options), *self._recordings, "--"]
        if self._plugin:
            words = ["--record-mode=new", *words, *self._plugin, "--"]
        checked("replay", ["--as=plugin", *words])
        return [*PYTHON, "-m", "tapproxy.testing.standing_in", self._folder, *words]

    def differences(self) -> Iterator[str]:
        """Yield what each replay that is over has found to differ; each is told once."""
        for place in self._started():
            if place not in self._told and is_over(place):
                self._told.add(place)
                text = self._difference(place)
                if text is not None:
                    yield text

    def wait(self) -> str | None:
        """Wait until all that was started is over; say so where it is not, or never began."""
        if not comes_true(lambda: all(map(is_over, self._started()))):
            return (
                f"{self._name} still runs {PATIENCE_S:g} s after the test: "
                "its host has not closed its stdin, nor killed it"
            )
        if not self._started():
            return (
                f"nothing has started {self._name}: "
                "is the command line that tap_replay returned what the host starts?"
            )
        return None

    @property
    def _name(self) -> str:
        return f"the stand-in for {', '.join(self._recordings)}"

    def _started(self) -> list[str]:
        names = sorted(it for it in os.listdir(self._folder) if it.endswith(BEGUN))
        return [os.path.join(self._folder, it.removesuffix(BEGUN)) for it in names]

    def _difference(self, place: str) -> str | None:
        if has_reported(place):
            return reported(place)
        from tapproxy.testing.killed import difference_of_killed  # heavy, and seldom needed

        if len(self._recordings) == 1 and os.path.isfile(self._recordings[0]):
            return difference_of_killed(self._recordings[0], place + RECORDED)
        return f"the host has killed {self._name}; see it: tap show {place}{RECORDED}"


def host_difference(
    recording: str, command: Sequence[str], folder: str, options: Mapping[str, object]
) -> str | None:
    """Play the host before a plugin, and return what differed, else None.

    What the plugin wrote to stderr goes to ours, for pytest to capture. Each wait of the replay has
    its bound (`patience`).
    """
    __tracebackhide__ = True
    place = os.path.join(folder, "host")
    ours = ["--as=host", f"--junit={place}{REPORT}", f"--output={place}{RECORDED}"]
    words = checked("replay", [*ours, *option_words(options), recording, "--", *command])
    done = subprocess.run(
        [*TAP, "replay", *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    said = done.stderr.decode(errors="backslashreplace")
    sys.stderr.write(said)
    if done.returncode == 0:
        return None
    text = reported(place) if has_reported(place) else None
    return text or said or f"tap replay ended with {done.returncode}"
