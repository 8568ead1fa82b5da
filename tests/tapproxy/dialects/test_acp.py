"""ACP: how it is recognised, which prompt a message concerns, and what is odd about it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.acp import ACP, MOST_PROMPTS
from tapproxy.dialects.acp_words import REQUESTS, RESULTS, UPDATES
from tapproxy.dialects.api import Meaning, Side
from tests.tapproxy.dialects.heard import answer, ask, meanings_of, spoken, tell


def chunk(session: str, text: str, kind: str = "agent_message_chunk") -> dict[str, Any]:
    """Return a piece of text that the agent says."""
    content = {"type": "text", "text": text}
    update = {"sessionUpdate": kind, "content": content}
    return tell("session/update", sessionId=session, update=update)


def prompt(number: Any, session: str) -> dict[str, Any]:
    """Return a prompt."""
    return ask(number, "session/prompt", sessionId=session, prompt=[{"type": "text", "text": "go"}])


def meant(*lines: tuple[Side, Any]) -> list[Meaning]:
    """Return what ACP makes of the lines."""
    return [meaning for _, meaning in meanings_of(ACP, spoken(*lines))]


REASONS: list[tuple[Any, str | None]] = [
    (ask(0, "initialize", protocolVersion=1), "initialize with protocolVersion 1"),
    (ask(0, "initialize", protocolVersion="2025-06-18"), None),
    (ask(0, "initialize", protocolVersion=True), None),
    (ask(8, "session/new"), "session/new is a method of ACP"),
    (ask(2, "session/prompt"), "session/prompt is a method of ACP"),
    (ask(0, "fs/read_text_file"), "fs/read_text_file is a method of ACP"),
    (answer(0, protocolVersion=1, agentCapabilities={}),
     "an answer with protocolVersion 1 and agentCapabilities"),
    (ask(0, "authenticate"), None),
    (answer(1), None),
    (tell("$/cancel_request", requestId=1), None),
    (b"agent 1.0 ready", None),
]  # fmt: skip


@pytest.mark.parametrize(("line", "reason"), REASONS)
def test_a_session_is_recognised_by_what_only_acp_says(line: Any, reason: str | None) -> None:
    assert ACP.recognise(["agent"], spoken(("in", line))) == reason


def test_pieces_of_text_concern_the_prompt_and_can_be_folded() -> None:
    assert meant(("in", prompt(2, "s1")), ("out", chunk("s1", "Hel"))) == [
        Meaning("request", "session/prompt", '"go"', id="2", asks="2"),
        Meaning(
            "notification",
            "session/update",
            'agent_message_chunk "Hel"',
            about=("in", "2"),
            run="agent_message_chunk s1",
        ),
    ]


def test_updates_of_two_sessions_concern_each_its_own_prompt() -> None:
    meanings = meant(
        ("in", prompt(1, "a")),
        ("in", prompt(2, "b")),
        ("out", chunk("a", "x", "agent_thought_chunk")),
        ("out", chunk("b", "y")),
        ("out", answer(1, stopReason="end_turn")),
        ("out", chunk("a", "z")),
        ("out", chunk("b", "y")),
        ("out", chunk("unheard", "y")),
    )
    assert [(it.about, it.run) for it in meanings if it.method == "session/update"] == [
        (("in", "1"), "agent_thought_chunk a"),
        (("in", "2"), "agent_message_chunk b"),
        (None, "agent_message_chunk a"),
        (("in", "2"), "agent_message_chunk b"),
        (None, "agent_message_chunk unheard"),
    ]


def test_a_prompt_that_fails_is_over() -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "no"}}
    *_, update = meant(("in", prompt(1, "a")), ("out", error), ("out", chunk("a", "x")))
    assert update.about is None


def test_a_second_prompt_takes_the_place_of_the_first() -> None:
    *_, before, _, after = meant(
        ("in", prompt(1, "a")),
        ("in", prompt(2, "a")),
        ("out", chunk("a", "x")),
        ("out", answer(1, stopReason="cancelled")),
        ("out", chunk("a", "y")),
    )
    assert [before.about, after.about] == [("in", "2"), ("in", "2")]


def test_the_oldest_open_prompts_are_forgotten() -> None:
    prompts: list[tuple[Side, Any]] = [
        ("in", prompt(number, f"s{number}")) for number in range(MOST_PROMPTS + 1)
    ]
    *_, first, second = meant(*prompts, ("out", chunk("s0", "x")), ("out", chunk("s1", "x")))
    assert [first.about, second.about] == [None, ("in", "1")]


def test_a_cancellation_withdraws_the_open_prompt() -> None:
    *_, cancel, stopped = meant(
        ("in", prompt(4, "s1")),
        ("in", tell("session/cancel", sessionId="s1")),
        ("out", answer(4, stopReason="cancelled")),
    )
    assert cancel == Meaning(
        "notification", "session/cancel", "s1", about=("in", "4"), cancels=True
    )
    assert stopped == Meaning("response", None, "cancelled", id="4", replies="4")


def test_a_cancellation_with_nothing_to_cancel_is_noted() -> None:
    assert meant(("in", tell("session/cancel", sessionId="s1"))) == [
        Meaning(
            "notification",
            "session/cancel",
            "s1",
            flags=("nothing-to-cancel",),
            note="no prompt of this session is open",
        )
    ]


@pytest.mark.parametrize("side", ["in", "out"])
def test_either_side_may_withdraw_any_request_of_its_own(side: Side) -> None:
    assert meant((side, tell("$/cancel_request", requestId=3))) == [
        Meaning("notification", "$/cancel_request", "id 3", about=(side, "3"), cancels=True)
    ]


def test_a_failed_tool_call_has_an_error_flag() -> None:
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "failed"}
    assert meant(("out", tell("session/update", sessionId="s", update=update))) == [
        Meaning("notification", "session/update", "tool_call_update c1 failed", flags=("error",))
    ]


def test_another_protocol_version_than_asked_for_is_noted() -> None:
    _, meaning = meant(
        ("in", ask(0, "initialize", protocolVersion=2)), ("out", answer(0, protocolVersion=1))
    )
    assert meaning == Meaning(
        "response",
        None,
        "protocol 1",
        id="0",
        replies="0",
        flags=("other-protocol",),
        note="asked for protocol 2, answered 1",
    )


def test_traits_tell_who_the_two_sides_are() -> None:
    reading = ACP.begin([])
    client, agent = {"name": "editor", "version": "1.4"}, {"name": "agent", "version": "0.3"}
    for heard in spoken(
        ("in", ask(0, "initialize", protocolVersion=1, clientInfo=client)),
        ("out", answer(0, protocolVersion=1, agentInfo=agent)),
    ):
        reading.read(heard)
    assert reading.traits() == ["client editor 1.4", "agent agent 0.3", "protocol 1"]
    assert ACP.begin([]).traits() == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from((
                "_meta", "sessionId", "update", "sessionUpdate", "content", "type", "text",
                "toolCallId", "toolCall", "options", "outcome", "entries", "status", "prompt",
                "protocolVersion", "agentInfo", "clientCapabilities", "requestId", "locations",
            )),
            inner | st.sampled_from(sorted(UPDATES)),
        )
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.sampled_from(sorted({*REQUESTS, *RESULTS})), json_values, json_values)
def test_values_of_any_shape_are_said(method: str, params: Any, result: Any) -> None:
    request, notification, response = meant(
        ("in", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}),
        ("in", {"jsonrpc": "2.0", "method": method, "params": params}),
        ("out", {"jsonrpc": "2.0", "id": 1, "result": result}),
    )
    assert [request.kind, notification.kind, response.kind] == [
        "request", "notification", "response",
    ]  # fmt: skip
