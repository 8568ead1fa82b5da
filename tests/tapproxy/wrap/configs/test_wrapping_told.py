"""What is told before a file is changed, or instead: lists and differences."""

import os
from pathlib import Path

from tapproxy.wrap.configs.diffs import difference
from tapproxy.wrap.configs.kind import switch, unwrap
from tapproxy.wrap.files import Told
from tapproxy.wrap.modes import Mode
from tests.tapproxy.wrap.configs.acts import MODULE, TAP, around, entry, wrap
from tests.tapproxy.wrap.configs.conftest import CONFIG, Acting


def test_without_a_server_all_are_listed(config: Path, acting: Acting, said: list[str]) -> None:
    act = acting()
    wrap(config, act, "notes")
    said.clear()
    wrap(config, act)
    assert said == [
        f"Cursor, {config}:",
        "  time   uvx mcp-server-time",
        "  notes  wrapped, mode record",
        "  far    is reached over the network at example.com: no program is started whose stdin "
        "and stdout tap could record",
        f"`tap wrap --config {config} --server NAME` records one.",
    ]


def test_a_dry_run_shows_the_difference_and_changes_nothing(
    config: Path, acting: Acting, said: list[str], tmp_path: Path
) -> None:
    act = acting(Told(said.append), dry=True)
    wrap(config, act, "notes")
    folder = tmp_path / "recordings"
    args = [
        *MODULE,
        "run",
        "-o",
        f"{folder}/",
        "--name",
        "notes",
        "--keep",
        "default",
        "--",
        "node",
    ]
    written = ", ".join(f'"{it}"' for it in args)
    assert said == [
        f"--- {config}",
        f"+++ {config} (as it would be)",
        "@@ -2,7 +2,7 @@",
        "   // mine",
        '   "mcpServers": {',
        '     "time": { "command": "uvx", "args": ["mcp-server-time"], "env": { "TOKEN": "s" } },',
        '-    "notes": { "command": "node" },',
        f'+    "notes": {{ "command": "{TAP}", "args": [{written}] }},',
        '     "far": { "url": "https://example.com/mcp" },',
        "   }",
        " }",
    ]
    assert (config.read_text(), around(config)) == (CONFIG, {"mcp.json"})
    assert not folder.exists()
    assert os.listdir(act.registry.folder) == []


def test_a_dry_run_of_what_is_wrapped_changes_nothing_either(
    config: Path, acting: Acting, said: list[str]
) -> None:
    wrap(config, acting(), "time")
    before = (config.read_bytes(), acting().registry.entries())
    act = acting(Told(said.append), dry=True)
    said.clear()
    switch(entry(act), Mode("off"), act)
    switched = said.copy()
    said.clear()
    unwrap(entry(act), act)
    assert said == switched
    assert said[0] == f"--- {config}"
    assert [it for it in said if it.startswith("+ ")] == [
        '+    "time": { "command": "uvx", "args": ["mcp-server-time"], "env": { "TOKEN": "s" } },'
    ]
    said.clear()
    switch(entry(act), Mode("record"), act)
    assert said == [f"{config} stays as it is"]
    assert (config.read_bytes(), acting().registry.entries()) == before


def test_a_difference_says_where_a_last_line_end_is_missing() -> None:
    assert list(difference("a\n\tb", "a\n\tc\n", "f")) == [
        "--- f",
        "+++ f (as it would be)",
        "@@ -1,2 +1,2 @@",
        " a",
        "-   b",
        "\\ No newline at end of file",
        "+   c",
    ]
