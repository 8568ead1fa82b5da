"""Sound files made unsound by chance: wrong bits, cuts, pieces of one in the place of another.

`python -m tests.hostile.chance SECONDS [SEED]` goes on for that long, through every command, and
says by which seed a file can be made again that hurts.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

from tests.hostile.commands import READING, filled
from tests.hostile.harmless import check
from tests.hostile.strangers import STRANGERS, stranger
from tests.hostile.watched import tap
from tests.store.made import write_spoken

TAPES = (Path(__file__).parents[2] / "fixtures/tapes").glob("*.tape")


def spoiled(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes with some of them wrong, missing, moved or doubled."""
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        _SPOILERS[chance.randrange(len(_SPOILERS))](made, chance)
    return bytes(made)


def _flip(made: bytearray, chance: random.Random) -> None:
    if made:
        made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)


def _cut(made: bytearray, chance: random.Random) -> None:
    if chance.random() < 0.2:
        del made[chance.randrange(len(made) + 1) :]


def _put(made: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(made) + 1)
    many = chance.choice(
        (b"\xff" * 9, b"\0" * 9, b"\x7f\xff\xff\xff", b"\x1b[2J", b"\n", b'"', b"[")
    )
    made[at : at + len(many)] = many


def _move(made: bytearray, chance: random.Random) -> None:
    size = chance.choice((1, 8, 100, 8192))
    source, target = (chance.randrange(len(made) // size + 1) * size for _ in range(2))
    made[target : target + size] = made[source : source + size]


_SPOILERS = (_flip, _flip, _put, _move, _cut)


def sound_files(folder: Path) -> list[Path]:
    """Return recordings and tapes to be spoiled."""
    whole = folder / "whole.tap"
    write_spoken(str(whole))
    made = [stranger(folder / f"{number}.tap", its) for number, its in enumerate(_changed())]
    return [whole, *map(Path, made), *sorted(TAPES)]


def _changed() -> list[list[str]]:
    """Return changes that leave a recording readable."""
    names = ("nasty words", "odd events", "circles", "no keys", "strange facts")
    return [STRANGERS[name] for name in names]


def main() -> None:
    """Go on until the time is over."""
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    deadline, count = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = sound_files(folder)
        while time.monotonic() < deadline:
            seed, count = seed + 1, count + 1
            chance = random.Random(seed)
            source = chance.choice(sources)
            path = folder / f"spoiled{source.suffix}"
            path.write_bytes(spoiled(source.read_bytes(), chance))
            for command in READING:
                try:
                    check(tap(filled(command, str(path), str(sources[0])), folder))
                except AssertionError as error:
                    print(f"seed {seed}, {source.name}: {error}", flush=True)
    print(f"{count} files, {count * len(READING)} commands, up to seed {seed}")


if __name__ == "__main__":
    main()
