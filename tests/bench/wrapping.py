"""How long until the first byte of a wrapped plugin, beside the same one that is not wrapped."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.drain import drain
from tests.bench.figures import in_turn
from tests.bench.table import Row
from tests.bench.workbench import Failed, Workbench, wait_for_ingesters

STARTS = 40
MOST_ADDED_MS = 60

LAUNCHERS = {"native": "--native", "script": "--no-native"}


def measure(bench: Workbench) -> Iterator[Row]:
    """Give a row for each kind of launcher; the limit is that of the native one."""
    with bench.folder() as folder:
        plugins = {"bare": folder / "bare/plugins/speaker"}
        plugins |= {name: folder / f"{name}/plugins/speaker" for name in LAUNCHERS}
        for name, path in plugins.items():
            path.parent.mkdir(parents=True)
            shutil.copy(bench.program("speaker")[0], path)
            if name in LAUNCHERS:
                wrap(bench, path, LAUNCHERS[name], folder)
        one_round(bench, plugins, 0)  # the first start of all writes the bytecode
        rounds = [one_round(bench, plugins, number) for number in range(bench.scaled(STARTS))]
    times = {name: median(each[name] for each in rounds) for name in plugins}
    added = {name: times[name] - times["bare"] for name in LAUNCHERS}
    bare = f"{times['bare']:.1f} ms"
    yield Row(
        "wrapped plugin to first byte",
        bare,
        tap=f"{times['native']:.1f} ms",
        ratio=f"+{added['native']:.1f} ms",
        limit=f"<= +{MOST_ADDED_MS} ms",
        ok=added["native"] <= MOST_ADDED_MS,
    )
    script = f"{times['script']:.1f} ms"
    yield Row("  by a script", bare, tap=script, ratio=f"+{added['script']:.1f} ms")


def one_round(bench: Workbench, plugins: dict[str, Path], number: int) -> dict[str, float]:
    """Start each once; return milliseconds to the first byte."""
    times: dict[str, float] = {}
    for name in in_turn(list(plugins), number):
        times[name] = drain(bench, [str(plugins[name]), "1", "1"]).first_ns / 1e6
        wait_for_ingesters(bench.scratch)
    return times


def wrap(bench: Workbench, path: Path, launcher: str, folder: Path) -> None:
    """Wrap a plugin; it records to the bench's folder."""
    done = subprocess.run(
        [*bench.tap, "wrap", str(path), launcher, "--recordings", str(folder)],
        env={**bench.env, "XDG_DATA_HOME": str(folder / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Failed(f"tap wrap: {done.stderr.strip()}")
