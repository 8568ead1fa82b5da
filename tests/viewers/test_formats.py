"""Every format of an export is well-formed and safe to show, whatever is in the recording."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from tapproxy_store.reading import open_recording
from tapproxy_store.records import Stream
from tapproxy_viewers.as_csv import COLUMNS
from tapproxy_viewers.formats import FORMATS, get_format
from tapproxy_viewers.visible import shown
from tests.viewers.spoken import SPOKEN, record_hostile
from tests.viewers.test_as_mermaid import LABEL

Spoken = list[tuple[Stream, str, bytes]]

ARROW = r"(?:host(?:->>\+?|-->>-?|-\))plugin|plugin(?:->>\+?|-->>-?|-\))host)"
MERMAID_LINE = re.compile(
    rf"    (?:participant (?:host|plugin) as|(?:{ARROW}|Note over (?:host|plugin|host,plugin)):)"
    rf" {LABEL}"
)


def check_tape(text: str, _: Spoken) -> None:
    head, *rest = (json.loads(line) for line in text.splitlines())
    assert type(head) is dict
    assert {type(it) for it in rest} <= {list}


def check_json(text: str, spoken: Spoken) -> None:
    entries = json.loads(text)["sessions"][0]["entries"]
    assert [entry["stream"] for entry in entries] == [stream for stream, _, _ in spoken]


def check_csv(text: str, spoken: Spoken) -> None:
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert [len(row) for row in rows] == [len(COLUMNS)] * (len(spoken) + 1)
    assert text.count("\n") == text.count("\r\n") == len(rows)  # no row spans lines
    assert [cell for row in rows for cell in row if cell and cell[0] in "=+@\t\r"] == []


def check_mermaid(text: str, _: Spoken) -> None:
    head, *lines = text.removesuffix("\n").split("\n")
    assert head == "sequenceDiagram"
    assert [line for line in lines if not MERMAID_LINE.fullmatch(line)] == []


def check_perfetto(text: str, spoken: Spoken) -> None:
    events = json.loads(text)["traceEvents"]
    begun, ended = ([it["id"] for it in events if it["ph"] == phase] for phase in "be")
    asked = [at for at, (stream, _, _) in enumerate(spoken, 1) if at % 2 and stream != "err"]
    assert begun == [f"1.{at}.0" for at in asked]
    assert Counter(begun) == Counter(ended)
    times = [it["ts"] for it in events if it["ph"] != "M"]
    assert times == sorted(times)


CHECKS: dict[str, Callable[[str, Spoken], None]] = {
    "tape": check_tape,
    "json": check_json,
    "csv": check_csv,
    "mermaid": check_mermaid,
    "perfetto": check_perfetto,
}


@settings(max_examples=25, deadline=None)
@given(SPOKEN)
def test_whatever_is_in_a_recording_its_exports_are_well_formed_and_safe_to_show(
    spoken: Spoken,
) -> None:
    with TemporaryDirectory() as folder:
        record_hostile(f"{folder}/a.tap", spoken)
        with open_recording(f"{folder}/a.tap") as recording:
            for form in FORMATS:
                text = b"".join(form.pieces(recording, None)).decode()
                CHECKS[form.name](text, spoken)
                lines = re.split("\r?\n", text)
                assert form.name == "tape" or list(map(shown, lines)) == lines


def test_a_format_is_found_by_its_name() -> None:
    assert [get_format(name).name for name in CHECKS] == [form.name for form in FORMATS]
    with pytest.raises(KeyError):
        get_format("svg")


def test_only_of_a_tape_no_part_can_be_written() -> None:
    assert [form.name for form in FORMATS if not form.takes_choice] == ["tape"]
