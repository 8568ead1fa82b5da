"""A folder of plugins with one in it."""

from pathlib import Path

import pytest

from tests.tapproxy.wrap.small import installed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "plugins"
    made.mkdir()
    return made


@pytest.fixture
def plugin(folder: Path) -> Path:
    return installed(folder / "it")
