"""Bytes arrive as they were sent: any bytes, any number of them, in all three streams."""

import hashlib
import random

import pytest

from tests.transparency.ways import Starter, plugin, program

MB = 1 << 20

PAYLOADS = {
    "all_256_values": bytes(range(256)) * 40,
    "invalid_utf8": b"\xff\xfe\x80abc\xc3\n\xed\xa0\x80\xf8\x88\n",
    "nul_bytes": b"\0\0{}\0\n\0",
    "crlf": b"one\r\ntwo\r\r\n\rthree\r\n",
    "empty_lines": b"\n\n\n\r\n\n",
    "no_final_newline": b'{"id":1}\n{"id":2}',
    "one_byte": b"x",
    "nothing": b"",
    "random_300_kb": random.Random(1).randbytes(300_000),
    "a_line_of_5_mb": b"5" * (5 * MB) + b"\n",
    "three_lines_of_5_mb": (random.Random(2).randbytes(5 * MB).replace(b"\n", b".") + b"\n") * 3,
}


@pytest.mark.parametrize("name", PAYLOADS)
def test_bytes_cross_all_three_streams_unchanged(start: Starter, name: str) -> None:
    payload = PAYLOADS[name]
    child = start(program("echo.py", "both"))
    assert child.converse(payload) == (payload, payload)
    assert child.wait() == 0


def test_random_bytes_cross_both_ways_at_once(start: Starter) -> None:
    payload = random.Random(3).randbytes(8 * MB)
    child = start(program("both_ways.py", str(8 * MB), "4"))
    out, err = child.converse(payload)
    assert out == random.Random(4).randbytes(8 * MB)
    assert err == f"{8 * MB} {hashlib.sha256(payload).hexdigest()}\n".encode()


def test_a_plugin_that_says_nothing_is_silent(start: Starter) -> None:
    child = start(plugin("os._exit(0)"))
    assert child.receive_rest() == b""
    assert child.receive_rest("err") == b""
    assert child.wait() == 0


def test_the_recording_holds_all_three_streams(record: Starter) -> None:
    payload = PAYLOADS["all_256_values"]
    child = record(program("echo.py", "both"))
    child.converse(payload)
    assert child.wait() == 0
    recorded = child.recorded()
    assert [recorded.stream(name) for name in ("in", "out", "err")] == [payload] * 3
    assert recorded.outcome == "exit 0"
