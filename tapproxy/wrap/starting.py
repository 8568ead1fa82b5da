"""Starts what a launcher stands for, as its settings say: recorded, or played from a recording.

On the way to the first byte: nothing heavy is imported.
"""

from __future__ import annotations

import gc
import os
import signal
import sys

from tapproxy.own_path import tap_command
from tapproxy.wrap.settings import REPLAY, read

USUAL_BOUNDS = "default"
"""As `tap run --keep` calls those of a program that is wrapped."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from tapproxy.wrap.settings import Settings


def start(settings: str, program: str, argv: list[str]) -> None:
    """Start the program, or who plays it; returns only where the settings cannot be read.

    `argv` is the program's, as the host gave it. Raises whatever else keeps us from it, and then
    nothing ran.
    """
    gc.disable()  # until the session runs: nothing that a start makes is garbage
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        told = read(settings)
    except (OSError, ValueError):  # as good as off; `tap doctor` says so
        return
    if told.mode == REPLAY:
        _replay(told, argv[1:])
    _record(told, program, argv)


def _record(told: Settings, program: str, argv: list[str]) -> NoReturn:
    from tapproxy.wire.order import Order
    from tapproxy.wire.session import run
    from tapproxy_store.locate import recording_name, recordings_folder

    name = told.one("name") or os.path.basename(program)
    place = os.path.join(told.one("recordings") or recordings_folder(), recording_name(name))
    order = Order(
        [os.fsencode(it) for it in argv],
        (place,),
        name,
        tags={},
        kept_variables=(),
        framing="auto",
        dialect=None,
        must_record=False,
        ingest=True,
        program=os.fsencode(program),
        redact=told.all("redact"),
        keep=told.one("keep") or USUAL_BOUNDS,
    )
    run(order)


def _replay(told: Settings, words: list[str]) -> NoReturn:
    """Become `tap replay`, whose replays go where the recordings of this program go."""
    command = tap_command("replay", "--as", "plugin")
    kept = ["--keep", told.one("keep") or USUAL_BOUNDS]
    rules = [it for rule in told.all("redact") for it in ("--redact", rule)]
    own = {"TAP_DIR": told.one("recordings"), "PYTHONSAFEPATH": "1"}
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    arguments = [*command, told.one("recording"), *kept, *rules, "--", *words]
    os.execve(sys.executable, arguments, {**os.environ, **own})
