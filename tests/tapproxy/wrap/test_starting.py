"""The script that a launcher starts: light, and never a reason for a program not to start."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tapproxy.wrap import launcher as making


def test_nothing_heavy_is_imported_before_the_first_byte(tmp_path: Path) -> None:
    wait = tmp_path / "modules.json"
    code = (
        "import json, sys\n"
        "before = set(sys.modules)\n"
        "from tapproxy.wire import pump\n"
        "carry = pump.Pump._carry\n"
        "def told(self, data):\n"
        f"    open({str(wait)!r}, 'w').write(json.dumps(sorted(set(sys.modules) - before)))\n"
        "    return carry(self, data)\n"
        "pump.Pump._carry = told\n"
        "from tapproxy.wrap.starting import start\n"
        "start(sys.argv[1], '/bin/echo', ['echo', 'first'])\n"
    )
    settings = tmp_path / "settings"
    settings.write_text(f"tap wrap 1\nmode record\nname it\nrecordings {tmp_path / 'r'}\n")
    subprocess.run([sys.executable, "-c", code, settings], check=True, timeout=30)
    heavy = {
        "sqlite3",
        "rich",
        "sqlite_utils",
        "anyio",
        "orjson",
        "click",
        "pathlib",
        "dataclasses",
    }
    assert heavy & set(json.loads(wait.read_text())) == set()


def test_a_program_that_runs_already_is_not_started_a_second_time() -> None:
    code = (
        "import os, sys\n"
        f"sys.path.insert(0, {os.path.dirname(making.start_script())!r})\n"
        "import start\n"
        "reading, writing = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    os.close(writing)\n"
        "    os.read(reading, 1)\n"
        "    os._exit(0)\n"
        "start.become('/bin/echo', ['echo', 'twice'])\n"
        "os.close(writing)\n"
        "os.wait()\n"
        "start.become('/bin/echo', ['echo', 'once'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )
    assert (done.stdout, done.stderr) == ("once\n", "")


def test_a_program_that_cannot_be_started_without_tap_either_is_told() -> None:
    for program, code in (("/no/such", 127), ("/", 126)):
        done = subprocess.run(
            [sys.executable, "-I", "-S", making.start_script(), "/no/settings", program, "it"],
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
        assert (done.stdout, done.returncode) == ("", code)
        assert done.stderr.startswith(f"tap: cannot start {program}: ")


def started(
    settings: Path, *, broken: str, closed: bool = False
) -> subprocess.CompletedProcess[str]:
    """Start a program by settings, with a module of tap's broken so."""
    code = (
        f"import os, sys\n{broken}\n"
        f"sys.path.insert(0, {os.path.dirname(making.start_script())!r})\n"
        "import start\n"
        f"sys.argv = ['start.py', {str(settings)!r}, '/bin/echo', 'echo', 'still here']\n"
        f"if {closed}: os.close(2)\n"
        "start.main()\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("closed", [False, True])
def test_what_nobody_foresaw_is_told_and_the_program_started(
    tmp_path: Path, *, closed: bool
) -> None:
    settings = tmp_path / "settings"
    settings.write_text("tap wrap 1\nmode record\n")
    broken = "from tapproxy.wire import wiring; wiring.inherited = lambda: 1 / 0"
    done = started(settings, broken=broken, closed=closed)
    told = (
        "tap: cannot record (ZeroDivisionError: division by zero); the program is started as if "
        "tap were not there\n"
    )
    assert (done.stdout, done.returncode) == ("still here\n", 0)
    assert done.stderr == ("" if closed else told)


def test_settings_that_cannot_be_read_are_as_good_as_off(tmp_path: Path) -> None:
    done = started(tmp_path / "none", broken="")
    assert (done.stdout, done.stderr, done.returncode) == ("still here\n", "", 0)
