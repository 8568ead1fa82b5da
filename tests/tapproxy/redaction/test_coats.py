"""What text is wrapped in is opened, and closed again to the same length."""

import json
from base64 import b64encode
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.redaction.coats import (
    base64_again,
    base64_words,
    escaped_again,
    quoted_again,
    unescaped,
    unquoted,
)


@given(st.binary() | st.text().map(lambda it: json.dumps(it).encode()))
def test_closing_what_did_not_change_changes_nothing(data: bytes) -> None:
    assert escaped_again(data, unescaped(data)) == data
    assert quoted_again(data, unquoted(data)) == data
    for word in base64_words(data):
        assert base64_again(data, word, word.inner) == data


@pytest.mark.parametrize(
    ("text", "inner", "changed", "closed"),
    [
        (rb"a\/b\u0063\n", b"a/bc\n", b"x/yz\n", rb"x\/y\u007a\n"),
        (rb"\u00e9\ud83d\ude00", "é😀".encode(), "·🔒".encode(), rb"\u00b7\ud83d\udd12"),
        (rb"\q\u12", rb"\q\u12", rb"\q\u99", rb"\q\u99"),
        (rb"\ud800x", b"\xed\xa0\x80x", b"abcx", rb"\u0078x"),
        (rb"\\\"", b'\\"', b'\\"', rb"\\\""),
    ],
)
def test_escapes_stay_escapes(text: bytes, inner: bytes, changed: bytes, closed: bytes) -> None:
    assert unescaped(text) == inner
    assert escaped_again(text, changed) == closed
    assert len(closed) == len(text)


def test_percent_signs_stay_percent_signs() -> None:
    text = quote("a b/c").encode() + b"%zz%"
    assert unquoted(text) == b"a b/c%zz%"
    assert quoted_again(text, b"x y/z%zz%") == b"x%20y/z%zz%"


@pytest.mark.parametrize("before", [b"", b"/", b"ab", b"key"])
@pytest.mark.parametrize("padded", [True, False])
@given(text=st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=12))
def test_base64_is_found_with_padding_and_without_and_behind_other_letters(
    before: bytes, text: str, *, padded: bool
) -> None:
    coded = b64encode(text.encode())
    coded = coded if padded else coded.rstrip(b"=")
    whole = b"<" + before + coded + b">"
    (word,) = base64_words(whole)
    if word.inner != text.encode():  # another beginning makes text, too
        assert word.is_text
        return
    new = text.upper().encode()
    assert base64_again(whole, word, new) == b"<" + before + b64encode(new)[: len(coded)] + b">"


def test_a_url_safe_word_stays_one() -> None:
    (word,) = [it for it in base64_words(b"c3VyZT8_Pz8-c3VyZQ") if it.is_url_safe]
    assert word.inner == b"sure????>sure"
    assert base64_again(b"c3VyZT8_Pz8-c3VyZQ", word, b"SURE????>SURE") == b"U1VSRT8_Pz8-U1VSRQ"
