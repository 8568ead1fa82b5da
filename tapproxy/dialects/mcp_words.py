"""The messages of the Model Context Protocol in a few words, by method.

Source: Model Context Protocol specification, schema of the revisions 2024-11-05 to 2026-07-28.
"""

from typing import Any

import orjson

from tapproxy.dialects.brief import brief, inner, joined, members, some
from tapproxy.dialects.shared_words import (
    LONGEST,
    Words,
    blocks,
    named,
    peer,
    resource,
)

INPUT_REQUIRED = "input_required"
"""The `resultType` by which a server asks back (2026-07-28)."""

LARGEST_TEXT = 1 << 16
"""Characters of a text in which an object is looked for."""

META = "io.modelcontextprotocol/"
"""What the members of `_meta` that belong to the protocol begin with."""


def _initialize(params: Any) -> str:
    return joined(
        peer(params.get("clientInfo")),
        f"protocol {params['protocolVersion']}",
        " ".join(params.get("capabilities", ())),
        by=", ",
    )


def _initialized(result: Any) -> str:
    return joined(
        peer(result.get("serverInfo")),
        f"protocol {result['protocolVersion']}",
        " ".join(result.get("capabilities", ())),
        by=", ",
    )


def _discover(params: Any) -> str:
    meta = params["_meta"]
    return joined(
        peer(meta.get(META + "clientInfo")),
        f"protocol {meta[META + 'protocolVersion']}",
        " ".join(meta.get(META + "clientCapabilities", ())),
        by=", ",
    )


def _discovered(result: Any) -> str:
    return joined(
        peer(inner(result, "_meta", META + "serverInfo")),
        f"protocol {' '.join(result['supportedVersions'])}",
        " ".join(result.get("capabilities", ())),
        by=", ",
    )


def _called(params: Any) -> str:
    given = params.get("arguments") or {}
    return f"{params['name']} {members(given)}".rstrip()


def _tool_result(result: Any) -> str:
    task = result.get("task")
    if task:
        return _task(task)
    structured = result.get("structuredContent") or _only_object(result["content"])
    return _structured(structured) if structured else blocks(result["content"])


def _only_object(content: Any) -> dict[str, Any] | None:
    """Return the object that is all of a result's text, where there is one."""
    text = inner(content, 0, "text") if len(content) == 1 else None
    if not isinstance(text, str) or not text.startswith("{") or len(text) > LARGEST_TEXT:
        return None
    try:
        value: dict[str, Any] = orjson.loads(text)
    except ValueError:
        return None
    return value


def _structured(content: Any) -> str:
    whole = members(content)
    return whole if len(whole) <= LONGEST else members(content, depth=0)


def _task(task: Any) -> str:
    message = task.get("statusMessage")
    return f"{task['taskId']} {task['status']}" + (f" {brief(message)}" if message else "")


def _cursor(params: Any) -> str:
    cursor = params.get("cursor")
    return "" if cursor is None else f"from cursor {brief(cursor)}"


def _page(result: Any, noun: str, names: list[Any]) -> str:
    return named(noun, names, more=bool(result.get("nextCursor")))


def _tools(result: Any) -> str:
    return _page(result, "tool", [it["name"] for it in result["tools"]])


def _prompts(result: Any) -> str:
    return _page(result, "prompt", [it["name"] for it in result["prompts"]])


def _resources(result: Any) -> str:
    return _page(result, "resource", [it["uri"] for it in result["resources"]])


def _templates(result: Any) -> str:
    return _page(result, "template", [it["uriTemplate"] for it in result["resourceTemplates"]])


def _tasks(result: Any) -> str:
    return _page(result, "task", [it["taskId"] for it in result["tasks"]])


def _message(message: Any) -> str:
    return f"{message['role']} {blocks(message['content'])}"


def _sampling(params: Any) -> str:
    return f"{_message(params['messages'][-1])}, at most {params['maxTokens']} tokens"


def _sampled(result: Any) -> str:
    return f"{_message(result)} by {result['model']}"


def _elicitation(params: Any) -> str:
    url = params.get("url")
    if url:
        return f"{brief(params['message'])} at {url}"
    return (
        f"{brief(params['message'])} {named('field', [*params['requestedSchema']['properties']])}"
    )


def _elicited(result: Any) -> str:
    return f"{result['action']} {members(result.get('content') or {})}".rstrip()


def _completion(params: Any) -> str:
    ref, argument = params["ref"], params["argument"]
    return f"{ref.get('name') or ref['uri']} {argument['name']}={brief(argument['value'])}"


def _progress(params: Any) -> str:
    total, message = params.get("total"), params.get("message")
    so_far = f"{params['progress']}" + ("" if total is None else f"/{total}")
    return so_far + (f" {brief(message)}" if message else "")


def _cancelled(params: Any) -> str:
    reason = params.get("reason")
    return f"id {brief(params['requestId'])}" + (f" {brief(reason)}" if reason else "")


def _log(params: Any) -> str:
    logger = params.get("logger")
    return f"{params['level']} " + (f"{logger}: " if logger else "") + brief(params["data"])


def _input_required(result: Any) -> str:
    asked = [it["method"] for it in (result.get("inputRequests") or {}).values()]
    return f"input required: {', '.join(asked)}" if asked else "input required"


REQUESTS: Words = {
    "initialize": _initialize,
    "server/discover": _discover,
    "tools/call": _called,
    "tools/list": _cursor,
    "prompts/get": _called,
    "prompts/list": _cursor,
    "resources/list": _cursor,
    "resources/templates/list": _cursor,
    "resources/read": lambda params: str(params["uri"]),
    "resources/subscribe": lambda params: str(params["uri"]),
    "resources/unsubscribe": lambda params: str(params["uri"]),
    "subscriptions/listen": lambda params: members(params["notifications"]),
    "completion/complete": _completion,
    "logging/setLevel": lambda params: str(params["level"]),
    "sampling/createMessage": _sampling,
    "elicitation/create": _elicitation,
    "tasks/get": lambda params: str(params["taskId"]),
    "tasks/result": lambda params: str(params["taskId"]),
    "tasks/cancel": lambda params: str(params["taskId"]),
    "tasks/list": _cursor,
    "notifications/progress": _progress,
    "notifications/cancelled": _cancelled,
    "notifications/message": _log,
    "notifications/resources/updated": lambda params: str(params["uri"]),
    "notifications/subscriptions/acknowledged": lambda params: members(params["notifications"]),
    "notifications/elicitation/complete": lambda params: str(params["elicitationId"]),
    "notifications/tasks/status": _task,
}
"""Of requests and notifications: their params."""

RESULTS: Words = {
    "initialize": _initialized,
    "server/discover": _discovered,
    "tools/call": _tool_result,
    "tools/list": _tools,
    "prompts/get": lambda result: some(map(_message, result["messages"])),
    "prompts/list": _prompts,
    "resources/list": _resources,
    "resources/templates/list": _templates,
    "resources/read": lambda result: some(map(resource, result["contents"])),
    "completion/complete": lambda result: named("value", result["completion"]["values"]),
    "sampling/createMessage": _sampled,
    "elicitation/create": _elicited,
    "roots/list": lambda result: named("root", [it["uri"] for it in result["roots"]]),
    "tasks/get": _task,
    "tasks/cancel": _task,
    "tasks/result": _tool_result,
    "tasks/list": _tasks,
    "subscriptions/listen": lambda _: "",
    INPUT_REQUIRED: _input_required,
}
"""Of answers, by what was asked; one that asks back, by its resultType."""
