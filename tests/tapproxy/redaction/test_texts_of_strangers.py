"""Text made to keep a rule busy takes no longer than other text, and keeps its length."""

from base64 import b64encode

import pytest

from tapproxy.redaction.rules import read_rules
from tapproxy.redaction.texts import Texts

SIZE = 100_000
PEM = b"-----BEGIN PRIVATE KEY-----"

PIECES = (
    b"eyJ-", b"eyJabcdef.", b"\\", b"\\\\", b"\\u005c", b"\\Users\\", b"/home",
    b'"env":{', b'"env":[1,', b'"', b'"password":"', b'{"a":"\\"password\\":\\"',
    b"a@", b"a.b-c@d.", PEM + b"\n", PEM + b"\nProc-Type: 4",
    b"authorization: ", b"bearer ", b"cookie: ", b"a://b:", b"a+",
    b"cookie: a=bbbb ", b"cookie:" + b" a=bcde;" * 600, b"://aaaaaaaaaaaaaaaaaaaa", b"<password>",
    b'"--token",', b"_token-", b"password: '", b"password" + b" " * 99, b"nextToken", PEM + b"\n ",
    b"123456789:AA", b"\x1b[0m", b"token=", b"=", b"a=b", b"%25", b"A_", b"TOKEN",
    b"sk-", b"\x00", b"\xff\xfe",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("ending", [b"", b'"a@b.com://home"'])
def test_a_text_of_one_piece_again_and_again(piece: bytes, ending: bytes) -> None:
    text = piece * (SIZE // len(piece)) + ending
    texts = Texts(read_rules(["all", "key:*pass*x*", "params.a.*.b"]), b"salt")
    assert len(texts.redacted(text, [slice(0, len(text))])) == len(text)


def test_base64_in_base64_is_opened_to_a_depth() -> None:
    text = b'{"password":"value-of-it"}'
    for _ in range(20):
        text = b64encode(text)
    texts = Texts(read_rules(["all"]), b"salt")
    assert len(texts.redacted(text)) == len(text)
