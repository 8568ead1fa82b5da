"""The dialect on the page "Write a dialect" is a package that does what the page says."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tapproxy.dialects.registry import GROUP
from tests.tapproxy.calls import Said, said, tap
from tests.tapproxy.dialects.heard import heard_of

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = [ROOT / it for it in ("tapproxy", "store/tapproxy_store", "viewers/tapproxy_viewers")]
TAPE = HERE / "chess.tape"
PAGE = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
LOOK = {"COLUMNS": "100", "TZ": "UTC", "NO_COLOR": "1"}


def block(language: str, number: int = 0) -> str:
    """Return a code block of the page."""
    blocks: list[str] = re.findall(rf"(?ms)^```{language}\n(.*?)^```$", PAGE)
    return blocks[number]


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, **entries: str) -> None:
    """Let children find tap, the example, and what these entry points name, in one folder."""
    site = folder / "site"
    metadata = site / "tap_dialects-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: tap-dialects\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in entries.items()]
    (metadata / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]))
    for source in (*PACKAGES, HERE / "tap_uci.py"):
        (site / source.name).symlink_to(source)
    monkeypatch.setenv("PYTHONPATH", str(site))
    for name, value in LOOK.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the example by the entry point that its pyproject.toml names."""
    entries = re.findall(r'^(\w+) = "(tap_uci:.*)"$', block("toml"), re.MULTILINE)
    assert [name for name, _ in entries] == ["uci"]
    install(tmp_path, monkeypatch, **dict(entries))


def test_the_page_shows_the_package_byte_for_byte() -> None:
    assert block("python") == (HERE / "tap_uci.py").read_text(encoding="utf-8")
    assert block("toml") == (HERE / "pyproject.toml").read_text(encoding="utf-8")


def test_the_package_is_its_one_module_whatever_else_lies_in_the_folder() -> None:
    package = tomllib.loads(block("toml"))
    module, _ = package["project"]["entry-points"][GROUP]["uci"].split(":")
    assert package["tool"]["setuptools"] == {"py-modules": [module]}


@pytest.mark.usefixtures("installed")
def test_installed_it_is_recognised_and_the_timeline_is_that_of_the_page() -> None:
    shown = tap("show", str(TAPE))
    assert "\n".join(line.rstrip() for line in shown.out.splitlines()) + "\n" == block("text")
    assert (shown.code, shown.err) == (0, "")
    assert '  uci (the host begins with "uci") · engine My Engine 3\n' in tap(
        "show", "-v", str(TAPE)
    ).out  # fmt: skip


@pytest.mark.usefixtures("installed")
def test_it_may_be_named_where_it_is_not_recognised(tmp_path: Path) -> None:
    tape = tmp_path / "later.tape"
    tape.write_text('{"tape": 1}\n[0, "in", "go\\n"]\n[1.5, "out", "bestmove e7e5\\n"]\n')
    assert "bestmove e7e5" in tap("show", str(tape)).out
    named = tap("show", "--dialect", "uci", str(tape)).out
    assert "  1.500 s    +1.5 s  ←──  #2  ↩ answer go #1  1.5 s ▇  e7e5\n" in named


@pytest.mark.usefixtures("installed")
def test_a_session_is_recorded_by_it(tmp_path: Path) -> None:
    recording = str(tmp_path / "a.tap")
    recorded = said([
        sys.executable, "-m", "tapproxy", "run", "--dialect", "uci", "-o", recording, "--",
        "echo", "bestmove e2e4",
    ])  # fmt: skip
    assert recorded == Said(0, "bestmove e2e4\n", "")
    shown = tap("show", "-v", recording).out
    assert "  uci (asked for)\n" in shown
    assert "answer  e2e4" in shown


def test_without_it_the_tape_is_lines_of_which_nothing_is_known() -> None:
    assert "  raw (no JSON in the first frames)\n" in tap("show", "-v", str(TAPE)).out


def test_the_test_on_the_page_holds() -> None:
    code = "from tap_uci import UCI\nfrom tapproxy.dialects.api import Heard, Meaning\n"
    path = os.pathsep.join([str(HERE), os.environ["PYTHONPATH"]])
    subprocess.run(
        [sys.executable, "-c", code + block("python", 1)],
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert len(heard_of(TAPE)) == 14


BROKEN = {"broken": "no_such_module:DIALECT", "wrong": "json:dumps", "lost": "json:DIALECT"}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (
            "broken",
            "the dialect 'broken' is installed, but cannot be loaded: ModuleNotFoundError: "
            "No module named 'no_such_module'",
        ),
        ("wrong", "the dialect 'wrong' is installed, but json:dumps is no Dialect"),
        (
            "lost",
            "the dialect 'lost' is installed, but cannot be loaded: AttributeError: "
            "module 'json' has no attribute 'DIALECT'",
        ),
    ],
)
def test_of_a_dialect_that_cannot_be_loaded_the_one_who_asks_for_it_is_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    install(tmp_path, monkeypatch, **BROKEN)
    assert tap("show", str(TAPE), "--dialect", name) == Said(2, "", f"tap: {why}\n")
    assert tap("run", "--dialect", name, "--", "echo", "hello") == Said(2, "", f"tap: {why}\n")


def test_dialects_that_cannot_be_loaded_end_no_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, uci="tap_uci:UCI", **BROKEN)
    recording = str(tmp_path / "a.tap")
    assert tap("run", "-o", recording, "--", "echo", "hello") == Said(0, "hello\n", "")
    shown = tap("show", "-v", recording)
    assert (shown.code, shown.err) == (0, "")
    assert "  raw (no JSON in the first frames)\n" in shown.out
    assert "  uci · engine My Engine 3\n" in tap("show", str(TAPE)).out
