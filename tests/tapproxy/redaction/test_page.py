"""The page about redaction lists what there is."""

import re
from pathlib import Path

from tapproxy.redaction.rules import PRESETS, read_rules
from tapproxy.redaction.secrets import LONG, SHORTEST

PAGE = (Path(__file__).parents[3] / "docs/redaction.md").read_text(encoding="utf-8")


def test_the_page_lists_every_preset() -> None:
    section = PAGE.partition("### Presets")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([a-z]+)` ", section, re.MULTILINE) == list(PRESETS)


def test_the_examples_are_right() -> None:
    (block,) = re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(read_rules(block.splitlines())) == 5


def test_the_page_says_how_long_a_secret_must_be() -> None:
    sizes = re.findall(r"^\| ([0-9][^|]*) \|", PAGE, re.MULTILINE)
    assert sizes == [
        f"{LONG} and more",
        f"{SHORTEST} to {LONG - 1}",
        f"1 to {SHORTEST - 1}, numbers of up to {LONG - 1} digits",
    ]
