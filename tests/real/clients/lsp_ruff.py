"""An LSP session by pygls's client, with a server that lints and formats.

Our arguments are the server's command line; a summary of the session is printed as JSON.
"""
# mypy: disable-error-code="import-not-found"

import asyncio
import json
import sys

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

URI = "file:///nowhere/žluťoučký.py"
SOURCE = "import os\nx = [ 'kůň',\n  1 ]\n" + "y = 'ď'  # a comment of some length, ☃\n" * 2000
DOCUMENT = types.TextDocumentIdentifier(URI)


async def diagnostics(client: LanguageClient) -> list[str]:
    """Ask what is wrong with the document; return the rules that it breaks."""
    answer = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(DOCUMENT))
    return sorted({str(item.code) for item in answer.items})


async def formatted_size(client: LanguageClient) -> int:
    """Have the document formatted; return how much text the edits hold."""
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    params = types.DocumentFormattingParams(DOCUMENT, options)
    edits = await client.text_document_formatting_async(params)
    return sum(len(edit.new_text) for edit in edits)


async def refusal(client: LanguageClient) -> str:
    """Make a request that no server knows; return its error."""
    try:
        await client.protocol.send_request_async("no/such/method", {"snow": "☃"})
    except JsonRpcException as error:
        return str(error)
    return "no error"


async def session(command: str, *arguments: str) -> dict[str, object]:
    """Initialize, open, lint, format, change, lint again, and shut down."""
    client = make_test_lsp_client()
    await client.start_io(command, *arguments)
    params = types.InitializeParams(client_capabilities("visual-studio-code"))
    started = await client.initialize_session(params)
    opened = types.TextDocumentItem(URI, "python", 1, SOURCE)
    client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
    summary: dict[str, object] = {
        "server": started.server_info.name,
        "diagnostics": await diagnostics(client),
        "formatted": await formatted_size(client),
        "refusal": await refusal(client),
    }
    version = types.VersionedTextDocumentIdentifier(2, URI)
    whole = types.TextDocumentContentChangeWholeDocument("x = (\n")
    client.text_document_did_change(types.DidChangeTextDocumentParams(version, [whole]))
    summary["changed"] = await diagnostics(client)
    await client.shutdown_session()
    await client.stop()
    return {**summary, "exit": client._server.returncode}  # noqa: SLF001 no other way to learn it


print(json.dumps(asyncio.run(session(*sys.argv[1:]))))
