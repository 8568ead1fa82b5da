"""ACP as its SDK speaks it: every frame of the recorded session is understood."""

from tapproxy.dialects.acp import ACP
from tests.tapproxy.dialects.heard import FIXTURES, heard_of, meanings_of

TAPE = FIXTURES / "dialects" / "acp" / "editor.tape"

FILE = "/project/hello.txt"

SESSION = [
    ("in", "request", "initialize",
     "fixture-editor 1.4, protocol 1, fs.readTextFile fs.writeTextFile terminal"),
    ("out", "response", None, "fixture-agent 0.3.0, protocol 1"),
    ("in", "request", "session/new", "in /project"),
    ("out", "response", None, "session-1, mode ask"),
    ("in", "request", "session/prompt", '"Add a greeting to hello.txt"'),
    ("out", "notification", "session/update", 'agent_thought_chunk "There is "'),
    ("out", "notification", "session/update", 'agent_thought_chunk "no greeting "'),
    ("out", "notification", "session/update", 'agent_thought_chunk "in it yet."'),
    ("out", "notification", "session/update", 'agent_message_chunk "I shall "'),
    ("out", "notification", "session/update", 'agent_message_chunk "add a "'),
    ("out", "notification", "session/update", 'agent_message_chunk "greeting: «Dobrý den»."'),
    ("out", "notification", "session/update", 'plan 0 of 2 done, "Read the file"'),
    ("out", "notification", "session/update",
     f'tool_call call-1 edit "Add a greeting" pending {FILE}'),
    ("out", "request", "fs/read_text_file", f"{FILE}, at most 10 lines"),
    ("in", "response", None, '"Ahoj\n"'),
    ("out", "request", "session/request_permission", '"Add a greeting" Allow / Reject'),
    ("in", "response", None, "selected yes"),
    ("out", "request", "fs/write_text_file", f'{FILE} "Ahoj\nDobrý den\n"'),
    ("in", "response", None, ""),
    ("out", "notification", "session/update",
     f"tool_call_update call-1 completed, diff of {FILE}"),
    ("out", "notification", "session/update", 'tool_call call-2 execute "Run cat"'),
    ("out", "request", "terminal/create", '"cat hello.txt"'),
    ("in", "response", None, "terminal-1"),
    ("out", "request", "terminal/wait_for_exit", "terminal-1"),
    ("in", "response", None, "exit 0"),
    ("out", "request", "terminal/output", "terminal-1"),
    ("in", "response", None, '"Ahoj\nDobrý den\n", exit 0'),
    ("out", "request", "terminal/release", "terminal-1"),
    ("in", "response", None, ""),
    ("out", "request", "fs/read_text_file", "/project/none.txt"),
    ("in", "error", None, '-32002 Resource not found ({uri="/project/none.txt"})'),
    ("out", "notification", "session/update", "tool_call_update call-2 failed"),
    ("out", "notification", "session/update", 'agent_message_chunk "The greeting is there."'),
    ("out", "response", None, "end_turn"),
    ("in", "request", "session/set_mode", "code"),
    ("out", "notification", "session/update", "current_mode_update code"),
    ("out", "response", None, ""),
    ("in", "request", "session/prompt", '"Count slowly to ten"'),
    ("out", "notification", "session/update", 'agent_message_chunk "One … "'),
    ("in", "notification", "session/cancel", "session-1"),
    ("out", "response", None, "cancelled"),
]  # fmt: skip


def test_a_session_of_the_sdk_is_understood() -> None:
    meanings = meanings_of(ACP, heard_of(TAPE))
    assert [(side, it.kind, it.method, it.summary) for side, it in meanings] == SESSION
    assert [it.note for _, it in meanings if it.note] == []


def test_both_sides_ask_and_count_from_nought() -> None:
    meanings = meanings_of(ACP, heard_of(TAPE))
    asked = {
        side: [it.asks for by, it in meanings if by == side and it.asks] for side in ("in", "out")
    }
    replied = {
        side: [it.replies for by, it in meanings if by == side and it.replies]
        for side in ("in", "out")
    }
    host, agent = [str(number) for number in range(5)], [str(number) for number in range(8)]
    assert (asked, replied) == ({"in": host, "out": agent}, {"in": agent, "out": host})


def test_updates_and_the_cancellation_concern_the_open_prompt() -> None:
    told = [
        (it.about, it.cancels)
        for _, it in meanings_of(ACP, heard_of(TAPE))
        if it.kind == "notification"
    ]
    working, idle, counting = (("in", "2"), False), (None, False), ("in", "4")
    assert told == [*[working] * 12, idle, (counting, False), (counting, True)]


def test_a_session_of_the_sdk_is_recognised_by_its_first_frame() -> None:
    heard = heard_of(TAPE)
    assert ACP.recognise([], heard[:1]) == "initialize with protocolVersion 1"
    reading = ACP.begin([])
    for it in heard:
        reading.read(it)
    assert reading.traits() == [
        "client fixture-editor 1.4", "agent fixture-agent 0.3.0", "protocol 1",
    ]  # fmt: skip
