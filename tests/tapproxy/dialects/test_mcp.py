"""MCP: what belongs together, and what is odd at which point of a session."""

import json
from typing import Any

import pytest

from tapproxy.dialects.api import UNKNOWN, Meaning, Side
from tapproxy.dialects.mcp import MCP, MOST_TOKENS
from tapproxy.dialects.mcp_words import META
from tests.tapproxy.dialects.heard import answer, ask, meanings_of, spoken, tell

INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "h", "version": "0"},
}
INITIALIZED = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "c", "version": "0"},
}


def meant(*lines: tuple[Side, Any]) -> list[Meaning]:
    """Return what MCP makes of the lines."""
    return [meaning for _, meaning in meanings_of(MCP, spoken(*lines))]


def odd(*lines: tuple[Side, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the note and the flags of each message."""
    return [(it.note, it.flags) for it in meant(*lines)]


@pytest.mark.parametrize("side", ["in", "out"])
def test_progress_concerns_the_request_that_gave_its_token(side: Side) -> None:
    other: Side = "out" if side == "in" else "in"
    request = ask(7, "tools/call", name="t", _meta={"progressToken": "seven"})
    told = tell("notifications/progress", progressToken="seven", progress=0.5, total=1, message="m")
    assert meant((side, request), (other, told)) == [
        Meaning("request", "tools/call", "t", id="7", asks="7"),
        Meaning(
            "notification",
            "notifications/progress",
            '0.5/1 "m"',
            about=(side, "7"),
            run='progress "seven"',
        ),
    ]


def test_progress_of_an_unknown_token_may_mean_the_request_of_that_id() -> None:
    told = tell("notifications/progress", progressToken=2, progress=1, message="learning")
    _, meaning = meant(("in", ask(2, "tools/call", name="t")), ("out", told))
    assert meaning == Meaning(
        "notification",
        "notifications/progress",
        '1 "learning"',
        about=("in", "2"),
        run="progress 2",
        flags=("unknown-token",),
        note="no request has the progressToken 2",
    )


def test_progress_without_a_token_concerns_nothing() -> None:
    assert meant(("out", tell("notifications/progress", progress=1))) == [
        Meaning(
            "notification",
            "notifications/progress",
            "1",
            flags=("unknown-token",),
            note="no progressToken",
        )
    ]


def test_the_oldest_progress_tokens_are_forgotten() -> None:
    calls: list[tuple[Side, Any]] = [
        ("in", ask(number, "tools/call", name="t", _meta={"progressToken": f"t{number}"}))
        for number in range(MOST_TOKENS + 1)
    ]
    told: list[tuple[Side, Any]] = [
        ("out", tell("notifications/progress", progressToken=token, progress=1))
        for token in ("t0", "t1")
    ]
    *_, first, second = meant(*calls, *told)
    assert [first.about, second.about] == [("in", '"t0"'), ("in", "1")]


@pytest.mark.parametrize("side", ["in", "out"])
def test_a_cancellation_withdraws_a_request_of_its_own_side(side: Side) -> None:
    told = tell("notifications/cancelled", requestId=99, reason="caller cancelled")
    assert meant((side, told)) == [
        Meaning(
            "notification",
            "notifications/cancelled",
            'id 99 "caller cancelled"',
            about=(side, "99"),
            cancels=True,
        )
    ]


def test_a_server_may_end_the_subscription_of_its_client() -> None:
    ended = tell("notifications/cancelled", requestId="s")
    listen = ask("s", "subscriptions/listen", notifications={"toolsListChanged": True})
    changed = tell("notifications/tools/list_changed", _meta={META + "subscriptionId": "s"})
    request, notification, cancelled = meant(("in", listen), ("out", changed), ("out", ended))
    assert request.summary == "toolsListChanged=true"
    assert notification.about == cancelled.about == ("in", '"s"')
    assert cancelled.cancels


def test_a_cancellation_need_not_name_a_request() -> None:
    assert meant(("in", tell("notifications/cancelled"))) == [
        Meaning("notification", "notifications/cancelled")
    ]


def test_a_failed_call_is_a_response_with_an_error_flag() -> None:
    text = {"type": "text", "text": "no such zone"}
    call = ask(1, "tools/call", name="t")
    assert meant(("in", call), ("out", answer(1, content=[text], isError=True)))[1] == Meaning(
        "response", None, '"no such zone"', id="1", replies="1", flags=("error",)
    )


def test_a_server_of_the_newest_revision_asks_back_in_its_answer() -> None:
    asked = {"a": {"method": "elicitation/create"}, "b": {"method": "roots/list"}}
    call = ask(1, "tools/call", name="t")
    back = answer(1, resultType="input_required", inputRequests=asked)
    state = answer(2, resultType="input_required", requestState="opaque")
    assert [(it.summary, it.flags) for it in meant(("in", call), ("out", back), ("out", state))][
        1:
    ] == [
        ("input required: elicitation/create, roots/list", ("input-required",)),
        ("input required", ("input-required",)),
    ]


def test_requests_before_the_handshake_is_over_are_noted() -> None:
    early = ("before notifications/initialized", ("before-initialized",))
    assert odd(
        ("in", ask(1, "initialize", **INITIALIZE)),
        ("out", answer(1, **INITIALIZED)),
        ("in", ask(2, "tools/list")),
        ("in", ask(3, "ping")),
        ("out", ask(0, "roots/list")),
        ("in", tell("notifications/initialized")),
        ("in", ask(4, "tools/list")),
    ) == [("", ()), ("", ()), early, ("", ()), early, ("", ()), ("", ())]


def test_a_session_without_a_handshake_has_none_to_wait_for() -> None:
    assert odd(("in", ask(1, "server/discover")), ("in", ask(2, "tools/list"))) == [("", ())] * 2


def test_another_revision_than_asked_for_is_noted() -> None:
    answered = answer(1, **INITIALIZED | {"protocolVersion": "2025-11-25"})
    assert odd(("in", ask(1, "initialize", **INITIALIZE)), ("out", answered))[1] == (
        "asked for 2025-06-18, answered 2025-11-25",
        ("other-protocol",),
    )


@pytest.mark.parametrize(
    ("supported", "expected"),
    [
        (["2025-11-25", "2026-07-28"], ("", ())),
        (["2027-01-01"], ("asked for 2026-07-28, supports 2027-01-01", ("other-protocol",))),
        ("2027-01-01", ("", ())),
    ],
)
def test_a_discovered_server_that_lacks_the_revision_is_noted(
    supported: Any, expected: tuple[str, tuple[str, ...]]
) -> None:
    asked = ask(1, "server/discover", _meta={META + "protocolVersion": "2026-07-28"})
    assert odd(("in", asked), ("out", answer(1, supportedVersions=supported)))[1] == expected


def test_traits_tell_who_speaks_which_revision() -> None:
    reading = MCP.begin([])
    for heard in spoken(
        ("in", ask(1, "initialize", **INITIALIZE)), ("out", answer(1, **INITIALIZED))
    ):
        reading.read(heard)
    assert reading.traits() == ["client h 0", "server c 0", "protocol 2025-06-18"]
    assert MCP.begin([]).traits() == []


def test_a_batch_is_several_messages_of_one_frame() -> None:
    batch = [ask(1, "tools/call", name="a"), tell("notifications/cancelled", requestId=1), 3]
    assert [(it.kind, it.asks, it.about, it.flags[-1]) for it in meant(("in", batch))] == [
        ("request", "1", None, "batch"),
        ("notification", None, ("in", "1"), "batch"),
        (UNKNOWN, None, None, "batch"),
    ]


def test_both_sides_count_their_requests_from_the_same_number() -> None:
    meanings = meant(
        ("in", ask(0, "tools/list")),
        ("out", ask(0, "roots/list")),
        ("in", answer(0, roots=[{"uri": "file:///a"}])),
        ("out", answer(0, tools=[])),
    )
    assert [(it.asks, it.replies, it.summary) for it in meanings] == [
        ("0", None, ""),
        ("0", None, ""),
        (None, "0", "1 root: file:///a"),
        (None, "0", "0 tools"),
    ]


def test_requests_that_share_a_line_are_each_understood() -> None:
    first, second = (json.dumps(ask(number, "tools/call", name="t")) for number in (1, 2))
    meanings = meant(("in", f"{first}{second}".encode()))
    assert [(it.method, it.asks, it.flags) for it in meanings] == [
        ("tools/call", "1", ("concatenated",)),
        ("tools/call", "2", ("concatenated",)),
    ]


def test_a_cancellation_in_the_middle_of_a_request_is_understood() -> None:
    begun, rest = b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"', b'slow"}}'
    cancelled = json.dumps(tell("notifications/cancelled", requestId=4)).encode()
    meanings = meant(("in", begun + cancelled), ("in", rest))
    assert [(it.method, it.asks, it.about, it.summary) for it in meanings] == [
        ("notifications/cancelled", None, ("in", "4"), "id 4"),
        ("tools/call", "5", None, "slow"),
    ]
