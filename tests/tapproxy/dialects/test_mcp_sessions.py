"""MCP as real peers speak it: every frame of the recorded sessions is understood."""

import pytest

from tapproxy.dialects.api import UNKNOWN
from tapproxy.dialects.mcp import MCP
from tests.tapproxy.dialects.heard import FIXTURES, heard_of, meanings_of

SESSIONS = FIXTURES / "dialects" / "mcp"

TIME = [
    ("in", "request", "server/discover", "mcp 0.1.0, protocol 2026-07-28"),
    ("out", "response", None,
     "mcp-time 2026.10.19, protocol 2026-07-28, prompts resources tools"),
    ("in", "request", "tools/list", ""),
    ("out", "response", None, "2 tools: get_current_time, convert_time"),
    ("in", "request", "tools/call",
     'convert_time source_timezone="UTC" target_timezone="Asia/Tokyo" time="12:00"'),
    ("out", "response", None,
     'time_difference="+9.0h" source={4 members} target={4 members}'),
    ("in", "request", "tools/call",
     'convert_time source_timezone="UTC" target_timezone="Atlantis/Main_Street" time="12:00"'),
    ("out", "response", None,
     "\"Error executing tool convert_time: Invalid timezone: 'No ti…\""),
    ("in", "request", "tools/call", "no such tool"),
    ("out", "error", None, "-32602 Unknown tool: no such tool"),
    ("in", "request", "tools/call", 'get_current_time timezone="UTC"'),
    ("in", "notification", "notifications/cancelled", 'id 6 "caller cancelled"'),
    ("in", "request", "tools/call", 'get_current_time timezone="UTC"'),
    ("out", "response", None,
     'timezone="UTC" datetime="2026-12-01T01:35:36+00:00" day_of_week="Tuesday" is_dst=false'),
    ("out", "response", None,
     'timezone="UTC" datetime="2026-12-01T01:35:36+00:00" day_of_week="Tuesday" is_dst=false'),
]  # fmt: skip

ABOUT = [
    ("notifications/progress", ("in", "11"), False),
    ("notifications/progress", ("in", "11"), False),
    ("notifications/progress", ("in", "11"), False),
    ("notifications/progress", ("in", "11"), False),
    ("notifications/progress", ("in", "12"), False),
    ("notifications/cancelled", ("in", "12"), True),
    ("notifications/progress", ("in", "12"), False),
]


def test_a_session_of_the_newest_revision_is_understood() -> None:
    heard = heard_of(SESSIONS / "time.tape")
    said = [(side, it.kind, it.method, it.summary) for side, it in meanings_of(MCP, heard)]
    assert said == TIME


@pytest.mark.parametrize("name", ["time", "everything"])
def test_nothing_that_real_peers_say_is_unknown_or_odd(name: str) -> None:
    heard = heard_of(SESSIONS / f"{name}.tape")
    meanings = [it for _, it in meanings_of(MCP, heard)]
    assert len(meanings) == len(heard)
    assert [it for it in meanings if it.kind == UNKNOWN or it.note] == []
    assert all(len(it.summary) <= 100 for it in meanings)


def test_progress_and_cancellation_of_real_peers_find_their_requests() -> None:
    meanings = meanings_of(MCP, heard_of(SESSIONS / "everything.tape"))
    assert [(it.method, it.about, it.cancels) for _, it in meanings if it.about] == ABOUT


def test_the_requests_of_a_real_server_are_answered_by_its_client() -> None:
    meanings = meanings_of(MCP, heard_of(SESSIONS / "everything.tape"))
    asked = [(it.asks, it.method) for side, it in meanings if side == "out" and it.asks]
    replied = [(it.replies, it.summary) for side, it in meanings if side == "in" and it.replies]
    assert asked == [
        ("0", "sampling/createMessage"), ("1", "elicitation/create"), ("2", "roots/list"),
    ]  # fmt: skip
    assert replied == [
        ("0", 'assistant "Forty-two." by a-model'), ("1", "decline"), ("2", "1 root: file:///project"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "reason", "traits"),
    [
        ("time", "server/discover is a method of MCP",
         ["client mcp 0.1.0", "server mcp-time 2026.10.19", "protocol 2026-07-28"]),
        ("everything", "initialize with protocolVersion 2025-11-25",
         ["client tap-tests 1", "server mcp-servers/everything 2.0.0", "protocol 2025-11-25"]),
    ],
)  # fmt: skip
def test_real_sessions_are_recognised_by_their_first_frame(
    name: str, reason: str, traits: list[str]
) -> None:
    heard = heard_of(SESSIONS / f"{name}.tape")
    assert MCP.recognise([], heard[:1]) == reason
    reading = MCP.begin([])
    for it in heard:
        reading.read(it)
    assert reading.traits() == traits
