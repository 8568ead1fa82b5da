"""A recording as a sequence diagram: lines of a few forms, and nothing in it that is syntax."""

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tapproxy_store.reading import open_recording
from tapproxy_viewers.as_mermaid import MOST_BYTES, MOST_ROWS, mermaid_diagram
from tapproxy_viewers.sequence import label
from tests.viewers.made import MS, SECOND, record, session
from tests.viewers.spoken import (
    HOSTILE,
    message,
    record_messages,
    record_small,
)

SMALL = """\
sequenceDiagram
    participant host as Claude
    participant plugin as server.py
    Note over host,plugin: ./server.py
    Note over host,plugin: jsonrpc · server a#59;b
    Note over host,plugin: plugin started, pid 42
    host->>+plugin: search for="#60;end#62;#59;#35;" n=1
    host->>plugin: export
    Note over host: ! no answer
    Note over plugin: stderr ␛[1mcache#59; cold
    plugin-)host: log -1
    plugin-->>-host: search (7.0 ms) []
    plugin-)host: =cmd‹FF›
    Note over plugin: ! not JSON
    Note over host,plugin: 2.0 s
    Note over host,plugin: plugin is not reading stdin#58; 65.5 kB waiting
    Note over host,plugin: plugin reads stdin again, after 55 ms
    plugin-)host: ✗ error {}
    Note over plugin: ! answers no request
    Note over host,plugin: plugin exited with code 0
"""

LABEL = r"(?:[^#;:<>&%$@\\`\x00-\x1f\x7f-\x9f\u2028\u2029]|#[0-9]+;)+"


def diagram(path: str) -> str:
    with open_recording(path) as recording:
        return b"".join(mermaid_diagram(recording)).decode()


def test_a_session_is_arrows_bars_notes_and_gaps(tmp_path: Path) -> None:
    facts = {"argv": ["./server.py"], "host_command": ["/usr/bin/Claude", "-p"]}
    record_small(str(tmp_path / "a.tap"), facts=facts, traits=("server a;b",))
    assert diagram(str(tmp_path / "a.tap")) == SMALL


def test_a_run_is_one_arrow(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    told = [message(at, "progress", "p", summary=f"{at} %", run="1") for at in range(1, 6)]
    record_messages(path, session(duration_ns=SECOND), [("out", MS, b"{}\n") for _ in told], told)
    assert diagram(path).splitlines()[4:] == ["    plugin-)host: ×5 progress p 5 #37;"]


def test_a_diagram_ends_where_it_can_no_longer_be_looked_at(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    record(
        path,
        session(duration_ns=SECOND),
        *(("in", at, b"%d\n" % at) for at in range(MOST_ROWS + 5)),
    )
    lines = diagram(path).splitlines()
    assert lines[-3:] == [
        "    host-)plugin: 397",
        "    host-)plugin: 398",
        "    Note over host,plugin: 6 more are left out · a filter can choose a part",
    ]
    assert len(lines) == 3 + MOST_ROWS + 1


def test_a_diagram_ends_before_mermaid_refuses_it(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    record(
        path,
        session(duration_ns=SECOND),
        *(("in", at, b";" * 70 + b"\n") for at in range(MOST_ROWS)),
    )
    text = diagram(path)
    last = text.splitlines()[-1]
    drawn, left_out = text.count("#59;…"), re.findall(r"(\d+) more are left out", last)
    assert [str(MOST_ROWS - drawn)] == left_out
    assert MOST_BYTES - 350 < len(text.encode()) < MOST_BYTES + 500


def test_an_empty_recording_is_an_empty_diagram(tmp_path: Path) -> None:
    record(str(tmp_path / "a.tap"), session(name="\u00a0", facts={}, duration_ns=SECOND))
    assert diagram(str(tmp_path / "a.tap")) == (
        "sequenceDiagram\n"
        "    participant host as host\n"
        "    participant plugin as (empty)\n"
        "    Note over host,plugin: (empty)\n"
    )


@given(HOSTILE | st.text())
def test_a_label_is_one_line_without_syntax(text: str) -> None:
    assert re.fullmatch(LABEL, label(text))
