"""Recordings played again by real processes, against programs."""

import os
import subprocess
import sys
from pathlib import Path

from tapproxy.ingest.tapes import import_file
from tests.journeys.two_sides import AT_ONCE, tap
from tests.tapproxy.replay.rig import Happened, answer, ask, records, tell

WITHIN_S = 30


def made(folder: Path, *happened: Happened) -> Path:
    path = folder / "made.tap"
    import_file("/dev/null", str(path), lambda *_: records(happened), "jsonrpc")
    return path


MALFORMED = (
    b"\r[1/2] fetching \xe2\x80\xa6\x1b[K" + answer(1, {"size": 3}),
    answer(2, "cut in the middle")[:17],
    answer(2, "cut in the middle")[17:],
    b'{"jsonrpc":"2.0","method":"log","params":["\xff\xfe\xc3"]}\n',
    tell("one") + tell("two"),
    b'{"jsonrpc":"2.0","id":9,"result"',
)


def test_malformed_bytes_reach_the_host_as_they_did_read_for_read(tmp_path: Path) -> None:
    spoken: list[Happened] = [(10.0 * at, "out", data) for at, data in enumerate(MALFORMED, 1)]
    questions = ask(1, "a") + ask(2, "b")
    recording = made(tmp_path, (0, "in", questions), *spoken, (90, "exit", {"code": 3}))
    command = tap("replay", recording, "--as", "plugin", *AT_ONCE, "--no-record")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as plugin:
        assert plugin.stdin is not None
        assert plugin.stdout is not None
        assert plugin.stderr is not None
        plugin.stdin.write(questions)
        reads = []
        while data := os.read(plugin.stdout.fileno(), 65536):
            reads.append(data)
        assert (tuple(reads), plugin.stderr.read()) == (MALFORMED, b"")
    assert plugin.returncode == 3


def test_a_host_with_other_ids_is_answered_with_its_own(tmp_path: Path) -> None:
    recording = made(
        tmp_path,
        (0, "in", ask(1, "add", numbers=[1, 2])),
        (1, "out", answer(1, 3)),
        (2, "in", ask(2, "add", numbers=[3, 4])),
        (3, "out", answer(2, 7)),
        (4, "eof", {"stream": "in", "by": "host"}),
        (5, "exit", {"code": 0}),
    )
    questions = ask("second", "add", numbers=[3, 4]) + ask("first", "add", numbers=[1, 2])
    done = subprocess.run(
        tap("replay", recording, "--as", "plugin", *AT_ONCE),
        input=questions,
        capture_output=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert sorted(done.stdout.splitlines(keepends=True)) == [
        answer("first", 3),
        answer("second", 7),
    ]
    assert (done.returncode, done.stderr) == (0, b"")


ADDER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": sum(asked["params"]["n"])}),
          flush=True)
"""


def test_a_plugin_is_asked_many_times_and_each_time_its_end_is_awaited(tmp_path: Path) -> None:
    recording = made(
        tmp_path,
        (0, "in", ask(1, "add", n=[20, 22])),
        (1, "out", answer(1, 42)),
        (2, "eof", {"stream": "in", "by": "host"}),
        (3, "eof", {"stream": "out", "by": "plugin"}),
        (4, "exit", {"code": 0}),
    )
    options = ("--as", "host", *AT_ONCE, "--no-record")
    command = tap("replay", recording, *options, "--", sys.executable, "-c", ADDER)
    said = []
    for _ in range(5):
        runs = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
        said += [it.communicate(timeout=WITHIN_S)[1].splitlines()[0] for it in runs]
    assert set(said) == {"same: 3 of 3"}
