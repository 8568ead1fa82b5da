"""An ACP session by the Python SDK's client: a prompt to its end, and one that is cancelled.

Our arguments are the agent's command line; a summary of the session is printed as JSON.
"""
# mypy: disable-error-code="import-not-found"

import asyncio
import json
import sys
from typing import Any

import acp
from acp import schema


class Client:
    """An editor with one file, a terminal that always says the same, and a user who allows all."""

    def __init__(self) -> None:
        self.text = "Ahoj\n"
        self.spoke = asyncio.Event()

    def on_connect(self, agent: Any) -> None:
        """Keep nothing: what we ask of the agent is asked in `session`."""

    async def session_update(self, update: Any, **_: Any) -> None:
        """Notice the agent's words."""
        if update.session_update == "agent_message_chunk":
            self.spoke.set()

    async def request_permission(self, options: list[Any], **_: Any) -> Any:
        """Choose the first option."""
        outcome = schema.AllowedOutcome(outcome="selected", option_id=options[0].option_id)
        return schema.RequestPermissionResponse(outcome=outcome)

    async def read_text_file(self, path: str, **_: Any) -> Any:
        """Return the one file."""
        if path != "/project/hello.txt":
            raise acp.RequestError.resource_not_found(path)
        return acp.ReadTextFileResponse(content=self.text)

    async def write_text_file(self, content: str, **_: Any) -> Any:
        """Keep the one file."""
        self.text = content
        return acp.WriteTextFileResponse()

    async def create_terminal(self, **_: Any) -> Any:
        """Run nothing."""
        return schema.CreateTerminalResponse(terminal_id="terminal-1")

    async def wait_for_terminal_exit(self, **_: Any) -> Any:
        """Have exited well."""
        return schema.WaitForTerminalExitResponse(exit_code=0)

    async def terminal_output(self, **_: Any) -> Any:
        """Return what cat would have said."""
        status = schema.TerminalExitStatus(exit_code=0)
        return schema.TerminalOutputResponse(output=self.text, truncated=False, exit_status=status)

    async def release_terminal(self, **_: Any) -> Any:
        """Forget it."""
        return schema.ReleaseTerminalResponse()


async def session(command: str, *arguments: str) -> dict[str, object]:
    """Greet, prompt, change the mode, prompt and cancel."""
    client = Client()
    async with acp.spawn_agent_process(client, command, *arguments) as (agent, _):
        await agent.initialize(
            protocol_version=acp.PROTOCOL_VERSION,
            client_capabilities=schema.ClientCapabilities(
                fs=schema.FileSystemCapabilities(read_text_file=True, write_text_file=True),
                terminal=True,
            ),
            client_info=schema.Implementation(name="fixture-editor", version="1.4"),
        )
        its = (await agent.new_session(cwd="/project", mcp_servers=[])).session_id
        task = [acp.text_block("Add a greeting to hello.txt")]
        ended = await agent.prompt(session_id=its, prompt=task)
        await agent.set_session_mode(session_id=its, mode_id="code")
        client.spoke.clear()
        slow = [acp.text_block("Count slowly to ten")]
        counting = asyncio.ensure_future(agent.prompt(session_id=its, prompt=slow))
        await client.spoke.wait()
        await agent.cancel(session_id=its)
        stopped = await counting
    return {"text": client.text, "ended": [ended.stop_reason, stopped.stop_reason]}


print(json.dumps(asyncio.run(session(*sys.argv[1:]))))
