"""Each kind of event reads as a person would have written it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy_store.records import Event
from tapproxy_viewers.happenings import tell
from tests.viewers.made import event

TOLD = [
    (event(0, "spawn", pid=42), "event", "plugin started, pid 42"),
    (
        event(0, "spawn-error", errno=2, message="No such file or directory", status=127),
        "bad",
        "plugin could not be started: No such file or directory (exit 127)",
    ),
    (
        event(0, "spawn-error", errno="ENOENT", path="/usr/bin:/bin", status=127),
        "bad",
        "plugin could not be started: it is in no folder of PATH=/usr/bin:/bin (exit 127)",
    ),
    (event(0, "eof", stream="in", by="host"), "event", "host closed stdin"),
    (event(0, "eof", stream="out", by="plugin"), "event", "plugin closed stdout"),
    (
        event(0, "broken-pipe", stream="in", by="plugin", unsent=1200),
        "notable",
        "plugin stopped reading stdin and closed it; 1.2 kB not delivered",
    ),
    (
        event(0, "broken-pipe", stream="out", by="host", unsent=0),
        "notable",
        "host stopped reading stdout and closed it",
    ),
    (
        event(
            0,
            "broken-pipe",
            stream="out",
            by="host",
            unsent=12,
            error="No space left on device",
        ),
        "bad",
        "stdout cannot be written to: No space left on device; 12 B not delivered",
    ),
    (
        event(0, "signal", signal="SIGTERM", sender=4711, from_="process", forwarded=True),
        "notable",
        "SIGTERM from pid 4711, passed on to the plugin",
    ),
    (
        event(0, "signal", signal="SIGINT", sender=None, from_="terminal", forwarded=False),
        "notable",
        "SIGINT from the terminal",
    ),
    (
        event(0, "signal", signal="SIGUSR1", sender=None, from_="process", forwarded=True),
        "notable",
        "SIGUSR1 from another process, passed on to the plugin",
    ),
    (event(0, "stopped", signal="SIGTSTP"), "notable", "plugin stopped by SIGTSTP"),
    (event(0, "continued"), "event", "plugin goes on"),
    (
        event(0, "stall", stream="out", reader="host", size=65536),
        "notable",
        "host is not reading stdout: 65.5 kB waiting",
    ),
    (
        event(0, "stall-end", stream="in", reader="plugin", duration_ns=1_200_000_000),
        "notable",
        "plugin reads stdin again, after 1.2 s",
    ),
    (event(0, "exit", code=0), "event", "plugin exited with code 0"),
    (event(0, "exit", code=7), "bad", "plugin exited with code 7"),
    (event(0, "exit", signal="SIGSEGV"), "bad", "plugin was killed by SIGSEGV"),
    (
        event(0, "lingering", streams=["out"], unread=["out"]),
        "notable",
        "plugin is gone; the host has not read all of its stdout yet",
    ),
    (
        event(0, "lingering", streams=["out", "err"]),
        "notable",
        "plugin is gone, but something that it started still holds its stdout and stderr",
    ),
    (
        event(0, "recording-error", errno=28, message="No space left on device"),
        "bad",
        "could not record here: No space left on device",
    ),
    (
        event(0, "gap", stream="out", from_=70123, size=4100, reason="disk full"),
        "bad",
        "4.1 kB of stdout from byte 70,123 on are not on record (disk full)",
    ),
    (
        event(0, "recorder-killed"),
        "bad",
        "tap was killed at or after this; nothing more is on record",
    ),
    (event(0, "recorder-killed", noticed=True), "bad", "tap was killed"),
    (event(0, "end", wall_ns=1), "event", "end of the session"),
    (event(0, "novelty", size=1, why="x"), "notable", "novelty: size=1 why=x"),
    (event(0, "novelty", pids=[7, 8]), "notable", "novelty: pids=7, 8"),
    (event(0, "novelty"), "notable", "novelty"),
]


@pytest.mark.parametrize(
    ("happened", "weight", "said"), TOLD, ids=lambda it: getattr(it, "kind", "")
)
def test_an_event_is_told_in_plain_words(happened: Event, weight: str, said: str) -> None:
    assert tell(happened) == (weight, said)


@pytest.mark.parametrize("kind", sorted({happened.kind for happened, _, _ in TOLD}))
def test_an_event_without_details_is_told_all_the_same(kind: str) -> None:
    weight, said = tell(event(0, kind))
    assert weight in {"event", "notable", "bad"}
    assert said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
KEYS = sorted({key for happened, _, _ in TOLD for key in happened.detail})


@given(
    st.sampled_from(sorted({happened.kind for happened, _, _ in TOLD})),
    st.dictionaries(st.sampled_from(KEYS), JSON),
)
def test_an_event_with_nonsense_for_details_is_told_all_the_same(
    kind: str, detail: dict[str, Any]
) -> None:
    weight, said = tell(Event(1, 1, 0, kind, detail))
    assert weight in {"event", "notable", "bad"}
    assert said
