"""The table that the bench prints: one row a figure, with its limit and whether it is kept."""

from dataclasses import astuple, dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

COLUMNS = ("what", "bare", "C reference", "tap", "mcp-rec", "ratio", "limit", "")
VERDICTS = {True: Text("ok", "green"), False: Text("NOT", "bold red"), None: Text("")}


@dataclass(frozen=True, slots=True)
class Row:
    """One figure as text with its unit, beside what it is compared with."""

    what: str
    bare: str = ""
    reference: str = ""
    tap: str = ""
    mcp_rec: str = ""
    ratio: str = ""
    limit: str = ""
    ok: bool | None = None  # None: the row has no limit


def print_table(rows: list[Row], notes: list[str]) -> None:
    """Print rows and notes to stdout, as wide as they need when piped."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, column in enumerate(COLUMNS):
        table.add_column(column, justify="left" if number in (0, 7) else "right", no_wrap=True)
    for row in rows:
        *cells, ok = astuple(row)
        table.add_row(*map(Text, cells), VERDICTS[ok])
    console = Console(highlight=False)
    if not console.is_terminal:
        unlimited = console.options.update(max_width=10_000)
        console.width = max(console.width, console.measure(table, options=unlimited).maximum)
    console.print(table)
    for note in notes:
        console.print(Text(note), soft_wrap=True)
