"""What a replay finds: how the live peer differs from the recorded one."""

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["changed", "missing", "extra", "late", "miss", "forwarded", "unused", "stuck"]
"""changed: another value; missing: it did not come; extra: nobody expected it; late: it took too
long; miss: a question that the recording cannot answer; forwarded: one that the real plugin has
answered, which is no difference; unused: a recorded answer that nobody asked for; stuck: a step
waited in vain."""

MOST_KEPT = 1000
"""Findings that are kept; of more, their number is."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference."""

    kind: Kind
    words: str  # what it is about, in one line
    frame: int | None = None  # its number in the recording, where it is there
    path: str | None = None  # of the first value that differs
    recorded: str | None = None  # that value, as JSON
    live: str | None = None


@dataclass(slots=True)
class Findings:
    """What has been found so far."""

    same: int = 0  # frames and events of the peer that came as recorded
    steps: int = 0  # steps that were taken
    skipped: int = 0  # steps that were left out by hand
    edited: int = 0  # steps that were taken with other bytes, by hand
    found: list[Finding] = field(default_factory=list)
    count: dict[Kind, int] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        """Take one more difference."""
        self.count[finding.kind] = self.count.get(finding.kind, 0) + 1
        if len(self.found) < MOST_KEPT:
            self.found.append(finding)
