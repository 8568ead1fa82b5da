"""The list of dialects: names, order, and that nothing but the list knows which ones there are."""

import ast
from pathlib import Path

import pytest

from tapproxy.dialects.registry import OURS, dialects, find_dialect, get_dialect
from tapproxy.errors import USAGE, TapError

ROOT = Path(__file__).parents[3]
PACKAGES = ("tapproxy", "store/tapproxy_store", "viewers/tapproxy_viewers")
CONSTANTS = {name.upper() for name in (it.name for it in OURS)}


def test_dialects_are_asked_in_this_order_the_last_resorts_last() -> None:
    assert [(it.name, it.last_resort) for it in OURS] == [
        ("lingxi", False), ("xlings", False), ("acp", False), ("mcp", False), ("dap", False),
        ("lsp", False), ("jsonrpc", True), ("jsonl", True), ("raw", True),
    ]  # fmt: skip
    assert tuple(dialects()) == OURS


def test_a_dialect_is_found_by_its_name() -> None:
    assert [find_dialect(it.name) for it in OURS] == list(OURS)
    assert [get_dialect(it.name) for it in OURS] == list(OURS)
    assert find_dialect("chess") is None


def test_a_name_that_no_dialect_has_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(TapError) as caught:
        get_dialect("chess")
    assert (str(caught.value), caught.value.exit_code) == (
        "no dialect is called 'chess'; there are "
        "lingxi, xlings, acp, mcp, dap, lsp, jsonrpc, jsonl, raw",
        USAGE,
    )


def test_only_the_list_names_the_dialects() -> None:
    naming = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("tapproxy.dialects")
        if CONSTANTS & {alias.name for alias in node.names}
    }
    assert naming == {"tapproxy/dialects/registry.py"}


def test_every_dialect_says_what_it_is_and_begins_with_no_argv() -> None:
    for dialect in OURS:
        assert dialect.purpose
        assert list(dialect.begin([]).traits()) == []
