"""The pytest plugin is loaded in every run of pytest, and takes next to no time."""

import subprocess
import sys


def test_loading_the_plugin_imports_nothing_heavy() -> None:
    code = (
        "import sys, pytest\n"
        "before = set(sys.modules)\n"
        "import tapproxy.pytest_plugin\n"
        "print(sorted({it.split('.')[0] for it in set(sys.modules) - before}))\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert said.stdout == "['tapproxy']\n"
