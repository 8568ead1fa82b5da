"""Starts what a launcher stands for, as its settings say: recorded, or played from a recording.

On the way to the first byte: nothing heavy is imported.
"""

from __future__ import annotations

import gc
import os
import signal
import sys

from tapproxy.wrap.settings import REPLAY, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from tapproxy.wrap.settings import Settings


def start(settings: str, program: str, argv: list[str]) -> NoReturn:
    """Start the program, or who plays it; raises whatever keeps us from it, and then nothing ran.

    `argv` is the program's, as the host gave it.
    """
    gc.disable()  # until the session runs: nothing that a start makes is garbage
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    told = read(settings)
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
        keep=told.one("keep") or "default",
    )
    run(order)


def _replay(told: Settings, words: list[str]) -> NoReturn:
    """Become `tap replay`, whose replays go where the recordings of this program go."""
    command = [sys.executable, "-P", "-m", "tapproxy", "replay", "--as", "plugin"]
    recording = told.one("recording")
    own = {"TAP_DIR": told.one("recordings"), "PYTHONSAFEPATH": "1"}
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    arguments = [*command, recording, "--", *words]
    os.execve(sys.executable, arguments, {**os.environ, **own})
