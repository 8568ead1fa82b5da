"""What `tap show` draws of a whole recording."""

from datetime import UTC
from pathlib import Path
from typing import Any

from tapproxy_store.reading import open_recording
from tapproxy_viewers.lines import plain
from tapproxy_viewers.screen import View, screen
from tests.viewers.made import MS, SECOND, STARTED_NS, event, record, session
from tests.viewers.spoken import message, record_messages, record_small


def told(path: Path, width: int = 100, now_ns: int = 10 * MS, **look: Any) -> str:
    with open_recording(str(path)) as recording:
        lines = screen(recording, View(width, STARTED_NS + now_ns, zone=UTC, **look))
        return "".join(f"{plain(line)}\n" for line in lines)


def test_a_session_is_told_from_its_command_to_its_exit(tmp_path: Path) -> None:
    record(
        str(tmp_path / "a.tap"),
        session(facts=session().facts | {"tags": {"bug": "17"}}),
        event(0, "spawn", pid=42),
        ("in", 3 * MS, b'{"id":1,"method":"greet"}\n'),
        ("out", 5 * MS, b'{"id":1,"result":"hello you"}\n'),
        event(5 * SECOND, "exit", code=0),
        event(5 * SECOND, "end", wall_ns=0),
    )
    expected = """\
./server.py --greet 'hello you'
  2026-11-30 20:30:05 +00:00 · 5.0 s · exit 0 · bug=17
  ──→  host to plugin           1 frame      26 B
  ←──  plugin to host           1 frame      30 B
  err  plugin's stderr          0 frames      0 B

  0.000 s             •   plugin started, pid 42
  0.003 s            ──→  #1    {"id":1,"method":"greet"}
  0.005 s   +2.0 ms  ←──  #2    {"id":1,"result":"hello you"}
┄┄┄┄┄┄┄┄┄┄┄┄┄ 5.0 s ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
  5.000 s             •   plugin exited with code 0
"""
    assert told(tmp_path / "a.tap") == expected


def test_a_living_session_shows_what_is_still_open(tmp_path: Path) -> None:
    record(
        str(tmp_path / "a.tap"),
        session(duration_ns=None, outcome=None, name="greeter"),
        ("out", 5 * MS, b'{"id":1}\n'),
        ("out", 9 * MS, b'{"id":2,"resu'),
    )
    expected = """\
./server.py --greet 'hello you'
  greeter · 2026-11-30 20:30:05 +00:00 · still running
  dialect not known yet
  ──→  host to plugin           0 frames      0 B
  ←──  plugin to host           1 frame      22 B
  err  plugin's stderr          0 frames      0 B

  0.005 s            ←──  #1    {"id":1}
  0.009 s            ←──      ! still open · {"id":2,"resu…
"""
    assert told(tmp_path / "a.tap") == expected


def test_each_of_several_sessions_has_its_header(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    joined = {"descriptors": {"in": {"kind": "null"}, "err": {"kind": "pipe", "same_as": "out"}}}
    record(path, session(id=1, name="first", facts={}, outcome="exit 1"))
    record(path, session(id=2, name="second", facts=joined, outcome="signal SIGKILL"))
    expected = """\
first
  2026-11-30 20:30:05 +00:00 · 5.0 s · exit 1
  ──→  host to plugin           0 frames      0 B
  ←──  plugin to host           0 frames      0 B
  err  plugin's stderr          0 frames      0 B


second
  2026-11-30 20:30:05 +00:00 · 5.0 s · signal SIGKILL
  ──→  host to plugin   /dev/null, not recorded
  ←──  plugin to host           0 frames      0 B
  err  plugin's stderr  joined to stdout

"""
    assert told(tmp_path / "a.tap") == expected


def test_where_the_recording_is_stands_in_the_header_and_is_never_cut(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    record(path, session())
    with open_recording(path) as recording:
        view = View(30, STARTED_NS, place="/r/\x1b" + "long" * 9)
        lines = [*map(plain, screen(recording, view))]
    assert lines[2] == "  /r/␛" + "long" * 9


def test_a_narrow_terminal_gets_no_line_that_is_too_wide(tmp_path: Path) -> None:
    name = "\x1b]0;title\x07" + "n" * 100
    record(str(tmp_path / "a.tap"), session(name=name, outcome="exit \x1b[31m"))
    expected = """\
./server.py --greet 'hello yo…
  ␛]0;title␇nnnnnnnnnnnnnnnnn…
  ──→  host to plugin        …
  ←──  plugin to host        …
  err  plugin's stderr       …

"""
    assert told(tmp_path / "a.tap", 30) == expected


def test_messages_are_told_with_what_the_dialect_knows(tmp_path: Path) -> None:
    record_small(str(tmp_path / "a.tap"), traits=("adder 1.0",))
    expected = """\
./server.py --greet 'hello you'
  2026-11-30 20:30:05 +00:00 · 4.0 s · exit 0
  jsonrpc (2.0) · adder 1.0
  ──→  host to plugin           2 frames     54 B
  ←──  plugin to host           4 frames     64 B
  err  plugin's stderr          1 frame      16 B

  0.001 s             •   plugin started, pid 42
  0.002 s            ──→  #1    search (1)  for="<end>;#" n=1
  0.003 s   +1.0 ms  ──→  #2  ! export (2)  no answer
"""
    assert told(tmp_path / "a.tap", verbose=True).startswith(expected)


def test_while_the_session_lives_an_answer_may_still_come(tmp_path: Path) -> None:
    record_small(str(tmp_path / "a.tap"), duration_ns=None, outcome=None)
    lines = told(tmp_path / "a.tap").splitlines()
    assert lines[9] == "  0.003 s   +1.0 ms  ──→  #2  ! export (2)  no answer yet"


def test_a_run_is_one_line_unless_it_is_unfolded(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    spoken = [message(it, "progress", run="p", summary=f"{it} of 3") for it in (1, 2, 3)]
    record_messages(
        path, session(duration_ns=MS), [("out", it * MS, b"{}\n") for it in range(3)], spoken
    )
    assert told(tmp_path / "a.tap").splitlines()[6:] == [
        "  0.000 s            ←──  #1    progress  ×3 to #3 in 2.0 ms  3 of 3"
    ]
    assert told(tmp_path / "a.tap", folded=False).splitlines()[6:] == [
        "  0.000 s            ←──  #1    progress  1 of 3",
        "  0.001 s   +1.0 ms  ←──  #2    progress  2 of 3",
        "  0.002 s   +1.0 ms  ←──  #3    progress  3 of 3",
    ]
