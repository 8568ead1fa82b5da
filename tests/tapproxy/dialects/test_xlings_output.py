"""The output of a command in a sub-OS: wherever it is split, the same text comes together."""

import base64
import json
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.dialects.api import Meaning
from tests.tapproxy.dialects.xlings_talk import data, talk

quick = settings(max_examples=50, deadline=None)  # a busy machine is no failure


def event(piece: bytes, stream: str = "stdout") -> str:
    """Return the event of a fragment as xlings makes it: base64 where it is not UTF-8."""
    try:
        payload = {"data": piece.decode(), "stream": stream}
    except UnicodeDecodeError:
        coded = base64.b64encode(piece).decode()
        payload = {"data": coded, "encoding": "base64", "stream": stream}
    return data("subos_exec_output", json.dumps(payload, ensure_ascii=False))


def text_of(line: str, meaning: Meaning) -> str:
    """Return the characters that a reader of the message sees."""
    return str(json.loads(meaning.decoded or line)["payload"]["data"])


def joined(lines: Sequence[str]) -> str:
    return "".join(map(text_of, lines, talk(*lines)))


def pieces(output: bytes, places: Sequence[int]) -> list[bytes]:
    borders = [0, *sorted(places), len(output)]
    return [output[start:end] for start, end in pairwise(borders)]


OUTPUT = "café ☕ 你好 👩‍🚀\n".encode()


@pytest.mark.parametrize("place", range(len(OUTPUT) + 1))
def test_output_split_at_any_byte_joins_to_the_same_text(place: int) -> None:
    assert joined([event(it) for it in pieces(OUTPUT, [place])]) == OUTPUT.decode()


@quick
@given(st.text(max_size=20), st.lists(st.integers(0, 60), max_size=8))
def test_output_split_anywhere_joins_to_the_same_text(text: str, places: list[int]) -> None:
    output = text.encode()
    split = pieces(output, [min(it, len(output)) for it in places])
    assert joined([event(it) for it in split]) == text


@quick
@given(st.binary(max_size=20), st.lists(st.integers(0, 20), max_size=6))
def test_any_bytes_are_read_without_an_error_note(output: bytes, places: list[int]) -> None:
    split = pieces(output, [min(it, len(output)) for it in places])
    assert [it.note for it in talk(*map(event, split))] == [""] * len(split)


def test_the_streams_are_joined_apart_from_each_other() -> None:
    lines = [event(b"\xc3"), event(b"\xe2\x98", "stderr"), event(b"\xa9"), event(b"\x95", "stderr")]
    assert [it.summary for it in talk(*lines)] == [
        'stdout "" + 1 byte of a character',
        'stderr "" + 2 bytes of a character',
        'stdout "é"',
        'stderr "☕"',
    ]


def test_text_is_shown_as_it_is_and_needs_no_decoding() -> None:
    assert talk(event(b"done\n")) == [
        Meaning("data", "subos_exec_output", 'stdout "done\n"', within_ns=6_000_000_000)
    ]


def test_base64_is_decoded_in_the_message() -> None:
    (meaning,) = talk(event(b"\xff!"))
    assert meaning.flags == ("base64",)
    assert json.loads(meaning.decoded or "") == {
        "dataKind": "subos_exec_output",
        "kind": "data",
        "payload": {"data": "\ufffd!", "encoding": "base64", "stream": "stdout"},
    }


@pytest.mark.parametrize(
    ("payload", "summary", "note", "flags"),
    [
        (
            '{"data":"a=b","encoding":"base64","stream":"stdout"}',
            'stdout "a=b"',
            "data is not base64: ",
            ("bad-base64",),
        ),
        (
            '{"data":"é","encoding":"base64","stream":"stdout"}',
            'stdout "é"',
            "data is not base64: ",
            ("bad-base64",),
        ),
        ('{"data":"a","encoding":"hex","stream":"stdout"}', 'stdout "a"', "encoding ", ()),
        ('{"data":7,"stream":"stderr"}', "stderr 7", "data is no text", ()),
        ('{"data":"a","stream":"log"}', '"a"', "stream is neither stdout nor stderr", ()),
        ("{}", "null", "stream is neither stdout nor stderr", ()),
    ],
)
def test_a_broken_fragment_is_shown_with_the_reason(
    payload: str, summary: str, note: str, flags: tuple[str, ...]
) -> None:
    (meaning,) = talk(data("subos_exec_output", payload))
    assert (meaning.summary, meaning.flags) == (summary, flags)
    assert meaning.note.startswith(note)


def test_a_number_that_no_strict_reader_takes_does_not_keep_base64_from_being_decoded() -> None:
    payload = '{"data":"/w==","encoding":"base64","n":[NaN,99999999999999999999],"stream":"stdout"}'
    (meaning,) = talk(data("subos_exec_output", payload))
    assert json.loads(meaning.decoded or "")["payload"] == {
        "data": "\ufffd",
        "encoding": "base64",
        "n": ["NaN", 99999999999999999999],
        "stream": "stdout",
    }
