"""Writes the name of each signal that reaches it, one a line, until stdin ends."""

import os
import select
import signal

NAMES = ("TERM", "INT", "HUP", "QUIT", "USR1", "USR2", "WINCH")

arrived, wake = os.pipe()
os.set_blocking(wake, False)
signal.set_wakeup_fd(wake)
for name in NAMES:
    signal.signal(getattr(signal, "SIG" + name), lambda *_: None)
os.write(1, f"ready {os.getpid()}\n".encode())

while True:
    readable, _, _ = select.select([arrived, 0], [], [])
    if arrived in readable:
        for number in os.read(arrived, 4096):
            os.write(1, signal.Signals(number).name.encode() + b"\n")
    elif not os.read(0, 4096):
        break
