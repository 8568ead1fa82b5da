"""Reads what is special in the command line of `tap replay`, and says what is wrong with it."""

import math
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from tapproxy.commands.asking_on import wrong_with_step
from tapproxy.commands.record_modes import wrong_with_modes
from tapproxy.commands.replay_asked import Asked
from tapproxy.commands.run import UNUSABLE
from tapproxy.errors import USAGE, TapError
from tapproxy.replay.candidates import Candidate
from tapproxy.replay.script import Role

END_OF_OPTIONS = "--"

NO_ROLE = "say which side tap plays: --as plugin, or --as host"

_STEP = r"(\\.|[^.\\])+"
_PATH = re.compile(rf"{_STEP}(\.{_STEP})*", re.DOTALL)


class WithWords(click.Command):
    """A command that gets what stands after -- apart from its arguments, as `words`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words after the first --."""
        end = args.index(END_OF_OPTIONS) if END_OF_OPTIONS in args else len(args)
        ctx.params["words"] = tuple(args[end + 1 :])
        return super().parse_args(ctx, args[:end])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Add the words to the usage line."""
        return [*super().collect_usage_pieces(ctx), "[-- WORD...]"]


def checked(asked: Asked, recordings: Sequence[str], words: Sequence[str]) -> Role:
    """Return the role; raise TapError for the first thing that is wrong with the command line."""
    role, wrong = asked.role, next(_wrongs(asked, recordings, words), None)
    if role is None or wrong is not None:
        raise TapError(f"{wrong or NO_ROLE} (see `tap replay --help`)", USAGE)
    return role


class Words(NamedTuple):
    """What stands after --."""

    command: tuple[str, ...]  # of the plugin, as host, or where it is asked what is not recorded
    added: tuple[str, ...]  # by the host that has started us


def parted(words: tuple[str, ...], role: Role, asked: Asked) -> Words:
    """Tell the plugin's command from what the host adds; between them stands another --."""
    if role == "host":
        return Words(words, ())
    if not asked.needs_plugin:
        return Words((), words)
    end = words.index(END_OF_OPTIONS) if END_OF_OPTIONS in words else len(words)
    return Words(words[:end], words[end + 1 :])


def check_program(words: Sequence[str]) -> None:
    """Raise TapError where there is no such program: else it would be recorded as one that failed.

    Nothing is started for that.
    """
    if shutil.which(words[0]) is None:
        is_file = os.sep in words[0] and os.path.exists(words[0])
        why = "it is no file that may be executed" if is_file else "there is no such program"
        raise TapError(f"cannot start {words[0]!r}: {why}", USAGE)


def with_hint(error: TapError, added: Sequence[str]) -> TapError:
    """Say how a real plugin is asked, where words that fit no session may be meant as its command.

    `added` are those words, one at least.
    """
    if shutil.which(added[0]) is None:
        return error
    hint = f"; if {added[0]} is the real plugin, --on-miss forward has it answer"
    return TapError(f"{error}{hint}", error.exit_code)


def recorded_command(chosen: Candidate) -> list[str]:
    """Return the command that was recorded; raises TapError where that cannot be started."""
    if not chosen.argv:
        raise TapError(
            f"{chosen.name} does not tell in words how its plugin was started: "
            "name its command after --",
            USAGE,
        )
    return chosen.argv


def _wrongs(asked: Asked, recordings: Sequence[str], words: Sequence[str]) -> Iterator[str]:
    role = asked.role
    if not recordings:
        yield "name a recording, a tape, or a folder of them"
    if role is None:
        yield NO_ROLE
    yield from _wrong_values(asked)
    yield from _contradictions(asked)
    yield from wrong_with_modes(asked, recordings, words)
    if role == "plugin" and asked.recorded_command:
        yield "--recorded-command is for --as host: as plugin, a command is named after --"
    if role == "host":
        yield from _wrong_as_host(asked, recordings, words)


def _wrong_values(asked: Asked) -> Iterator[str]:
    for name, times in (("pace", asked.pace), ("late", asked.late)):
        if times is not None and not math.isfinite(times):
            yield f"--{name}: {times} is no number of times"
    for path in asked.ignore:
        if not _PATH.fullmatch(path):
            yield f"--ignore: {path!r} is no path; write names with dots between: params.cwd"
    if asked.output in UNUSABLE:
        yield f"--output: {UNUSABLE[asked.output]}"


def _contradictions(asked: Asked) -> Iterator[str]:
    for_nothing = {
        "--junit": asked.junit is not None,
        "--report json": asked.form == "json",
        "--output": asked.output is not None,
        "--record-mode": asked.record_mode != "none",
    }
    given = [name for name, is_given in for_nothing.items() if is_given]
    if asked.only_print and given:
        yield f"--print runs nothing, and {given[0]} is about what was run: leave one out"
    yield from wrong_with_step(asked)
    if asked.no_record and asked.chosen is None:
        of_recording = {"output": asked.output, "redact": asked.redact, "keep": asked.keep}
        for name, value in of_recording.items():
            if value:
                yield f"--no-record and --{name} contradict each other: leave one out"


def _wrong_as_host(asked: Asked, recordings: Sequence[str], words: Sequence[str]) -> Iterator[str]:
    if len(recordings) > 1:
        yield "as host, tap plays one recording; the plugin's command stands after --"
    if asked.recorded_command and words:
        yield "--recorded-command and a command after -- contradict each other: leave one out"
    if words and not words[0]:
        yield "the plugin's command after -- is empty"
    if not (words or asked.recorded_command or asked.only_print):
        yield (
            "as host, tap needs a plugin: name its command after --, "
            "or add --recorded-command to start the recorded one"
        )
