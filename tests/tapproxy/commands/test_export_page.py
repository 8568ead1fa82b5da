"""The page about exports says what is written: its diagram, its columns, its forms."""

import re
from pathlib import Path

import pytest

from tapproxy.commands.group import run_group
from tapproxy_viewers.as_csv import COLUMNS, TEXT_SIZE
from tapproxy_viewers.as_mermaid import MOST_ROWS
from tapproxy_viewers.formats import FORMATS
from tapproxy_viewers.sequence import LONGEST

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/export.md").read_text(encoding="utf-8")


def first_column(heading: str) -> list[str]:
    _, _, rest = PAGE.partition(f"# {heading}\n")
    return re.findall(r"(?m)^\| `(\w+)` \|", rest.partition("\n#")[0])


def test_the_diagram_on_the_page_is_the_one_that_is_written(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    tape = str(ROOT / "fixtures/tapes/mcp-server-time.tape")
    run_group(["export", tape, "--to", "mermaid"])
    written = capsysbinary.readouterr().out.decode()
    assert re.findall(r"(?ms)^```mermaid\n(.*?)^```$", PAGE) == [written]


def test_the_forms_the_columns_and_the_limits_are_on_the_page() -> None:
    assert first_column("Exporting") == [form.name for form in FORMATS]
    assert first_column("csv") == list(COLUMNS)
    assert f"its first {TEXT_SIZE} bytes" in PAGE
    assert f"cut after {LONGEST} characters. After {MOST_ROWS} arrows and notes" in PAGE
