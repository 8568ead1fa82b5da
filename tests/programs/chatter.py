"""Writes the lines of a file to stdout without end, and appends what it reads to a log at once."""

import os
import sys
import threading

traffic, log = sys.argv[1], os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)


def speak() -> None:
    with open(traffic, "rb") as file:
        lines = file.readlines()
    while True:
        for line in lines:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(1, rest) :]


os.write(2, f"{os.getpid()}\n".encode())
threading.Thread(target=speak, daemon=True).start()
while data := os.read(0, 1 << 18):
    os.write(log, data)
os._exit(0)
