"""A placeholder takes the bytes that the secret took, wherever that stood."""

import json
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.redaction.coats import escaped_again
from tapproxy.redaction.placeholders import Placeholders

MADE = Placeholders(b"salt")

texts = st.text(st.characters(codec="utf-8"), min_size=1)


@pytest.mark.parametrize(
    ("secret", "placeholder"),
    [
        (b"hunter2-hunter2-hunter2", b"REDACTEDtn6uuc7fxxxxxxx"),
        (b"hunter2hunter2", b"Ro0l17rluq5ibv"),
        (b"hunter2", b"lWHf3sb"),
        (b"a", b"L"),
        (b'q"u\\o/t?e\n', b'0"Z\\X/K?M\n'),
    ],
)
def test_how_placeholders_look(secret: bytes, placeholder: bytes) -> None:
    assert (len(placeholder), MADE.of_text(secret)) == (len(secret), placeholder)


@given(texts)
def test_a_placeholder_takes_as_much_room_in_every_encoding(text: str) -> None:
    other = MADE.of_text(text.encode())
    for coding in ("utf-8", "utf-16-le"):
        assert len(other.decode().encode(coding)) == len(text.encode(coding))


@given(text=texts, ensure_ascii=st.booleans())
def test_a_placeholder_fits_into_json_however_that_is_escaped(
    text: str, *, ensure_ascii: bool
) -> None:
    written = json.dumps(text, ensure_ascii=ensure_ascii).replace("/", "\\/").encode()
    other = MADE.of_text(text.encode())
    new = escaped_again(written, b'"%s"' % other)
    assert (len(new), json.loads(new)) == (len(written), other.decode())


@given(st.text(st.characters(codec="ascii"), min_size=1))
def test_a_placeholder_of_ascii_has_the_slashes_of_the_secrets_base64(text: str) -> None:
    other = MADE.of_text(text.encode())
    one, two = b64encode(text.replace("\x7f", "").encode()), b64encode(other)
    if "\x7f" not in text:
        assert [it == ord("/") for it in one] == [it == ord("/") for it in two]


@given(st.binary())
def test_any_bytes_have_a_placeholder_of_their_length(data: bytes) -> None:
    assert len(MADE.of_text(data)) == len(data)
    assert MADE.of_text(data) == Placeholders(b"salt").of_text(data)


def test_different_secrets_have_different_placeholders_and_other_salts_others() -> None:
    secrets = [b"secret-%05d" % number for number in range(10_000)]
    made = {MADE.of_text(it) for it in secrets}
    assert len(made) == len(secrets)
    assert made & {Placeholders(b"other").of_text(it) for it in secrets} == set()


@pytest.mark.parametrize("number", [b"0", b"-1", b"12345", b"0.5", b"-0.25e10", b"1E+9"])
def test_a_number_stays_one_of_the_same_length(number: bytes) -> None:
    made = MADE.of_number(number)
    assert len(made) == len(number)
    assert isinstance(json.loads(made), int | float)
