"""`tap stats` says at a glance what a session holds, of all of it or of what a filter chooses."""

import json
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy.errors import TapError

ROOT = Path(__file__).resolve().parents[3]
TAPE = str(ROOT / "fixtures/dialects/mcp/time.tape")

WHOLE = """\
       asked             count  errors  no answer      p50      p95      max   waited
  ──→  server/discover       1                      585 ms   585 ms   585 ms   585 ms
  ──→  tools/call            5       2              2.6 ms   3.7 ms   3.7 ms    12 ms
  ──→  tools/list            1                      1.0 ms   1.0 ms   1.0 ms   1.0 ms

       told                      count  errors    bytes
  ──→  notifications/cancelled       1            106 B

  first          host's byte after 726 µs · plugin's byte after 586 ms · answer after 586 ms (#2)
  rate           19.4 frames/s · 8.8 kB/s
  both silent     585 ms  from 0.008 s on, after #1
  both silent     169 ms  from 0.656 s on, after #16, to the end
  host silent     586 ms  from 0.008 s on, after #1
  plugin silent   169 ms  from 0.656 s on, after #16, to the end"""

PART = """\
       asked        count  errors  no answer      p50      p95      max   waited    asked  answers
  ──→  tools/list       1                      1.0 ms   1.0 ms   1.0 ms   1.0 ms    241 B   2.5 kB
"""

OBJECTS = [
    ("session", None, None),
    ("question", "tools/call", 5),
    ("question", "tools/list", 1),
    ("question", "server/discover", 1),
    ("told", "notifications/cancelled", 1),
    ("silence", None, None),
    ("silence", None, None),
    ("silence", None, None),
    ("silence", None, None),
    ("silence", None, None),
]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    run_group(["stats", *arguments])
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand before a terminal of 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")


def below_the_header(out: str) -> str:
    return "\n".join(line.rstrip() for line in out.partition("\n\n")[2].splitlines())


def test_a_session_is_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert below_the_header(said(capsys, TAPE)) == WHOLE


def test_what_is_true_of_the_whole_session_alone_is_not_said_of_a_part(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert below_the_header(said(capsys, TAPE, "method:tools/list")) == PART.rstrip()
    nothing = "  no frame matches method:nothing stream:in"
    assert below_the_header(said(capsys, TAPE, "method:nothing", "stream:in")) == nothing
    assert below_the_header(said(capsys, TAPE, "--since", "1h")) == "  no frame is in that portion"


@pytest.mark.parametrize("wanted", ["method:tools/list", "n:3", "text:tools/list not kind:x"])
def test_a_filter_chooses_what_is_summed_up(
    capsys: pytest.CaptureFixture[str], wanted: str
) -> None:
    rows = [json.loads(line) for line in said(capsys, TAPE, wanted, "--json").splitlines()]
    assert [row["method"] for row in rows if row["type"] == "question"] == ["tools/list"]


def test_programs_get_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        json.loads(line) for line in said(capsys, TAPE, "--json", "--sort", "count").splitlines()
    ]
    assert [(row["type"], row.get("method"), row.get("count")) for row in rows] == OBJECTS


def test_the_last_frames_alone_can_be_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line) for line in said(capsys, TAPE, "-n", "1", "--json").splitlines()]
    assert sum(row["count"] for row in rows if "count" in row) == 1


def test_a_filter_that_is_wrong_is_told() -> None:
    with pytest.raises(TapError, match="latency"):
        run_group(["stats", TAPE, "latency:>soon"])
