"""What the pages show is what tap says: each `$ tap …` in a code block is run and compared."""

import re
from html import unescape

import pytest

from tapproxy.commands.group import COMMANDS
from tests.pages import PAGES, ROOT, run, shown_commands
from tests.screenshots import FOLDER, PICTURES, Picture, printed

ALL_SHOWN = [(page.name, *shown) for page in PAGES for shown in shown_commands(page)]


@pytest.mark.parametrize(("page", "command", "output"), ALL_SHOWN, ids=lambda text: text[:40])
def test_a_command_on_a_page_prints_what_the_page_shows(
    page: str, command: str, output: str
) -> None:
    done = run(command)
    assert done.stderr == "", page
    assert [line.rstrip() for line in done.stdout.strip("\n").splitlines()] == [
        line.rstrip() for line in output.strip("\n").splitlines()
    ]


def test_the_manual_has_the_help_of_every_command_and_no_other() -> None:
    helped = [command for page, command, _ in ALL_SHOWN if page == "commands.md"]
    assert helped == ["--help", *(f"{name} --help" for name in COMMANDS)]


def test_the_readme_and_the_page_about_it_show_a_timeline() -> None:
    shown = {(page, command) for page, command, _ in ALL_SHOWN if page != "commands.md"}
    assert shown >= {
        ("README.md", "show fixtures/tapes/mcp-server-time.tape"),
        ("timeline.md", "show fixtures/tapes/reading.tape"),
    }


def test_the_readme_begins_with_two_lines_for_a_fresh_machine() -> None:
    commands = re.findall(r"(?m)^    (python3 -m venv .*)$", (ROOT / "README.md").read_text())
    assert commands == [
        "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/tap demo",
        "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/pytest",
    ]


def test_links_between_pages_lead_somewhere() -> None:
    dead = [
        (page.name, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert dead == []


@pytest.mark.parametrize("picture", PICTURES, ids=lambda it: it.name)
def test_a_picture_shows_what_its_command_prints(picture: Picture) -> None:
    drawn = (FOLDER / f"{picture.name}.svg").read_text(encoding="utf-8")
    texts = re.findall(r'<text class="tap-\w+-r\d+"[^>]*>(.*?)</text>', drawn)
    shown = "".join("".join(map(unescape, texts)).split())
    printed_text = re.sub(r"\x1b\[[0-9;]*m", "", printed(picture))
    assert shown == "".join(printed_text.split())
