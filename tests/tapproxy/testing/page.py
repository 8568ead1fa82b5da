"""The files of the page about testing, and runs of pytest among them."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs/testing.md"

TAPE = "recordings/test_calculator/test_the_sum_is_told.tape"

REPLAYED = f"from calculator import add\nTAPE = {TAPE!r}\n"

QUESTION = '{"jsonrpc": "2.0", "id": 1, "method": "add", "params": [1, 2]}\n'
ANSWER = '{"jsonrpc": "2.0", "id": 1, "result": 3}\n'

KILLING = """
import json, subprocess, sys

def added(command, *numbers):
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    question = {"jsonrpc": "2.0", "id": 1, "method": "add", "params": numbers}
    child.stdin.write(json.dumps(question).encode() + b"\\n")
    child.stdin.flush()
    answer = child.stdout.readline()
    child.kill()
    child.communicate()
    return json.loads(answer)["result"]
"""

WRONG = QUESTION.replace("1, 2", "20, 23")

LASTING = f"""
import subprocess, pytest

class Host:
    def start(self, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def tell(self, line):
        self.child.stdin.write(line.encode())
        self.child.stdin.flush()
        assert self.child.stdout.readline()

@pytest.fixture
def host(tap_replay):
    host = Host().start(tap_replay({TAPE!r}, pace=0))
    yield host
    host.child.communicate()

@pytest.fixture(scope="module")
def hosts():
    hosts = []
    yield hosts
    for host in hosts:
        host.child.communicate()

@pytest.fixture
def late_host(tap_replay, hosts):
    hosts.append(Host().start(tap_replay({TAPE!r}, pace=0)))
    return hosts[-1]
"""


def copy_files(folder: Path) -> None:
    """Copy the files of the page."""
    text = PAGE.read_text(encoding="utf-8")
    for name, code in re.findall(r"`(\w+\.py)`[^`]*?:\n\n```python\n(.*?)```", text, re.DOTALL):
        (folder / name).write_text(code)


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess(
        "-p", "no:cacheprovider", "--import-mode=prepend", *arguments
    )


def run_test(pytester: pytest.Pytester, code: str, *arguments: str) -> pytest.RunResult:
    (pytester.path / "test_it.py").write_text(code)
    return run(pytester, "test_it.py", *arguments)


def edit(pytester: pytest.Pytester, name: str, old: str, new: str) -> None:
    file = pytester.path / name
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def said_on_page(second: str) -> list[str]:
    """Return patterns of the beginning of a report on the page, by how its second line begins.

    How much was the same is left open: whether a plugin's end is counted is a question of time.
    """
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(rf"(?m)^(differs: .*)\n({second} .*)$", text)
    assert found is not None
    return [re.sub(r"\d of \d", "* of *", found[1]), found[2]]


def recordings(pytester: pytest.Pytester) -> list[str]:
    folder = pytester.path / "recordings"
    return sorted(str(it.relative_to(folder)) for it in folder.rglob("*") if it.is_file())
