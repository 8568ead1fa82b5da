"""DAP's requests, answers and events in a few words."""

from typing import Any

import pytest

from tapproxy.dialects.dap_words import event_words, file_name, request_words, result_words

SOURCE = {"path": "/demo/words.py"}


@pytest.mark.parametrize(
    ("command", "arguments", "words"),
    [
        ("initialize", {"adapterID": "lldb", "clientID": "vscode"}, "lldb for vscode"),
        ("launch", {"program": "C:\\demo\\a.exe", "args": ["-v", 1]}, "a.exe -v 1"),
        ("launch", {"module": "demo"}, "demo"),
        ("launch", {"request": "launch"}, 'request="launch"'),
        ("attach", {"processId": 17}, "pid 17"),
        ("attach", {"connect": {"host": "::1", "port": 5678}}, "::1:5678"),
        ("setBreakpoints", {"source": SOURCE, "breakpoints": [{"line": 3}]}, "words.py:3"),
        ("setBreakpoints", {"source": {"name": "a"}, "lines": [3, 4]}, "a:3,4"),
        ("setBreakpoints", {"source": SOURCE, "breakpoints": []}, "words.py:none"),
        ("setFunctionBreakpoints", {"breakpoints": [{"name": "main"}]}, "main"),
        ("setExceptionBreakpoints", {"filters": ["raised", "uncaught"]}, "raised, uncaught"),
        ("evaluate", {"expression": "a + b", "context": "watch"}, "a + b (watch)"),
        ("evaluate", {"expression": "a"}, "a"),
        ("setVariable", {"variablesReference": 3, "name": "n", "value": "7"}, "n = 7"),
        ("stackTrace", {"threadId": 1}, "thread 1"),
        ("scopes", {"frameId": 2}, "frame 2"),
        ("variables", {"variablesReference": 3}, "of 3"),
        ("source", {"source": SOURCE}, "words.py"),
        ("completions", {"text": "pri", "column": 4}, "pri"),
        ("disconnect", {"terminateDebuggee": True}, "and end the program"),
        ("disconnect", None, ""),
        ("gotoTargets", {"line": 3}, "line=3"),
    ],
)
def test_a_request_says_what_it_wants(command: str, arguments: Any, words: str) -> None:
    assert request_words(command, arguments) == words


@pytest.mark.parametrize(
    ("command", "body", "words"),
    [
        ("initialize", {"supportsCancelRequest": True}, "1 capability"),
        ("initialize", None, "0 capabilities"),
        (
            "setBreakpoints",
            {
                "breakpoints": [
                    {"verified": True, "line": 4},
                    {"verified": False, "message": "no code"},
                ]
            },
            "1 of 2 verified: 4, no code",
        ),
        (
            "stackTrace",
            {"stackFrames": [{"name": "f", "source": SOURCE, "line": 3}], "totalFrames": 9},
            "f words.py:3, 9 frames",
        ),
        ("stackTrace", {"stackFrames": []}, "0 frames"),
        ("scopes", {"scopes": [{"name": "Locals"}, {"name": "Globals"}]}, "Locals, Globals"),
        (
            "variables",
            {"variables": [{"name": "a", "value": "1"}, {"name": "special", "value": ""}]},
            "a=1, special",
        ),
        ("threads", {"threads": [{"id": 1, "name": "main"}]}, "1 thread: main"),
        ("evaluate", {"result": "3", "type": "int"}, "3 (int)"),
        ("setVariable", {"value": "7"}, "7"),
        ("continue", {"allThreadsContinued": True}, "all threads"),
        ("continue", {}, ""),
        ("completions", {"targets": [{"label": "print"}]}, "1 item"),
        ("source", {"content": "abc"}, "3 characters"),
        ("modules", {"totalModules": 2}, "totalModules=2"),
        ("next", None, ""),
    ],
)
def test_an_answer_says_what_has_come_of_it(command: str, body: Any, words: str) -> None:
    assert result_words(command, body) == words


@pytest.mark.parametrize(
    ("event", "body", "words"),
    [
        ("output", {"output": "hello\r\n"}, "console: hello"),
        ("output", {"category": "stdout", "output": "\n"}, "stdout"),
        ("output", {"category": "stdout"}, "stdout"),
        (
            "stopped",
            {"reason": "exception", "threadId": 1, "text": "ValueError"},
            "exception, thread 1, ValueError",
        ),
        ("continued", {"threadId": 1}, "thread 1"),
        ("thread", {"threadId": 1, "reason": "started"}, "thread 1 started"),
        ("module", {"module": {"name": "runpy"}, "reason": "new"}, "runpy new"),
        ("loadedSource", {"source": SOURCE, "reason": "new"}, "words.py new"),
        (
            "breakpoint",
            {"reason": "changed", "breakpoint": {"verified": True, "source": SOURCE, "line": 3}},
            "changed words.py:3 verified",
        ),
        ("breakpoint", {"reason": "new", "breakpoint": {"line": 3}}, "new 3 not verified"),
        (
            "process",
            {"name": "/demo/words.py", "systemProcessId": 17, "startMethod": "launch"},
            "words.py, pid 17, launch",
        ),
        ("process", {"name": "a"}, "a"),
        ("exited", {"exitCode": 0}, "exit code 0"),
        ("capabilities", {"capabilities": {"supportsStepBack": True}}, "1 capability"),
        ("progressUpdate", {"message": "half", "percentage": 50}, "half 50 %"),
        ("progressEnd", {}, ""),
        ("initialized", None, ""),
        ("memory", {"offset": 4}, "offset=4"),
    ],
)
def test_an_event_says_what_has_happened(event: str, body: Any, words: str) -> None:
    assert event_words(event, body) == words


def test_the_name_of_a_file_is_the_last_part_of_its_path() -> None:
    assert file_name("/a/b.py") == "b.py"
    assert file_name("C:\\a\\b.py") == "b.py"
    assert file_name("b.py") == "b.py"
    assert file_name(None) == ""
