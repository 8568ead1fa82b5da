"""Finds the ingester of a recording among the processes, to do it harm (Linux)."""

import os
import signal
from contextlib import suppress

from tests.transparency.waiting import until


def pids_mentioning(*words: str) -> list[int]:
    """Return the processes whose command line has all of the words."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
            line = file.read()
            if all(word.encode() in line for word in words):
                found.append(int(pid))
    return found


def ingesters_of(file: str) -> list[int]:
    """Return the pids of the ingesters that are at work on a recording."""
    return pids_mentioning("tapproxy.ingest", file)


def send_to_ingester(file: str, number: signal.Signals) -> None:
    """Wait for the recording's ingester and send it a signal."""
    for pid in until(lambda: ingesters_of(file), f"the ingester of {file}"):
        with suppress(ProcessLookupError):
            os.kill(pid, number)
