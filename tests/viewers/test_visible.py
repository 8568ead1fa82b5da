"""Nothing of a recording steers a terminal, and nothing in it stays invisible."""

import json
import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tapproxy_viewers import visible

JOINERS = "\u200c\u200d"


def test_every_control_and_format_character_of_unicode_has_a_symbol() -> None:
    unsafe = {
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    } - set(JOINERS)
    missed = [
        f"U+{ord(character):04X}" for character in unsafe if visible.shown(character) == character
    ]
    assert missed == []


def test_control_characters_are_shown_as_their_pictures() -> None:
    assert visible.shown("\x00a\x1b[31m\r\n\t\x7f") == "␀a␛[31m␍␊␉␡"


def test_what_has_no_picture_is_shown_as_its_code() -> None:
    shown = visible.shown(
        visible.decoded("\x9b|\u202e|\u2028|\ufeff|\U000e0041|".encode() + b"\xff")
    )
    assert shown == "‹U+009B›|‹U+202E›|‹U+2028›|‹U+FEFF›|‹U+E0041›|‹FF›"


def test_surrogates_in_utf_8_are_shown_byte_by_byte() -> None:
    assert visible.shown(visible.decoded(b"\xed\xa0\x80")) == "‹ED›‹A0›‹80›"
    assert visible.shown("\ud800") == "‹U+D800›"


def test_letters_of_all_scripts_and_emoji_stay_as_they_are() -> None:
    text = "naïve 你好 שלום привет 👨\u200d👩\u200d👧 ❤\ufe0f"
    assert visible.shown(text) == text


def test_a_joiner_that_joins_nothing_is_shown() -> None:
    assert visible.shown("pay\u200dpal \u200c") == "pay‹U+200D›pal ‹U+200C›"
    assert visible.shown("👩\u200d\u200d") == "👩\u200d‹U+200D›"
    assert visible.shown("\ufeff\u200d") == "‹U+FEFF›‹U+200D›"
    assert visible.shown("❤\ufe0f\u200d🔥 می\u200cخواهم") == "❤\ufe0f\u200d🔥 می\u200cخواهم"


def test_pieces_tell_symbols_from_text_that_looks_like_them() -> None:
    assert list(visible.pieces("a␛b\x1b\x1bc")) == [
        ("a␛b", False),
        ("␛", True),
        ("␛", True),
        ("c", False),
    ]


def test_a_character_that_the_cut_went_through_is_no_invalid_byte() -> None:
    cut = "good 你".encode()[:-1]
    assert visible.decoded(cut, whole=False) == "good "
    assert visible.is_utf8(cut, whole=False)
    assert visible.shown(visible.decoded(cut)) == "good ‹E4›‹BD›"
    assert not visible.is_utf8(cut)


@given(st.binary())
def test_decoding_loses_no_byte(data: bytes) -> None:
    assert visible.decoded(data).encode("utf-8", "surrogateescape") == data


@given(st.text() | st.binary().map(visible.decoded))
def test_safe_json_says_the_same_and_holds_nothing_unsafe(text: str) -> None:
    line = visible.safe_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(line) == text
    assert visible.shown(line) == line
