"""Recordings from strangers, through every command."""

from pathlib import Path

import pytest

from tests.hostile.commands import read_by_all, used_by_all
from tests.hostile.strangers import STRANGERS, stranger
from tests.store.made import write_spoken


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_spoken(str(tmp_path_factory.mktemp("good") / "good.tap"))


@pytest.mark.parametrize("name", STRANGERS)
def test_no_command_is_hurt_by_what_a_stranger_wrote_into_a_recording(
    name: str, tmp_path: Path, good: str
) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    path = stranger(folder / "a.tap", STRANGERS[name])
    read_by_all(path, good, folder)
    used_by_all(path, folder)
