"""The messages of the Agent Client Protocol in a few words, by method.

Source: Agent Client Protocol, schema v1.19.0 (agentclientprotocol.com/protocol/schema).
"""

from typing import Any

from tapproxy.dialects.brief import brief, inner, joined
from tapproxy.dialects.shared_words import Words, block, blocks, named, peer, said


def _initialize(params: Any) -> str:
    return joined(
        peer(params.get("clientInfo")),
        f"protocol {params['protocolVersion']}",
        _capabilities(params.get("clientCapabilities")),
        by=", ",
    )


def _initialized(result: Any) -> str:
    ways = [it.get("name") or it["id"] for it in result.get("authMethods") or ()]
    return joined(
        peer(result.get("agentInfo")),
        f"protocol {result['protocolVersion']}",
        _capabilities(result.get("agentCapabilities")),
        f"authenticate with {' or '.join(ways)}" if ways else "",
        by=", ",
    )


def _capabilities(given: Any) -> str:
    """Name what is true: `fs.readTextFile terminal`."""
    able = []
    for name, value in (given or {}).items():
        if value is True:
            able.append(name)
        elif isinstance(value, dict):
            able += [f"{name}.{part}" for part, it in value.items() if it is True]
    return " ".join(able)


def _session(params: Any) -> str:
    servers = [it["name"] for it in params.get("mcpServers") or ()]
    cwd = params.get("cwd")
    return joined(
        params.get("sessionId") or "",
        f"in {cwd}" if cwd else "",
        named("MCP server", servers) if servers else "",
        by=", ",
    )


def _session_result(result: Any) -> str:
    mode = inner(result, "modes", "currentModeId")
    return joined(result.get("sessionId") or "", f"mode {mode}" if mode else "", by=", ")


def _stopped(result: Any) -> str:
    tokens = inner(result, "usage", "totalTokens")
    return joined(result["stopReason"], "" if tokens is None else f"{tokens} tokens", by=", ")


def _update(params: Any) -> str:
    update = dict(params["update"])
    kind = update.pop("sessionUpdate")
    return f"{kind} {said(UPDATES, kind, update)}".rstrip()


def _tool_call(update: Any) -> str:
    title = update.get("title")
    places = [it["path"] for it in update.get("locations") or ()][:1]
    parts = [update.get("kind"), brief(title) if title else None, update.get("status"), *places]
    content = [_produced(it) for it in (update.get("content") or ())[:2]]
    return joined(" ".join([update["toolCallId"], *filter(None, parts)]), *content, by=", ")


def _produced(content: Any) -> str:
    """Say what a tool call has produced: a content block, a diff or a terminal."""
    if content["type"] == "diff":
        return f"diff of {content['path']}"
    if content["type"] == "terminal":
        return f"terminal {content['terminalId']}"
    return block(content["content"])


def _plan(update: Any) -> str:
    entries = update["entries"]
    done = sum(it["status"] == "completed" for it in entries)
    now = [brief(it["content"]) for it in entries if it["status"] == "in_progress"]
    return joined(f"{done} of {len(entries)} done", *now[:1], by=", ")


def _permission(params: Any) -> str:
    call = params["toolCall"]
    options = " / ".join(it["name"] for it in params["options"])
    return f"{brief(call.get('title') or call['toolCallId'])} {options}".rstrip()


def _outcome(result: Any) -> str:
    outcome = result["outcome"]
    return f"{outcome['outcome']} {outcome.get('optionId', '')}".rstrip()


def _read(params: Any) -> str:
    line, limit = params.get("line"), params.get("limit")
    return joined(
        params["path"],
        "" if line is None else f"from line {line}",
        "" if limit is None else f"at most {limit} lines",
        by=", ",
    )


def _create_terminal(params: Any) -> str:
    cwd = params.get("cwd")
    command = " ".join([params["command"], *(params.get("args") or ())])
    return brief(command) + (f" in {cwd}" if cwd else "")


def _exit(status: Any) -> str:
    signal = status.get("signal")
    return f"signal {signal}" if signal else f"exit {status['exitCode']}"


def _output(result: Any) -> str:
    status = result.get("exitStatus")
    return joined(
        brief(result["output"]),
        "truncated" if result["truncated"] else "",
        _exit(status) if status else "",
        by=", ",
    )


def _chunk(update: Any) -> str:
    return block(update["content"])


UPDATES: Words = {
    "user_message_chunk": _chunk,
    "agent_message_chunk": _chunk,
    "agent_thought_chunk": _chunk,
    "tool_call": _tool_call,
    "tool_call_update": _tool_call,
    "plan": _plan,
    "available_commands_update": lambda update: named(
        "command", [it["name"] for it in update["availableCommands"]]
    ),
    "current_mode_update": lambda update: str(update["currentModeId"]),
    "usage_update": lambda update: f"{update['used']} of {update['size']} tokens",
}
"""Of session/update, by its sessionUpdate."""

REQUESTS: Words = {
    "initialize": _initialize,
    "authenticate": lambda params: str(params["methodId"]),
    "session/new": _session,
    "session/load": _session,
    "session/resume": _session,
    "session/fork": _session,
    "session/list": _session,
    "session/close": _session,
    "session/delete": _session,
    "session/cancel": _session,
    "session/set_mode": lambda params: str(params["modeId"]),
    "session/set_config_option": lambda params: f"{params['configId']}={brief(params['value'])}",
    "session/prompt": lambda params: blocks(params["prompt"]),
    "session/update": _update,
    "session/request_permission": _permission,
    "fs/read_text_file": _read,
    "fs/write_text_file": lambda params: f"{params['path']} {brief(params['content'])}",
    "terminal/create": _create_terminal,
    "terminal/output": lambda params: str(params["terminalId"]),
    "terminal/release": lambda params: str(params["terminalId"]),
    "terminal/wait_for_exit": lambda params: str(params["terminalId"]),
    "terminal/kill": lambda params: str(params["terminalId"]),
    "$/cancel_request": lambda params: f"id {brief(params['requestId'])}",
}
"""Of requests and notifications: their params."""

RESULTS: Words = {
    "initialize": _initialized,
    "session/new": _session_result,
    "session/load": _session_result,
    "session/resume": _session_result,
    "session/fork": _session_result,
    "session/list": lambda result: named("session", [it["sessionId"] for it in result["sessions"]]),
    "session/prompt": _stopped,
    "session/request_permission": _outcome,
    "fs/read_text_file": lambda result: brief(result["content"]),
    "terminal/create": lambda result: str(result["terminalId"]),
    "terminal/wait_for_exit": _exit,
    "terminal/output": _output,
}
"""Of answers, by what was asked."""
