"""Nothing that a test starts finds the home of whoever runs the tests."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = "from tapproxy_store.locate import recordings_folder as it; print(it())"

HANDED_ON = ("HOME", "PATH", "PYTHONPATH")
"""What clients hand on of their environment at the most, and what our children need."""


def recordings_folder(environment: dict[str, str]) -> str:
    """Return where a child of these variables would record."""
    command = [sys.executable, "-c", FOLDER]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def of_a_module() -> str:
    """Record in a fixture of a whole module."""
    return recordings_folder(dict(os.environ))


def test_children_of_a_bare_environment_and_fixtures_of_a_module_record_in_a_folder_of_the_tests(
    of_a_module: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bare = {name: os.environ[name] for name in HANDED_ON if name in os.environ}
    ours = tmp_path_factory.getbasetemp()
    for folder in (of_a_module, recordings_folder(bare)):
        assert ours in Path(folder).parents
        assert Path(pwd.getpwuid(os.getuid()).pw_dir) not in Path(folder).parents
