"""An LSP session by pygls's client: a faulty document is linted, hovered, mended and withdrawn.

Our arguments are the server's command line.
"""
# mypy: disable-error-code="import-not-found,untyped-decorator"

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient, make_test_lsp_client

ROOT = Path("/tmp/demo")  # noqa: S108  the tape names it: a path of no machine
URI = (ROOT / "grüße.py").as_uri()
SOURCE = "import os\nimport sys  # noqa: F401\n\nprint('grüße')\n"
DOCUMENT = types.TextDocumentIdentifier(URI)
PUSHED = types.PublishDiagnosticsClientCapabilities(related_information=True)
CAPABILITIES = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        apply_edit=True,
        configuration=True,
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
            dynamic_registration=True
        ),
    ),
    text_document=types.TextDocumentClientCapabilities(publish_diagnostics=PUSHED),
)


def spot(line: int, start: int, end: int) -> types.Range:
    """Return a range within one line."""
    return types.Range(types.Position(line, start), types.Position(line, end))


async def look(client: LanguageClient) -> None:
    """Hover over a rule, ask for mends of the first fault, and for what no server knows."""
    over_rule = types.HoverParams(DOCUMENT, types.Position(1, 20))
    await client.text_document_hover_async(over_rule)
    nowhere = types.HoverParams(DOCUMENT, types.Position(3, 0))
    await client.text_document_hover_async(nowhere)
    context = types.CodeActionContext(client.diagnostics[URI])
    wanted = types.CodeActionParams(DOCUMENT, spot(0, 7, 9), context)
    await client.text_document_code_action_async(wanted)
    with suppress(JsonRpcException):
        await client.protocol.send_request_async("no/such/method", {})


async def mend(client: LanguageClient) -> None:
    """Have the server mend the document, which it asks us to do; format it; give one call up."""
    arguments = [{"uri": URI, "version": 1}]
    command = types.ExecuteCommandParams("ruff.applyAutofix", arguments)
    await client.workspace_execute_command_async(command)
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    formatting = types.DocumentFormattingParams(DOCUMENT, options)
    await client.text_document_formatting_async(formatting)
    given_up = client.protocol.send_request("textDocument/formatting", formatting, msg_id="gone")
    client.protocol.notify("$/cancelRequest", types.CancelParams("gone"))
    with suppress(JsonRpcException):
        await asyncio.wrap_future(given_up)


async def session(command: str, *arguments: str) -> None:
    """Initialize, open, look, mend, and shut down."""
    client = make_test_lsp_client()

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply_edit(_: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        return types.ApplyWorkspaceEditResult(applied=True)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(_: types.RegistrationParams) -> None:
        return None

    await client.start_io(command, *arguments, cwd=ROOT)
    params = types.InitializeParams(
        CAPABILITIES,
        client_info=types.ClientInfo("demo-editor", "1.0"),
        workspace_folders=[types.WorkspaceFolder(ROOT.as_uri(), ROOT.name)],
    )
    await client.initialize_session(params)
    opened = types.TextDocumentItem(URI, "python", 1, SOURCE)
    client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    await look(client)
    await mend(client)
    await client.shutdown_session()
    await client.stop()


ROOT.mkdir(exist_ok=True)
asyncio.run(session(*sys.argv[1:]))
