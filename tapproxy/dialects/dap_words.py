"""The essential values of DAP's requests, answers and events in a few words.

Source: Debug Adapter Protocol Specification, Events, Requests, Types.
"""

from collections.abc import Callable
from typing import Any

from tapproxy.dialects.brief import clipped, counted, inner, joined, listed, plain, some
from tapproxy.dialects.jsonrpc import words_of

Words = Callable[[Any], str]


def request_words(command: str, arguments: Any) -> str:
    """Say what a request wants."""
    return _REQUESTS.get(command, words_of)(arguments)


def result_words(command: str, body: Any) -> str:
    """Say what has come of a request."""
    return _RESULTS.get(command, words_of)(body)


def event_words(event: str, body: Any) -> str:
    """Say what has happened."""
    return _EVENTS.get(event, words_of)(body)


def file_name(path: Any) -> str:
    """Return the last part of a path, of whatever system."""
    text = plain(path, 200)
    return text.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _source(source: Any) -> str:
    return file_name(inner(source, "path")) or plain(inner(source, "name"))


def _initialize(arguments: Any) -> str:
    client = inner(arguments, "clientName") or inner(arguments, "clientID")
    return joined(plain(inner(arguments, "adapterID")), plain(client), by=" for ")


def _launch(arguments: Any) -> str:
    program = file_name(inner(arguments, "program")) or plain(inner(arguments, "module"))
    process = inner(arguments, "processId")
    connect = joined(*(plain(inner(arguments, "connect", it)) for it in ("host", "port")), by=":")
    words = " ".join(plain(it) for it in listed(inner(arguments, "args"))[:20])
    pid = "" if process is None else f"pid {plain(process)}"
    said = joined(program, clipped(words), connect, pid)
    return said or words_of(arguments)


def _set_breakpoints(arguments: Any) -> str:
    breakpoints = listed(inner(arguments, "breakpoints"))
    lines = [inner(it, "line") for it in breakpoints] or listed(inner(arguments, "lines"))
    said = ",".join(plain(it) for it in lines[:20])
    return joined(_source(inner(arguments, "source")), said or "none", by=":")


def _breakpoints_set(body: Any) -> str:
    """Say where the breakpoints are now: adapters move them, or say why they cannot."""
    breakpoints = listed(inner(body, "breakpoints"))
    verified = [inner(it, "verified") is True for it in breakpoints]
    places = (
        plain(inner(it, "line")) if sound else plain(inner(it, "message"))
        for it, sound in zip(breakpoints, verified, strict=True)
    )
    return joined(f"{sum(verified)} of {len(breakpoints)} verified", some(places), by=": ")


def _named(member: str, name: str) -> Words:
    def words(value: Any) -> str:
        return some((plain(inner(it, name)) for it in listed(inner(value, member))), 6)

    return words


def _one(word: str, member: str) -> Words:
    def words(value: Any) -> str:
        found = inner(value, member)
        return "" if found is None else joined(word, plain(found))

    return words


def _evaluate(arguments: Any) -> str:
    context = plain(inner(arguments, "context"))
    said = plain(inner(arguments, "expression"), 80)
    return f"{said} ({context})" if context else said


def _value(body: Any) -> str:
    result = inner(body, "result")
    of = plain(inner(body, "type"))
    said = plain(inner(body, "value") if result is None else result, 80)
    return f"{said} ({of})" if of else said


def _set_variable(arguments: Any) -> str:
    return f"{plain(inner(arguments, 'name'))} = {plain(inner(arguments, 'value'))}"


def _frames(body: Any) -> str:
    frames = listed(inner(body, "stackFrames"))
    top = inner(frames, 0)
    place = joined(_source(inner(top, "source")), plain(inner(top, "line")), by=":")
    total = inner(body, "totalFrames")
    count = counted(total if isinstance(total, int) else len(frames), "frame")
    return joined(joined(plain(inner(top, "name")), place), count, by=", ")


def _variables(body: Any) -> str:
    variables = listed(inner(body, "variables"))
    pairs = ((plain(inner(it, "name")), plain(inner(it, "value"), 30)) for it in variables)
    return some(joined(name, value, by="=") for name, value in pairs)


def _continued(body: Any) -> str:
    return "all threads" if inner(body, "allThreadsContinued") is True else ""


def _threads(body: Any) -> str:
    threads = listed(inner(body, "threads"))
    return joined(counted(len(threads), "thread"), _named("threads", "name")(body), by=": ")


def _capabilities(body: Any) -> str:
    body = inner(body, "capabilities") or body
    return counted(len(body) if isinstance(body, dict) else 0, "capability", "capabilities")


def _terminal(arguments: Any) -> str:
    return clipped(" ".join(plain(it) for it in listed(inner(arguments, "args"))[:20]), 100)


def _output(body: Any) -> str:
    said = inner(body, "output")
    text = plain(said.rstrip("\r\n") if isinstance(said, str) else said, 100)
    return joined(plain(inner(body, "category")) or "console", text, by=": ")


def _stopped(body: Any) -> str:
    why = plain(inner(body, "text") or inner(body, "description"))
    return joined(plain(inner(body, "reason")), _THREAD(body), why, by=", ")


def _reason(noun: str, *path: str) -> Words:
    def words(body: Any) -> str:
        thing = inner(body, *path)
        said = _source({"path": thing}) if path[-1] == "path" else plain(thing)
        return joined(noun, said, plain(inner(body, "reason")))

    return words


def _breakpoint(body: Any) -> str:
    about = inner(body, "breakpoint")
    place = joined(_source(inner(about, "source")), plain(inner(about, "line")), by=":")
    verified = "verified" if inner(about, "verified") is True else "not verified"
    return joined(plain(inner(body, "reason")), place, verified)


def _process(body: Any) -> str:
    pid = inner(body, "systemProcessId")
    how = plain(inner(body, "startMethod"))
    return joined(
        file_name(inner(body, "name")), "" if pid is None else f"pid {plain(pid)}", how, by=", "
    )


def _progress(body: Any) -> str:
    percentage = inner(body, "percentage")
    title, message = (plain(inner(body, it)) for it in ("title", "message"))
    return joined(title, message, "" if percentage is None else f"{plain(percentage)} %")


def _disconnect(arguments: Any) -> str:
    ends = inner(arguments, "terminateDebuggee")
    return "and end the program" if ends is True else ""


_THREAD = _one("thread", "threadId")

_REQUESTS: dict[str, Words] = {
    "initialize": _initialize,
    "launch": _launch,
    "attach": _launch,
    "setBreakpoints": _set_breakpoints,
    "setFunctionBreakpoints": _named("breakpoints", "name"),
    "setExceptionBreakpoints": lambda it: some(map(plain, listed(inner(it, "filters"))), 6),
    "evaluate": _evaluate,
    "setVariable": _set_variable,
    "scopes": _one("frame", "frameId"),
    "variables": _one("of", "variablesReference"),
    "source": lambda it: _source(inner(it, "source")),
    "completions": _one("", "text"),
    "runInTerminal": _terminal,
    "disconnect": _disconnect,
    "stackTrace": _THREAD,
    "continue": _THREAD,
    "next": _THREAD,
    "stepIn": _THREAD,
    "stepOut": _THREAD,
    "stepBack": _THREAD,
    "pause": _THREAD,
    "exceptionInfo": _THREAD,
}

_RESULTS: dict[str, Words] = {
    "initialize": _capabilities,
    "setBreakpoints": _breakpoints_set,
    "setFunctionBreakpoints": _breakpoints_set,
    "stackTrace": _frames,
    "scopes": _named("scopes", "name"),
    "variables": _variables,
    "threads": _threads,
    "continue": _continued,
    "evaluate": _value,
    "setVariable": _value,
    "completions": lambda it: counted(len(listed(inner(it, "targets"))), "item"),
    "source": lambda it: counted(len(plain(inner(it, "content"), 1 << 30)), "character"),
}

_EVENTS: dict[str, Words] = {
    "output": _output,
    "stopped": _stopped,
    "continued": _THREAD,
    "thread": _reason("thread", "threadId"),
    "module": _reason("", "module", "name"),
    "loadedSource": _reason("", "source", "path"),
    "breakpoint": _breakpoint,
    "process": _process,
    "exited": _one("exit code", "exitCode"),
    "capabilities": _capabilities,
    "progressStart": _progress,
    "progressUpdate": _progress,
    "progressEnd": _progress,
}
