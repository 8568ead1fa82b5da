"""Files that chance has made, each through a few commands; `chance.py` itself runs for longer."""

import random
from pathlib import Path

import pytest

from tests.hostile.chance import sound_files, spoiled
from tests.hostile.commands import read_by_some

SEEDS = range(60)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return sound_files(tmp_path_factory.mktemp("sound"))


@pytest.mark.parametrize("first", SEEDS[::20])
def test_files_that_chance_has_made_hurt_nobody(
    first: int, sources: list[Path], tmp_path: Path
) -> None:
    for seed in range(first, first + 20):
        chance = random.Random(seed)
        source = chance.choice(sources)
        path = tmp_path / f"a{source.suffix}"
        path.write_bytes(spoiled(source.read_bytes(), chance))
        read_by_some(str(path), tmp_path, seed)
