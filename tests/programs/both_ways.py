"""Writes SIZE seeded random bytes to stdout while reading stdin; says on stderr what it read."""

import hashlib
import os
import random
import sys
import threading

size, seed = int(sys.argv[1]), int(sys.argv[2])
rest = memoryview(random.Random(seed).randbytes(size))


def speak(rest: memoryview) -> None:
    while rest:
        rest = rest[os.write(1, rest[: 1 << 18]) :]
    os.close(1)


speaker = threading.Thread(target=speak, args=(rest,))
speaker.start()
count, digest = 0, hashlib.sha256()
while data := os.read(0, 1 << 18):
    count += len(data)
    digest.update(data)
speaker.join()
os.write(2, f"{count} {digest.hexdigest()}\n".encode())
