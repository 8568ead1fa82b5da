"""Sessions of mcp-rec: each message where and when it went, each run a session."""

import pytest

from tapproxy.importing.mcp_rec import MCP_REC
from tests.tapproxy.importing.logs import error, records, told

ASKED = '{"ts": 1796089400.5, "dir": "client->server", "msg": {"id": 0, "method": "initialize"}}'
ANSWERED = '{"ts": 1796089401.25, "dir": "server->client", "msg": {"id": 0, "result": {}}}'


def test_each_initialize_begins_a_session() -> None:
    again = ASKED.replace("9400.5", "9405.5")
    assert told(records(MCP_REC, ASKED, ANSWERED, again)) == [
        ("a", 0.5),
        (0.0, "in", b'{"id": 0, "method": "initialize"}\n'),
        (0.75, "out", b'{"id": 0, "result": {}}\n'),
        ("a", 5.5),
        (0.0, "in", b'{"id": 0, "method": "initialize"}\n'),
    ]


def test_what_mcp_rec_could_not_parse_is_kept_as_it_was() -> None:
    messages = ['{"_raw": "{\\"id\\":", "_unparsed": true}', "5", '{"_unparsed": true}']
    lines = [f'{{"ts": 1796089400, "dir": "client->server", "msg": {it}}}' for it in messages]
    assert told(records(MCP_REC, *lines))[1:] == [
        (0.0, "in", b'{"id":\n'),
        (0.0, "in", b"5\n"),
        (0.0, "in", b'{"_unparsed": true}\n'),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"ts": 1, "dir": "up", "msg": 1}',
         'a.log:2:11: "dir" must be "client->server" or "server->client", not "up"'),
        ('{"ts": "soon", "dir": "client->server", "msg": 1}',
         'a.log:2:2: "ts" must be seconds since 1970, not "soon"'),
        ('{"ts": 1, "dir": "client->server"}',
         'a.log:2:1: "msg" must be the message, not nothing'),
        ("[]", "a.log:2:1: expected an object {…}, not []"),
    ],
)  # fmt: skip
def test_what_mcp_rec_does_not_write_is_told_with_its_place(line: str, message: str) -> None:
    assert error(MCP_REC, ASKED, line) == message
