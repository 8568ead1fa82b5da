"""A stream is redacted in the same way wherever it is split, and holds no more than it must."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.redaction import streams
from tapproxy.redaction.rules import read_rules
from tapproxy.redaction.streams import StreamRedactor
from tapproxy.redaction.texts import Texts
from tapproxy_store.records import Chunk

RULES = read_rules(["all", "key:pin", "params.account"])
TOKEN = b"ghp_" + b"aB3dE5gH7jK9mN1pQ3sT5vW7xY9"

LINES = (
    b'{"id":1,"params":{"account":"account-1","t":"%s"}}\n' % TOKEN,
    b"seen: %s, account-1\r\n" % TOKEN,
    b"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQ==\n-----END PRIVATE KEY-----\n",
    b'{"pin":"1234-5678"}\n{"a":"Z2hwX2FCM2RFNWdIN2pLOW1OMXBRM3NUNXZXN3hZOQ=="}\n',
    b'{"password":"cut off here',
)
WHOLE = b"".join(LINES)


def chunks(pieces: Sequence[bytes]) -> list[Chunk]:
    offset = 0
    made = []
    for seq, piece in enumerate(pieces, 1):
        made.append(Chunk(seq, 1, "out", seq, offset, piece))
        offset += len(piece)
    return made


def redacted(pieces: Sequence[bytes], framing: str = "lines") -> list[bytes]:
    redactor = StreamRedactor(Texts(RULES, b"salt"), framing, has_messages=True)
    done = [it for chunk in chunks(pieces) for it in redactor.feed(chunk)] + redactor.flush()
    assert [it.seq for it in done] == list(range(1, len(pieces) + 1))
    assert [len(it.data) for it in done] == [len(it) for it in pieces]
    return [it.data for it in done]


EXPECTED = b"".join(redacted(LINES))


def test_nothing_secret_is_left_and_the_rest_is_as_it_was() -> None:
    assert EXPECTED == (
        b'{"id":1,"params":{"account":"Rtvg07wi2","t":"REDACTED3phf1283xxxxxxxxxxxxxxx"}}\n'
        b"seen: REDACTED3phf1283xxxxxxxxxxxxxxx, Rtvg07wi2\r\n"
        b"-----BEGIN PRIVATE KEY-----\nREDACTEDngqw0f\nlcxxxxxxxxxxxx\n-----END PRIVATE KEY-----\n"
        b'{"pin":"Rpmtiiyju"}\n{"a":"UkVEQUNURUQzcGhmMTI4M3h4eHh4eHh4eHh4eHh4eA=="}\n'
        b'{"password":"Rhdwvd64iaq5'
    )


@pytest.mark.parametrize("at", range(1, len(WHOLE)))
def test_a_stream_may_be_split_at_every_byte(at: int) -> None:
    assert b"".join(redacted([WHOLE[:at], WHOLE[at:]])) == EXPECTED


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, len(WHOLE) - 1), max_size=40), st.sampled_from(["lines", "auto"]))
def test_a_stream_may_be_split_anywhere(cuts: list[int], framing: str) -> None:
    places = [0, *sorted(set(cuts)), len(WHOLE)]
    pieces = [WHOLE[a:b] for a, b in pairwise(places)]
    assert b"".join(redacted(pieces, framing)) == EXPECTED


def test_a_secret_cut_by_a_wrong_length_is_found() -> None:
    frames = [b"Content-Length: 12\r\n\r\n", b'{"t":"%s"}' % TOKEN]
    assert TOKEN[4:12] not in b"".join(redacted(frames, "content-length"))


def test_a_binary_stream_is_held_where_a_word_goes_on() -> None:
    pieces = [b"\x00\x01" + TOKEN[:7], TOKEN[7:20], TOKEN[20:] + b"\x00\x02"]
    assert b"".join(redacted(pieces, "raw")) == b"\x00\x01REDACTED3phf1283xxxxxxxxxxxxxxx\x00\x02"


def test_a_line_is_let_go_once_it_is_over_and_not_before() -> None:
    redactor = StreamRedactor(Texts(RULES, b"salt"), "lines", has_messages=True)
    first, second, third = chunks([b'{"a":', b'1}\n{"b"', b":2}\n"])
    assert redactor.feed(first) == []
    assert redactor.feed(second) == [first]
    assert redactor.held == 4
    assert redactor.feed(third) == [second, third]


def test_after_missing_bytes_what_was_held_is_let_go() -> None:
    redactor = StreamRedactor(Texts(RULES, b"salt"), "lines", has_messages=True)
    assert redactor.feed(Chunk(1, 1, "out", 1, 0, b"half")) == []
    after = Chunk(2, 1, "out", 2, 100, b"line\n")
    assert redactor.feed(after) == [Chunk(1, 1, "out", 1, 0, b"half"), after]


def test_a_frame_without_an_end_is_let_go_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LARGEST", 1000)
    monkeypatch.setattr(streams, "OVERLAP", 100)
    redactor = StreamRedactor(Texts(RULES, b"salt"), "lines", has_messages=True)
    text = (b"word " * 30 + TOKEN + b" ") * 40
    done: list[Chunk] = []
    for chunk in chunks([text[at : at + 7] for at in range(0, len(text), 7)]):
        done += redactor.feed(chunk)
        assert redactor.held <= 1000
    done += redactor.flush()
    assert b"".join(it.data for it in done) == text.replace(
        TOKEN, b"REDACTED3phf1283xxxxxxxxxxxxxxx"
    )


def test_chunks_that_go_backward_or_overlap_do_no_harm() -> None:
    redactor = StreamRedactor(Texts(RULES, b"salt"), "auto", has_messages=True)
    offsets = (0, 500, 20, 20, 21, 10_000, 0, 5)
    made = [Chunk(seq, 1, "out", 1, at, b'{"a":1}\nx') for seq, at in enumerate(offsets, 1)]
    assert [it for chunk in made for it in redactor.feed(chunk)] + redactor.flush() == made


@pytest.mark.parametrize("framing", ["auto", "lines", "content-length", "raw"])
def test_what_is_let_go_early_is_not_let_go_twice(framing: str) -> None:
    redactor = StreamRedactor(Texts(RULES, b"salt"), framing, has_messages=True)
    done: list[Chunk] = []
    made = chunks([b"Conte", b"nt-Le", b"ngth: 2\r\n\r\n{}x", b"}\n", b"{}\n"])
    for chunk in made:
        done += redactor.feed(chunk)
        done += redactor.flush()
    assert done == made
