"""Events as rows, and how a session ended."""

import pytest

from tapproxy.ingest.rows import event_row, outcome
from tapproxy_store.records import Event


def test_an_events_details_are_short_json_that_any_program_reads() -> None:
    detail = {"argv": ["a b", "é"], "big": 1 << 70, "lone": "\ud800", "none": None}
    expected = (
        '{"argv":["a b","\\u00e9"],"big":1180591620717411303424,"lone":"\\ud800","none":null}'
    )
    assert event_row(Event(3, 2, 17, "odd", detail)) == (3, 2, 17, "odd", expected)


@pytest.mark.parametrize(
    ("kind", "detail", "expected"),
    [
        ("exit", {"code": 0}, "exit 0"),
        ("exit", {"code": 255}, "exit 255"),
        ("exit", {"signal": "SIGKILL"}, "signal SIGKILL"),
        ("exit", {}, None),
        ("spawn-error", {"errno": "ENOENT"}, "not started"),
        ("end", {"wall_ns": 1}, None),
        ("eof", {"stream": "out"}, None),
    ],
)
def test_the_events_that_end_a_session_say_how(
    kind: str, detail: dict[str, object], expected: str | None
) -> None:
    assert outcome(kind, detail) == expected
