"""`tap demo`: the whole story, from the recorder to the timeline."""

import os
import re
from pathlib import Path

import pytest

from tapproxy.commands.demo import WHAT_TO_SEE
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
    "←──  …     83 B ! tool.execute …  …  took … to arrive, "
    'text before the JSON: [1/2] indexing …␛[K␍[2/2] indexing …␛[K · "done"',
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
    shown, advice = rest[: -len(WHAT_TO_SEE) - 1], rest[-len(WHAT_TO_SEE) - 1 :]
    summary, timeline = shown.split("\n\n")
    told = [without_figures(line) for line in timeline.splitlines()]
    ready = "err  …     20 B   [demo] [INFO] ready"  # on a pipe of its own, just before an answer
    closed = {f"•   plugin closed {stream}" for stream in ("stdin", "stdout", "stderr")}
    either_order = {ready, *closed}
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
    assert advice == WHAT_TO_SEE + "\n"
    until(lambda: len(os.listdir(os.environ["TAP_DIR"])) == 1, "one finished recording")


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
