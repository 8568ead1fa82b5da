"""Verdicts to draw: a replay that went well, and one in which everything went wrong."""

from hypothesis import strategies as st

from tapproxy_viewers.replay_report import KINDS, Found, Verdict
from tests.viewers.made import MS, SECOND

WELL = Verdict("bug", "host", 31, 14, 3 * SECOND, recorded_ns=3 * SECOND + 100 * MS, replay="bug-2")

STUCK = "step 14 (write #24) waits for #23 request roots/list, which does not come"

BADLY = Verdict(
    recording="bug of monday",
    role="plugin",
    same=29,
    steps=13,
    took_ns=13 * SECOND,
    counts={"stuck": 1, "miss": 1, "changed": 2, "missing": 1, "extra": 2, "late": 1, "unused": 1},
    found=(
        Found(
            "changed", "response tools/call (3)", 7, "result.content.0.text",
            '"a lovely day in Paris, sunny"', '"a dark night in Rome, with rain"',
        ),
        Found("changed", '"pong"', 12, "", '"pong"', '"pang ␛[31m"'),
        Found(
            "miss",
            "nothing recorded answers request tools/call (4); the nearest has "
            'params.arguments.city "Paris", not "Rome"',
            None, "params.arguments.city", '"Paris"', '"Rome"',
        ),
        Found("extra", "notification notifications/message"),
        Found("late", "response tools/list (2) took 3.4 s, not 1.0 s", 9, None, "1.0 s", "3.4 s"),
        Found("missing", "notification notifications/progress", 118),
        Found("unused", "response roots/list", 25),
        Found("stuck", STUCK),
    ),
    recorded_ns=2 * SECOND,
    pace=10,
    ended=STUCK,
    replay="bug-3",
)  # fmt: skip

_FOUND = st.builds(
    Found,
    st.sampled_from(sorted(KINDS)),
    st.text(),
    st.none() | st.integers(1, 10**9),
    *[st.none() | st.text()] * 3,
)

HOSTILE = st.builds(
    Verdict,
    recording=st.text(),
    role=st.sampled_from(["plugin", "host"]),
    same=st.integers(0, 10**9),
    steps=st.integers(0, 10**9),
    took_ns=st.integers(0, 10**18),
    counts=st.dictionaries(st.sampled_from(sorted(KINDS)), st.integers(1, 10**6)),
    found=st.lists(_FOUND, max_size=5).map(tuple),
    recorded_ns=st.none() | st.integers(0, 10**18),
    pace=st.sampled_from([0, 0.5, 1, 10]),
    ended=st.none() | st.text(),
    replay=st.none() | st.text(),
)
"""With any text wherever one can come from a recording or from a live peer."""
