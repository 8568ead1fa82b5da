"""Says in a few words what the params and results of LingXi's five methods hold.

Source: LingXi's PluginIPCProtocol.swift, PluginManifest.swift and PluginCommand.swift, and the
table of methods on the page of the Plugin IPC.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from tapproxy.dialects.brief import brief, clipped, members
from tapproxy.dialects.jsonrpc import words_of

SNAPSHOT = "host.snapshot"
INITIALIZE = "plugin.initialize"
TOOL = "tool.execute"
COMMAND = "command.execute"
HOOK = "hook.emit"
METHODS = frozenset({SNAPSHOT, INITIALIZE, TOOL, COMMAND, HOOK})

LONGEST_RESULT = 90
"""Characters of a tool's or a command's text."""

MOST_NAMED = 4
"""Tools or commands called by name."""

SWIFT_EPOCH_S = 978_307_200
"""2001-01-01T00:00:00Z, seconds since 1970: where Foundation's Date counts from."""

Object = dict[str, Any]

NEEDED: Mapping[str, tuple[str, ...]] = {
    "result": ("manifest", "tools", "commands"),
    "manifest": ("id", "name", "version", "description", "capabilities"),
    "tool": ("name", "description", "inputSchema"),
    "command": ("name", "aliases", "description", "category", "argumentHint"),
}
"""Members without which Swift's decoder refuses the answer to plugin.initialize."""


def request_words(method: str, params: Any) -> str:
    """Say the params of a request, whichever shape they came in."""
    if method == INITIALIZE and params is None:
        return "without params"
    say = _REQUESTS.get(method)
    return say(params) if say is not None and isinstance(params, dict) else words_of(params)


def result_words(method: str | None, result: Any) -> str:
    """Say a result; `method` is what was asked, None if that is unknown."""
    if isinstance(result, str):
        return brief(result, LONGEST_RESULT)
    say = _RESULTS.get(method or "")
    return say(result) if say is not None and isinstance(result, dict) else words_of(result)


def lacking(result: Object) -> Iterator[str]:
    """Yield what an answer to plugin.initialize lacks: `manifest lacks version`."""
    yield from _lacking("result", "result", result)
    if "manifest" in result:
        yield from _lacking("manifest", "manifest", _object(result, "manifest"))
    for kind in ("tool", "command"):
        for one in _objects(result.get(kind + "s")):
            yield from _lacking(kind, f"{kind} {one.get('name', '')}".strip(), one)


def identity(manifest: Object) -> str:
    """Return who a plugin says it is: `demo 0.1.0`."""
    return " ".join(str(manifest[name]) for name in ("id", "version") if name in manifest)


def instant(observed_at: Any) -> str:
    """Return a snapshot's `observedAt` as an instant in UTC, ISO 8601: text stays as it is.

    A number is seconds since 2001 (JSONEncoder's deferredToDate).
    """
    try:
        moment = datetime.fromtimestamp(SWIFT_EPOCH_S + observed_at, UTC)
    except (TypeError, OverflowError, ValueError, OSError):
        return str(observed_at)
    return moment.isoformat(timespec="milliseconds")[: -len("+00:00")] + "Z"


def _initialize(params: Object) -> str:
    called = (("host IPC", "hostIPCVersion"), ("core", "coreVersion"))
    return ", ".join(f"{words} {params[name]}" for words, name in called if name in params)


def _snapshot(params: Object) -> str:
    context = _object(params, "contextState")
    workspace = _object(params, "workspace")
    branch = workspace.get("currentGitBranch")
    said = [instant(params.get("observedAt"))]
    if (model := context.get("activeModelID")) is not None:
        said.append(f"model {model}")
    if (tokens := context.get("totalTokenUsage")) is not None:
        said.append(f"{tokens} tokens")
    if (root := workspace.get("rootPath")) is not None:
        said.append(clipped(str(root)) + (f" on {branch}" if branch else ""))
    return ", ".join(said)


def _tool(params: Object) -> str:
    arguments = params.get("arguments")
    if isinstance(arguments, dict):
        said = ", ".join(members({key: it}) for key, it in arguments.items())
    else:
        said = words_of(arguments)
    return f"{params.get('toolName')}({said})"


def _command(params: Object) -> str:
    arguments = params.get("arguments")
    said = arguments if isinstance(arguments, list) else []
    return " ".join([f"/{params.get('commandName')}", *(brief(it) for it in said)])


def _hook(params: Object) -> str:
    metadata = _object(params, "metadata")
    said = [str(params.get("event")), str(params.get("subjectID")), members(metadata)]
    return " ".join(filter(None, said))


def _initialized(result: Object) -> str:
    manifest = _object(result, "manifest")
    said = [identity(manifest)]
    if "name" in manifest:
        said[0] += f" ({manifest['name']})"
    if "ipcVersion" in result:
        said.append(f"IPC {result['ipcVersion']}")
    said += _named("tool", result.get("tools"), "")
    said += _named("command", result.get("commands"), "/")
    return ", ".join(said)


def _presented(result: Object) -> str:
    said = ["prompt" if result.get("isPrompt") is True else str(result.get("presentation"))]
    if result.get("title") is not None:
        said.append(brief(result["title"]) + ":")
    return " ".join([*said, brief(result.get("text"), LONGEST_RESULT)])


_REQUESTS: Mapping[str, Callable[[Object], str]] = {
    INITIALIZE: _initialize,
    SNAPSHOT: _snapshot,
    TOOL: _tool,
    COMMAND: _command,
    HOOK: _hook,
}

_RESULTS: Mapping[str, Callable[[Object], str]] = {INITIALIZE: _initialized, COMMAND: _presented}


def _named(noun: str, values: Any, sign: str) -> list[str]:
    names = [f"{sign}{it.get('name')}" for it in _objects(values)]
    if not names:
        return []
    more = ["…"] if len(names) > MOST_NAMED else []
    counted = f"{len(names)} {noun}{'' if len(names) == 1 else 's'}"
    return [f"{counted}: {', '.join([*names[:MOST_NAMED], *more])}"]


def _lacking(kind: str, called: str, value: Object) -> Iterator[str]:
    missing = [name for name in NEEDED[kind] if name not in value]
    if missing:
        yield f"{called} lacks {', '.join(missing)}"


def _objects(values: Any) -> list[Object]:
    return [it for it in values if isinstance(it, dict)] if isinstance(values, list) else []


def _object(value: Object, name: str) -> Object:
    member = value.get(name)
    return member if isinstance(member, dict) else {}
