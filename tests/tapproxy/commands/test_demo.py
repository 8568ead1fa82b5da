"""`tap demo`: the whole story, from the recorder to the timeline."""

import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from tapproxy.commands.demo import how_called
from tests.tapproxy.calls import Said, tap
from tests.tapproxy.ingest.ingesters import until

FIGURES = re.compile(r"^ *\d+\.\d{3} s +(?:\+\d+(?:\.\d+)? (?:s|ms|µs) +)?")
"""Times since the start and since the entry before, which no two runs share."""
VARYING = re.compile(r"(?<=pid )\d+|#\d+|\d+(?:\.\d)? (?:ms|µs)|1\.\d s")
"""What else they do not: pids, numbers (stderr may come first), latencies."""

TOLD = [
    "•   plugin started, pid …",
    '──→  …    122 B   plugin.initialize ("demo-1")  host IPC 1, core 1.2.0',
    "←──  …    519 B ↩ plugin.initialize …  …  "
    "demo 0.1.0 (Demo 演示), IPC 1, 3 tools: index, search, sleep",
    '──→  …    113 B   tool.execute ("demo-2")  index()',
    "←──  …     83 B ! tool.execute …  …  text before the JSON: "
    '[1/2] indexing …␛[K␍[2/2] indexing …␛[K · arrived over … · "done"',
    '──→  …    145 B   tool.execute ("demo-3")  search(query="heartbeat")',
    "┄ … ┄",
    '←──  …     39 B ↩ tool.execute …  … ▇  "done"',
    '──→  …    113 B ! tool.execute ("demo-4")  no answer · sleep()',
    "┄ … ┄",
    "✗   timeout: no answer to … tool.execute in 3.0 s",
    "!   SIGTERM from pid …, passed on to the plugin",
    "✗   plugin was killed by SIGTERM",
]
"""The story, less what may come in another order."""

WHAT_TO_SEE = [
    "What to see:",
    "  (index)  A progress bar is glued to an answer: a host that wants JSON fails here.",
    "  (search)  This answer is slow.",
    "  (sleep)  No answer comes: after 3.0 s the host's watchdog ends the plugin.",
]


def glued(timeline: str) -> str:
    """Return the number of the frame that is not JSON alone."""
    return "".join(re.findall(r"(?<=←──  )#\d+(?=.* text before the JSON)", timeline))


def named(lines: list[str], timeline: str) -> list[str]:
    """Put the call that a frame belongs to in the place of its number."""
    slow = re.findall(r"#\d+(?=[^#]*↩ tool\.execute)", timeline)[0]
    unanswered = re.findall(r"#\d+(?=.* no answer · )", timeline)[0]
    calls = {glued(timeline): "(index)", slow: "(search)", unanswered: "(sleep)"}
    return [re.sub(r"^  #\d+", lambda it: f"  {calls[it[0].strip()]}", line) for line in lines]


def without_figures(line: str) -> str:
    if line.startswith("┄"):
        return re.sub(r"┄+ \d\.\d s ┄+", "┄ … ┄", line)
    return VARYING.sub("…", FIGURES.sub("", line))


def test_the_demo_records_a_conversation_shows_it_and_says_what_to_try_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    answer = tap("demo")
    assert (answer.code, answer.err) == (0, "")
    announced, _, rest = answer.out.partition("\n\n")
    summary, timeline, what_to_see, what_to_try = rest.split("\n\n")
    told = [without_figures(line) for line in timeline.splitlines()]
    ready = "err  …     20 B   [demo] [INFO] ready"  # on a pipe of its own, just before an answer
    closed = {f"•   plugin closed {stream}" for stream in ("stdout", "stderr")}
    stdin = {f"•   {side} closed stdin" for side in ("host", "plugin")}  # who is first
    either_order = {ready, *closed, *stdin}
    assert announced == "A host talks to a plugin through `tap run`. This takes five seconds."
    (recording,) = Path(os.environ["TAP_DIR"]).glob("*.tap")
    assert summary.splitlines()[2:] == [
        "  lingxi · host v4 (3.0 s watchdog) · core 1.2.0 · host speaks swift-data"
        " · plugin demo 0.1.0 · plugin speaks swift-data",
        f"  {recording}",
        "  ──→  host to plugin           4 frames    493 B",
        "  ←──  plugin to host           3 frames    641 B",
        "  err  plugin's stderr          1 frame      20 B",
    ]
    assert [line for line in told if line not in either_order] == TOLD
    assert ready in told
    assert closed & set(told) == closed
    assert len(stdin & set(told)) == 1
    assert named(what_to_see.splitlines(), timeline) == WHAT_TO_SEE
    called = f"{shlex.quote(sys.executable)} -m tapproxy "
    assert [re.split("  +", line.replace(called, "tap ")) for line in what_to_try.splitlines()] == [
        ["What to try next:"],
        ["", f"tap show last '{glued(timeline)}'", "one frame whole, its base64 opened"],
        ["", "tap show last --exchanges", "requests with their answers"],
        ["", "tap stats last", "counts and latencies"],
        ["", "tap show last --json", "all of it for a program"],
        ["", "tap ls", "your recordings"],
        ["", "tap run -- COMMAND", "where your host names its command"],
    ]
    until(lambda: len(os.listdir(os.environ["TAP_DIR"])) == 1, "one finished recording")


def test_tap_is_called_as_it_was_started_where_it_is_not_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, other = tmp_path / "my tools/tap", tmp_path / "other/tap"
    for it in (ours, other):
        it.parent.mkdir()
        it.touch(mode=0o700)
    monkeypatch.setenv("PATH", str(other.parent))
    assert how_called(str(ours)) == f"'{ours}'"
    monkeypatch.setenv("PATH", str(ours.parent))
    assert how_called(str(ours)) == "tap"
    assert how_called("tapproxy/__main__.py") == f"{shlex.quote(sys.executable)} -m tapproxy"


def test_where_nothing_can_be_recorded_the_demo_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(tmp_path / ("x" * 300))
    monkeypatch.setenv("TAP_DIR", folder)
    answer = tap("demo")
    start, place, reason = re.split(r"(?<=record to )(\S+)", answer.err)
    announced = "A host talks to a plugin through `tap run`. This takes five seconds.\n\n"
    assert Said(answer.code, answer.out, start + reason) == Said(
        3,
        announced,
        "tap: cannot record to  (File name too long); "
        "choose another place with -o FILE or TAP_DIR\n",
    )
    assert os.path.dirname(place) == folder
