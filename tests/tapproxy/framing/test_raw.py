"""Raw: what arrived together is one frame."""

import pytest

from tapproxy.framing import FRAMINGS, Cut, make_framer


def test_each_feed_is_a_frame() -> None:
    framer = make_framer("raw")
    assert framer.feed(b"\x00\n\n") == [Cut(0, 3, 0, "none", None)]
    assert framer.feed(b"") == []
    assert framer.feed(b"x") == [Cut(3, 4, 0, "none", None)]
    assert framer.undecided == 4
    assert framer.close() == []


def test_missing_bytes_flaw_nothing() -> None:
    framer = make_framer("raw")
    assert framer.feed(b"ab") == [Cut(0, 2, 0, "none", None)]
    assert framer.skip(10) == []
    assert framer.feed(b"cd") == [Cut(12, 14, 0, "none", None)]


def test_every_framing_can_be_made_and_says_its_name() -> None:
    assert FRAMINGS == ("auto", "lines", "content-length", "raw")
    assert [make_framer(name).name for name in FRAMINGS] == list(FRAMINGS)


def test_an_unknown_framing_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match="unknown framing 'xml': choose one of auto, lines, con"):
        make_framer("xml")
