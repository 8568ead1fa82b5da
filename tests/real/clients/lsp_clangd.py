"""An LSP session by pygls's client, with clangd.

Our arguments are the server's command line; a summary of the session is printed as JSON.
"""
# mypy: disable-error-code="import-not-found"

import asyncio
import json
import sys

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

URI = "file:///nowhere/main.cpp"
SOURCE = """\
// Žluťoučký kůň ☃
struct Point { int x; int y; };
int sum(Point point) { return point.x + point.y; }
int three() { return sum(Point{1, 2}); }
int main() { return missing; }
"""
CALL = types.Position(3, 22)
DOCUMENT = types.TextDocumentIdentifier(URI)


async def complaints(client: LanguageClient) -> list[str]:
    """Wait for the diagnostics of the document; return what they say."""
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return [str(item.message) for item in client.diagnostics[URI]]


async def session(command: str, *arguments: str) -> dict[str, object]:
    """Initialize, open, ask three questions at once, mend the document, and shut down."""
    client = make_test_lsp_client()
    await client.start_io(command, *arguments)
    params = types.InitializeParams(client_capabilities("visual-studio-code"))
    started = await client.initialize_session(params)
    opened = types.TextDocumentItem(URI, "cpp", 1, SOURCE)
    client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
    wrong = await complaints(client)
    hover, places, symbols = await asyncio.gather(
        client.text_document_hover_async(types.HoverParams(DOCUMENT, CALL)),
        client.text_document_definition_async(types.DefinitionParams(DOCUMENT, CALL)),
        client.text_document_document_symbol_async(types.DocumentSymbolParams(DOCUMENT)),
    )
    version = types.VersionedTextDocumentIdentifier(2, URI)
    whole = types.TextDocumentContentChangeWholeDocument(SOURCE.replace("missing", "3"))
    client.text_document_did_change(types.DidChangeTextDocumentParams(version, [whole]))
    summary: dict[str, object] = {
        "server": started.server_info.name,
        "wrong": wrong,
        "hover": hover.contents.value,
        "defined in line": places[0].range.start.line,
        "symbols": [symbol.name for symbol in symbols],
        "mended": await complaints(client),
    }
    await client.shutdown_session()
    await client.stop()
    return {**summary, "exit": client._server.returncode}  # noqa: SLF001 no other way to learn it


print(json.dumps(asyncio.run(session(*sys.argv[1:]))))
