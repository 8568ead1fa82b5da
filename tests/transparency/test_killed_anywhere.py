"""Whoever is killed, whenever: the recording has every byte that either side ever received.

TAP_KILL_TRIALS=400 makes the test as long as you like; a trial's number is its seed.
"""

import os
import random
import signal
import threading
import time
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import pytest

from tests.transparency.child import Child
from tests.transparency.ingester import send_to_ingester
from tests.transparency.recorded import finish_recorded
from tests.transparency.ways import Starter, lean_environment, only_linux, program

TRIALS = int(os.environ.get("TAP_KILL_TRIALS", "12"))
VICTIMS = ("tap", "ingester", "both", "group")
LINES = 800
SHORTEST, LONGEST = 3, 70_000  # bytes of a line, newline included
START_S = 0.12
"""The moments of the start are all before this one."""
MOST_BYTES = 32 << 20


def make_lines(seed: int) -> list[bytes]:
    """Make lines of all magnitudes between the shortest and the longest."""
    chance = random.Random(seed)
    sizes = (int(SHORTEST * (LONGEST / SHORTEST) ** chance.random()) for _ in range(LINES))
    return [chance.randbytes(size - 1).replace(b"\n", b"\0") + b"\n" for size in sizes]


@pytest.fixture(scope="module")
def traffic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the lines that the plugin says over and over to a file."""
    path = tmp_path_factory.mktemp("traffic") / "lines"
    path.write_bytes(b"".join(make_lines(1)))
    return path


def talk(child: Child) -> None:
    """Send lines until nobody is left to take them."""
    with suppress(OSError, KeyError):  # KeyError: the test has closed its end
        for line in cycle(make_lines(2)):
            child.send(line)


def receive_up_to(child: Child, size: int) -> None:
    """Receive until the host has so many bytes, or the stream ends."""
    while len(child.received["out"]) < size and child.receive():
        continue


def reach_some_moment(child: Child, chance: random.Random) -> None:
    """Let things happen up to a moment of the start, of the first bytes, or of the flood."""
    kind = chance.random()
    if kind < 0.2:
        time.sleep(chance.uniform(0, START_S))  # the moment is what is varied
    elif kind < 0.4:
        receive_up_to(child, int(MOST_BYTES ** chance.random()))
    else:
        receive_up_to(child, chance.randrange(MOST_BYTES))


def kill(child: Child, victims: str, chance: random.Random) -> None:
    """Kill whom this trial is about; in the end nobody is left."""
    assert child.file is not None
    if victims in ("ingester", "both"):
        send_to_ingester(child.file, signal.SIGKILL)
    if victims == "ingester":
        receive_up_to(child, len(child.received["out"]) + chance.randrange(1 << 20))
        child.signal(signal.SIGTERM)
    elif victims == "group":
        os.killpg(child.pid, signal.SIGKILL)
    else:
        child.signal(signal.SIGKILL)


@only_linux
@pytest.mark.parametrize("trial", range(TRIALS))
def test_a_kill_at_any_moment_loses_nothing_that_a_side_received(
    record: Starter, traffic: Path, trial: int
) -> None:
    chance, victims = random.Random(trial), VICTIMS[trial % len(VICTIMS)]
    log = record.folder / "received by the plugin"
    child = record(program("chatter.py", str(traffic), str(log)), env=lean_environment())
    speaker = threading.Thread(target=talk, args=(child,), daemon=True)
    speaker.start()
    reach_some_moment(child, chance)
    kill(child, victims, chance)
    child.receive_rest()
    child.receive_rest("err")
    speaker.join()
    child.wait()
    check(child, log.read_bytes() if log.exists() else b"", traffic.read_bytes())


def check(child: Child, plugin_received: bytes, said: bytes) -> None:
    """Compare what is on record with what both sides have received, and with what was said."""
    assert child.file is not None
    host_received = child.received["out"]
    if not os.path.exists(child.file) and not os.path.exists(child.file + ".wire"):
        assert not host_received
        assert not plugin_received
        return
    recorded = finish_recorded(child.file)
    out, err, its_in = (recorded.stream(name) for name in ("out", "err", "in"))
    assert out.startswith(host_received)
    assert err.startswith(child.received["err"])
    assert its_in.startswith(plugin_received)
    assert child.sent.startswith(its_in)
    assert (said * (len(out) // len(said) + 1)).startswith(out)
    Path(child.file).unlink()
