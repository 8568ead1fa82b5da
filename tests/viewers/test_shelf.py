"""The list of recordings, for people and for programs."""

from tapproxy_store.reading import Counts
from tapproxy_viewers.lines import plain
from tapproxy_viewers.listing import Listed, Readable, Remark, listed_object
from tapproxy_viewers.naming import short_command_of
from tapproxy_viewers.shelf import shelf
from tests.viewers.made import SECOND, STARTED_NS, session

COUNTS = Counts(
    chunks=40,
    events=3,
    frames={"in": 14, "out": 12345, "err": 0},
    bytes={"in": 2100, "out": 48300, "err": 0},
)
LIVE = session(duration_ns=None, outcome=None, name="x", started_ns=STARTED_NS + 3590 * SECOND)
KILLED = session(
    outcome="signal SIGKILL",
    dialect="jsonrpc",
    facts={"argv": ["/opt/deno/bin/deno", "run", "/srv/a b.ts"]},
)
SHELF: list[Listed] = [
    Readable("2129-server-43", "/r/2129-server-43.tap", LIVE, COUNTS),
    Remark("2129-server-42", "/r/b.tap", "unfinished", "unfinished"),
    Readable("2030-deno-41", "/r/c.tap", KILLED, COUNTS),
    Remark("torn", "/r/torn.tap", "damaged", "/r/torn.tap is not a recording: it is text"),
]


def told(width: int) -> str:
    names = [it.name for it in SHELF]
    lines = shelf(SHELF, names, width, STARTED_NS + 3600 * SECOND)
    return "".join(f"{plain(line).rstrip()}\n" for line in lines)


def test_recordings_are_listed_in_columns() -> None:
    expected = """\
name                   when     took  frames ──→     ←──    bytes  dialect  outcome          command
2129-server-43     just now                   14   12.3k  50.4 kB           still running    server.py --greet 'hello y…
2129-server-42  unfinished
2030-deno-41        1 h ago    5.0 s          14   12.3k  50.4 kB  jsonrpc  signal SIGKILL   deno run '/srv/a b.ts'
torn            /r/torn.tap is not a recording: it is text
"""  # noqa: E501  the width that all columns need
    assert told(120) == expected


def test_a_narrow_terminal_loses_the_less_important_columns() -> None:
    expected = """\
name                   when     took  frames ──→     ←──    bytes  outcome          command
2129-server-43     just now                   14   12.3k  50.4 kB  still running    server.py --gre…
2129-server-42  unfinished
2030-deno-41        1 h ago    5.0 s          14   12.3k  50.4 kB  signal SIGKILL   deno run '/srv/…
torn            /r/torn.tap is not a recording: it is text
"""
    assert told(100) == expected
    expected = """\
name                   when     took  outcome          command
2129-server-43     just now           still running    server.py --greet 'hello…
2129-server-42  unfinished
2030-deno-41        1 h ago    5.0 s  signal SIGKILL   deno run '/srv/a b.ts'
torn            /r/torn.tap is not a recording: it is text
"""
    assert told(80) == expected
    expected = """\
name                   when  outcome          command
2129-server-43     just now  still running    server.py --greet '…
2129-server-42  unfinished
2030-deno-41        1 h ago  signal SIGKILL   deno run '/srv/a b.…
torn            /r/torn.tap is not a recording: it is text
"""
    assert told(66) == expected


def test_a_program_is_named_without_its_folder_where_there_is_one() -> None:
    def command(argv: object) -> str:
        return short_command_of(session(name="it", facts={"argv": argv}))

    assert command(["/usr/bin/python3", "/srv/a.py"]) == "python3 /srv/a.py"
    assert command(["cat"]) == "cat"
    assert command(["/srv/", "x"]) == "/srv/ x"
    assert command([{"base64": "/w=="}, "x"]) == r"'\xff' x"
    assert [command(None), command([]), command("cat")] == ["it", "it", "it"]


def test_a_column_that_would_be_a_few_cells_wide_is_left_out() -> None:
    expected = """\
name                   when  outcome
2129-server-43     just now  still running
2129-server-42  unfinished
2030-deno-41        1 h ago  signal SIGKILL
torn            /r/torn.tap is not a recording: …
"""
    assert told(49) == expected
    expected = """\
name                   when
2129-server-43     just now
2129-server-42  unfinished
2030-deno-41        1 h ago
torn            /r/torn.tap i…
"""
    assert told(30) == expected


def test_programs_get_the_session_or_what_is_wrong() -> None:
    assert listed_object(SHELF[3]) == {
        "type": "recording",
        "recording": "torn",
        "path": "/r/torn.tap",
        "status": "damaged",
        "note": "/r/torn.tap is not a recording: it is text",
    }
    live = listed_object(SHELF[0])
    assert (live["type"], live["status"], live["recording"], live["name"]) == (
        "recording",
        "live",
        "2129-server-43",
        "x",
    )
