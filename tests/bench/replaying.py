"""How fast a plugin is replayed, and how near to its time each answer comes."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from threading import Thread
from typing import IO, Self

from tapproxy.dialects.registry import get_dialect
from tapproxy.replay.engine import Engine, Options, Send
from tapproxy.replay.schedule import Pace
from tapproxy.replay.source import Source
from tapproxy_store.reading import open_recording
from tests.bench.figures import median_ratio, percentile
from tests.bench.rpc_flood import conversation, prepare_rpc_journal
from tests.bench.table import Row
from tests.bench.workbench import Failed, Workbench

EXCHANGES = 20_000
LEAST_A_SECOND = 10_000
WARM_UP = 100
"""Exchanges that are not timed: the first answer waits for the program's start."""

TIMED = 200
EVERY_NS = 10_000_000
"""Between two frames of the session whose times are kept: an answer comes that long after."""
MOST_OFF_MS = 5

ECHO = """
import sys, time
for line in sys.stdin.buffer:
    time.sleep(float(sys.argv[1])) if len(sys.argv) > 1 else None
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""
"""What no plugin in Python can do without: the same host against it is a reference."""


def measure(bench: Workbench) -> Iterator[Row]:
    """Give rows for the speed without waiting, and one for the times at the recorded pace."""
    yield from speed_rows(bench)
    yield times_row(bench)


def speed_rows(bench: Workbench) -> Iterator[Row]:
    """Judge the exchanges a second of one connection: one after the other, and all at once.

    The ratio is that to the engine alone, which is given the same questions in memory.
    """
    exchanges = bench.scaled(EXCHANGES)
    speeds: dict[str, list[float]] = {"serial": [], "pipelined": [], "echo": [], "memory": []}
    spent: list[float] = []
    with bench.folder() as folder:
        recording = prepared(bench, folder, 2 * exchanges, 10_000)
        command = replay(bench, recording, "--pace", "0")
        for _ in range(bench.rounds):
            speeds["memory"].append(in_memory(recording, exchanges))
            speed, cpu_s = serial(bench, command, exchanges)
            speeds["serial"].append(speed)
            spent.append(cpu_s)
            at_once = [*command, "--chunks", "any"]
            speeds["pipelined"].append(pipelined(bench, at_once, exchanges))
            speeds["echo"].append(serial(bench, [sys.executable, "-c", ECHO], exchanges)[0])
    bench.note(
        f"replay: the ratio is that to its engine in memory, {median(speeds['memory']):,.0f}/s; "
        f"one exchange takes {median(spent) * 1e6:.0f} us of its processor"
    )
    for name, words in (("serial", "one after the other"), ("pipelined", "all at once")):
        speed = median(speeds[name])
        yield Row(
            f"replay as plugin, {words}",
            bare=f"{median(speeds['echo']):,.0f}/s (echo)" if name == "serial" else "",
            tap=f"{speed:,.0f} exchanges/s",
            ratio=f"{median_ratio(speeds[name], speeds['memory']):.2f}",
            limit=f">= {LEAST_A_SECOND:,}/s",
            ok=speed >= LEAST_A_SECOND,
        )


def in_memory(recording: Path, exchanges: int) -> float:
    """Return how many exchanges a second there would be, were there no pipes and no event loop."""
    asked = questions(exchanges)
    with open_recording(str(recording)) as opened:
        session = opened.session()
        source = Source(opened, session)
        dialect = get_dialect(session.dialect or "raw")
        options = Options(pace=Pace(0))
        items = source.items("plugin")
        engine = Engine(items, session, "plugin", dialect, source.spoken, options, 0)
        began = time.perf_counter()
        for now_ns, question in enumerate(asked):
            engine.heard("in", question, now_ns)
            due = engine.next(now_ns)
            if not isinstance(due, Send):
                raise Failed(f"the engine answers no question {question!r}")
            engine.sent(due, now_ns)
        return exchanges / (time.perf_counter() - began)


def times_row(bench: Workbench) -> Row:
    """Judge how far from its due time an answer comes, beside a program that sleeps so long."""
    with bench.folder() as folder:
        recording = prepared(bench, folder, 2 * TIMED, EVERY_NS)
        off = off_times(bench, replay(bench, recording))
        bare = off_times(bench, [sys.executable, "-c", ECHO, str(EVERY_NS / 1e9)])
    return Row(
        f"replay at its pace, off by (p99 {percentile(off, 0.99):.1f} ms)",
        bare=f"{median(bare):.2f} ms (sleep)",
        tap=f"{median(off):.2f} ms",
        ratio=f"{median(off) / median(bare):.2f}",
        limit=f"<= {MOST_OFF_MS} ms",
        ok=median(off) <= MOST_OFF_MS,
    )


def prepared(bench: Workbench, folder: Path, frames: int, pace_ns: int) -> Path:
    """Make the recording."""
    recording = folder / f"talk-{frames}.tap"
    prepare_rpc_journal(Path(f"{recording}.wire"), frames, pace_ns)
    bench.output([sys.executable, "-m", "tapproxy.ingest", f"{recording}.wire"])
    return recording


def questions(exchanges: int) -> list[bytes]:
    """Return what the host of the recording has asked."""
    return [line for stream, line in islice(conversation(), 2 * exchanges) if stream == 0]


def replay(bench: Workbench, recording: Path, *options: str) -> list[str]:
    """Return what the host starts."""
    return [*bench.tap, "replay", str(recording), "--as", "plugin", "--no-record", *options]


def serial(bench: Workbench, command: list[str], exchanges: int) -> tuple[float, float]:
    """Ask, wait for the answer, ask again.

    Return exchanges a second, and the seconds of processor time that the plugin took for each.
    """
    timed = range(WARM_UP, exchanges - 1)
    with Asked(bench, command) as plugin:
        for at, question in enumerate(questions(exchanges)):
            if at == timed.start:
                began, before_s = time.perf_counter(), plugin.cpu_s()
            if at == timed.stop:  # with the last answer it may end
                took, spent_s = time.perf_counter() - began, plugin.cpu_s() - before_s
            plugin.ask(question)
            answer = plugin.answer()
    check_last(answer, exchanges)
    return len(timed) / took, spent_s / len(timed)


def pipelined(bench: Workbench, command: list[str], exchanges: int) -> float:
    """Ask without waiting, and read the answers meanwhile; return exchanges a second."""
    with Asked(bench, command) as plugin:
        asking = Thread(target=plugin.ask, args=(b"".join(questions(exchanges)),))
        asking.start()
        plugin.answer()
        began = time.perf_counter()
        for _ in range(exchanges - 1):
            answer = plugin.answer()
        took = time.perf_counter() - began
        asking.join()
    check_last(answer, exchanges)
    return (exchanges - 1) / took


def off_times(bench: Workbench, command: list[str]) -> list[float]:
    """Ask at the recorded pace; return by how much each answer came too late or early, ms."""
    off = []
    with Asked(bench, command) as plugin:
        for question in questions(TIMED):
            began = time.perf_counter()
            plugin.ask(question)
            plugin.answer()
            off.append(abs(time.perf_counter() - began - EVERY_NS / 1e9) * 1000)
            time.sleep(EVERY_NS / 1e9)
    return off[1:]


class Asked:
    """A plugin that is asked; on the way out its stdin is closed, and its end awaited."""

    def __init__(self, bench: Workbench, command: list[str]) -> None:
        self._name = command[0]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=bench.env
        )
        self._stdin, self._stdout = _both(self.process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self.process:  # closes the pipes, and waits
            pass

    def ask(self, question: bytes) -> None:
        """Write at once."""
        self._stdin.write(question)
        self._stdin.flush()

    def cpu_s(self) -> float:
        """Return how much processor time it has taken, seconds; 0 where that is not told."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # proc(5)

    def answer(self) -> bytes:
        """Read a line; raises Failed where there is none."""
        answer = self._stdout.readline()
        if not answer:
            raise Failed(f"{self._name} ended too soon")
        return answer


def check_last(answer: bytes, exchanges: int) -> None:
    """Raise Failed where that is not the last answer."""
    if json.loads(answer)["id"] != exchanges - 1:
        raise Failed(f"the last answer is {answer!r}")


def _both(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:  # for the type checker: both are pipes
        raise Failed("no pipes")
    return process.stdin, process.stdout
