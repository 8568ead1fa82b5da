"""Redacted copies as commands make them, and what is said of what was replaced."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from tapproxy.errors import USAGE, TapError
from tapproxy.redaction.rules import ALL, PRESETS, Rule, labels, read_rules
from tapproxy.redaction.secrets import Replaced
from tapproxy_store.reading import Recording, open_recording
from tapproxy_store.temporary import temporary_folder
from tapproxy_viewers.visible import shown

RULES_HELP = "\n".join(f"  {name:<10} {purpose}" for name, purpose in PRESETS.items())
"""The presets, for help pages."""


def rules_of(texts: Iterable[str]) -> tuple[Rule, ...]:
    """Read rules; without any, all presets."""
    return read_rules(list(texts) or [ALL])


def refuse_live(recording: Recording) -> None:
    """Raise TapError for a session that is not over: what comes may tell what is secret."""
    if any(it.duration_ns is None for it in recording.sessions()):
        name = shown(os.path.basename(recording.path))
        raise TapError(f"{name} is still being recorded; redact it once it is over", USAGE)


@contextmanager
def redacted(
    recording: Recording, rules: Sequence[Rule]
) -> Iterator[tuple[Recording, dict[str, Replaced]]]:
    """Open a redacted copy, which is there for a while only, and tell what was replaced."""
    from tapproxy.ingest.redacting import make_redacted

    refuse_live(recording)
    with temporary_folder() as folder:
        path = os.path.join(folder, os.path.basename(recording.path))
        replaced = make_redacted(recording, path, rules)
        with open_recording(path) as copy:
            copy.place = None
            yield copy, replaced


def summary(name: str, rules: Sequence[Rule], replaced: Mapping[str, Replaced]) -> Iterator[str]:
    """Yield the lines that say by rule how much was replaced, never what."""
    total = [sum(column) for column in zip(*replaced.values(), strict=True)] or [0, 0]
    if total[0] == 0:
        yield f"{shown(name)}: no secrets found"
    else:
        yield f"{shown(name)}: {_secrets(total[0])} replaced in {_places(total[1])}"
    width = max(map(len, labels(rules)), default=0)
    for label in labels(rules):
        secrets, places = replaced.get(label, (0, 0))
        said = f"{_secrets(secrets)} in {_places(places)}" if secrets else "none"
        yield f"  {shown(label):<{width}}  {said}"


def _secrets(count: int) -> str:
    return f"{count:,} secret{'s' * (count != 1)}"


def _places(count: int) -> str:
    return f"{count:,} place{'s' * (count != 1)}"
