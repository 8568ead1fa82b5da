"""Each protocol has its own way to say that a question cannot be answered."""

from collections.abc import Callable

import orjson
import pytest

from tapproxy.dialects.refusals import (
    dap_refusal,
    jsonrpc_refusal,
    lingxi_refusal,
    xlings_refusal,
)

ERROR = '"error":{"code":-32001,"message":"not recorded","data":"why"}'


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"a"}', f'{{"jsonrpc":"2.0","id":7,{ERROR}}}'),
        (b'{"id":"\\u0061\\/","method":"a"}', f'{{"jsonrpc":"2.0","id":"a/",{ERROR}}}'),
        (b'{"id":1.50,"method":"a"}', f'{{"jsonrpc":"2.0","id":1.50,{ERROR}}}'),
        (
            b'[{"id":1,"method":"a"},{"method":"b"},{"id":"x","method":"c"}]',
            f'[{{"jsonrpc":"2.0","id":1,{ERROR}}},{{"jsonrpc":"2.0","id":"x",{ERROR}}}]',
        ),
    ],
)
def test_json_rpc_answers_with_an_error_and_the_id(question: bytes, answer: str) -> None:
    assert jsonrpc_refusal(question, "why") == answer.encode()


def test_lingxi_answers_with_a_text() -> None:
    assert lingxi_refusal(b'{"id":"X-1","method":"a","params":"e30="}', 'a "b"') == (
        rb'{"id":"X-1","error":"a \"b\""}'
    )


def test_dap_answers_without_success() -> None:
    refusal = dap_refusal(b'{"seq":12,"type":"request","command":"evaluate"}', "why")
    assert orjson.loads(refusal or b"") == {
        "seq": 1_000_012,
        "type": "response",
        "request_seq": 12,
        "success": False,
        "command": "evaluate",
        "message": "why",
    }


def test_xlings_says_so_in_a_log_line() -> None:
    assert xlings_refusal(b'{"action":"nope"}', "why") == (
        b'{"kind":"log","level":"warn","message":"why"}'
    )


@pytest.mark.parametrize("refusal", [jsonrpc_refusal, lingxi_refusal, dap_refusal])
@pytest.mark.parametrize("question", [b"", b"nope", b"[]", b"7", b'{"method":"a"}', b'[{"x":1},2]'])
def test_what_has_no_id_cannot_be_answered(
    refusal: Callable[[bytes, str], bytes | None], question: bytes
) -> None:
    assert refusal(question, "why") is None
