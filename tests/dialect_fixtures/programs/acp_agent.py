"""An ACP agent on the Python SDK that, prompted, does one of each thing that agents do."""
# mypy: disable-error-code="import-not-found"

import asyncio
from typing import Any

import acp
from acp import helpers, schema

SESSION = "session-1"


class Agent:
    """Answers prompts out of its head; one that says `slowly` goes on until it is cancelled."""

    def __init__(self) -> None:
        self._cancelled = asyncio.Event()

    def on_connect(self, client: Any) -> None:
        """Keep the other side."""
        self._client = client

    async def initialize(self, protocol_version: int, **_: Any) -> Any:
        """Say who we are."""
        return schema.InitializeResponse(
            protocol_version=protocol_version,
            agent_capabilities=schema.AgentCapabilities(load_session=False),
            agent_info=schema.Implementation(name="fixture-agent", version="0.3.0"),
        )

    async def new_session(self, **_: Any) -> Any:
        """Begin the only session, with two modes and a command."""
        modes = [
            schema.SessionMode(id="ask", name="Ask"),
            schema.SessionMode(id="code", name="Code"),
        ]
        state = schema.SessionModeState(current_mode_id="ask", available_modes=modes)
        return schema.NewSessionResponse(session_id=SESSION, modes=state)

    async def set_session_mode(self, mode_id: str, **_: Any) -> Any:
        """Be in the mode, and say so."""
        await self._tell(helpers.update_current_mode(mode_id))
        return schema.SetSessionModeResponse()

    async def prompt(self, prompt: list[Any], **_: Any) -> Any:
        """Do the work, or wait to be stopped."""
        if "slowly" in prompt[0].text:
            await self._tell(acp.update_agent_message_text("One … "))
            await self._cancelled.wait()
            return acp.PromptResponse(stop_reason="cancelled")
        await self._think()
        await self._edit()
        await self._run()
        await self._tell(acp.update_agent_message_text("The greeting is there."))
        return acp.PromptResponse(stop_reason="end_turn")

    async def cancel(self, **_: Any) -> None:
        """Let the waiting prompt end."""
        self._cancelled.set()

    async def _think(self) -> None:
        for thought in ("There is ", "no greeting ", "in it yet."):
            await self._tell(acp.update_agent_thought_text(thought))
        for word in ("I shall ", "add a ", "greeting: «Dobrý den»."):
            await self._tell(acp.update_agent_message_text(word))
        steps = [
            acp.plan_entry("Read the file", status="in_progress"),
            acp.plan_entry("Add the greeting"),
        ]
        await self._tell(acp.update_plan(steps))

    async def _edit(self) -> None:
        path = "/project/hello.txt"
        await self._tell(acp.start_edit_tool_call("call-1", "Add a greeting", path, "Dobrý den"))
        old = await self._client.read_text_file(session_id=SESSION, path=path, limit=10)
        new = old.content + "Dobrý den\n"
        options = [
            schema.PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
            schema.PermissionOption(option_id="no", name="Reject", kind="reject_once"),
        ]
        call = schema.ToolCallUpdate(tool_call_id="call-1", title="Add a greeting")
        answer = await self._client.request_permission(
            session_id=SESSION, tool_call=call, options=options
        )
        assert answer.outcome.option_id == "yes"
        await self._client.write_text_file(session_id=SESSION, path=path, content=new)
        diff = acp.tool_diff_content(path, new, old.content)
        await self._tell(acp.update_tool_call("call-1", status="completed", content=[diff]))

    async def _run(self) -> None:
        await self._tell(acp.start_tool_call("call-2", "Run cat", kind="execute"))
        terminal = await self._client.create_terminal(
            session_id=SESSION, command="cat", args=["hello.txt"]
        )
        its = {"session_id": SESSION, "terminal_id": terminal.terminal_id}
        await self._client.wait_for_terminal_exit(**its)
        await self._client.terminal_output(**its)
        await self._client.release_terminal(**its)
        try:
            await self._client.read_text_file(session_id=SESSION, path="/project/none.txt")
        except acp.RequestError:
            await self._tell(acp.update_tool_call("call-2", status="failed"))

    async def _tell(self, update: Any) -> None:
        await self._client.session_update(SESSION, update)


asyncio.run(acp.run_agent(Agent()))
