"""A real debugging session is understood from its first to its last frame."""

from tapproxy.dialects.dap import DAP
from tests.tapproxy.dialects.heard import FIXTURES, heard_of, meanings_of

HEARD = heard_of(FIXTURES / "dialects" / "dap" / "debugpy.tape")
NOISE = "debugpySockets"  # events whose ports differ from recording to recording


def test_every_frame_says_what_it_means() -> None:
    said = [
        (side, it.kind, it.method, it.summary)
        for side, it in meanings_of(DAP, HEARD)
        if it.method not in (NOISE, "process")
    ]
    stopped = ("out", "event", "stopped", "breakpoint, thread 1")
    going_on = [
        ("in", "request", "continue", "thread 1"),
        ("out", "response", "continue", "all threads"),
    ]
    continued = ("out", "event", "continued", "thread 1")
    newline = ("out", "event", "output", "stdout")
    assert said == [
        ("in", "request", "initialize", "debugpy for Demo Editor"),
        ("out", "response", "initialize", "21 capabilities"),
        ("out", "event", "output", "telemetry: ptvsd"),
        ("out", "event", "output", "telemetry: debugpy"),
        ("in", "request", "launch", "words.py"),
        ("out", "event", "initialized", ""),
        ("in", "request", "setBreakpoints", "words.py:3,99"),
        ("out", "response", "setBreakpoints", "2 of 2 verified: 3, 4"),
        ("in", "request", "setExceptionBreakpoints", "uncaught"),
        ("out", "response", "setExceptionBreakpoints", ""),
        ("in", "request", "configurationDone", ""),
        ("out", "response", "configurationDone", ""),
        ("out", "response", "launch", ""),
        ("out", "event", "thread", "thread 1 started"),
        stopped,
        ("in", "request", "threads", ""),
        ("out", "response", "threads", "1 thread: MainThread"),
        ("in", "request", "stackTrace", "thread 1"),
        ("out", "response", "stackTrace", "<module> words.py:3, 1 frame"),
        ("out", "event", "module", "__main__ new"),
        ("out", "event", "module", "runpy new"),
        ("in", "request", "scopes", "frame 2"),
        ("out", "response", "scopes", "Locals, Globals"),
        ("in", "request", "variables", "of 3"),
        ("out", "response", "variables", "special variables, word='grüße', words=['grüße', '☃']"),
        ("in", "request", "evaluate", "word * 3 (watch)"),
        ("out", "response", "evaluate", "'grüßegrüßegrüße' (str)"),
        ("in", "request", "evaluate", "no_such_name (watch)"),
        ("out", "error", "evaluate", "NameError: name 'no_such_name' is not defined"),
        *going_on,
        ("out", "event", "output", "stdout: grüße"),
        newline,
        continued,
        stopped,
        *going_on,
        ("out", "event", "output", "stdout: ☃"),
        newline,
        continued,
        stopped,
        *going_on,
        continued,
        ("out", "event", "stopped", "exception, thread 1, SystemExit"),
        *going_on,
        continued,
        ("out", "event", "thread", "thread 1 exited"),
        ("out", "event", "exited", "exit code 3"),
        ("out", "event", "terminated", ""),
        ("in", "request", "disconnect", ""),
        ("out", "response", "disconnect", ""),
    ]


def test_nothing_is_odd_about_any_frame() -> None:
    assert [it.note for _, it in meanings_of(DAP, HEARD) if it.note or "unknown" in it.kind] == []


def test_every_request_is_answered_once() -> None:
    meanings = [it for _, it in meanings_of(DAP, HEARD)]
    asked = [it.asks for it in meanings if it.asks is not None]
    answered = [it.replies for it in meanings if it.replies is not None]
    assert sorted(answered) == sorted(asked)
