"""However a real plugin writes, its answer goes on as its bytes, read for read."""

from hypothesis import given
from hypothesis import strategies as st

from tapproxy.dialects.registry import get_dialect
from tapproxy.replay.findings import Finding
from tapproxy.replay.forwarding import Forwarding, Question
from tapproxy.replay.spoken import Spoken
from tapproxy_store.records import Session
from tests.tapproxy.replay.rig import answer, ask, tell

SESSION = Session(1, "made", 0, 0, 1, "exit 0", "auto", {})

NEW = ask(2, "tools/call", name="new", _meta={"progressToken": 7})
SAID = (
    (tell("notifications/message", level="info", data="π"), False),
    (tell("notifications/progress", progressToken=7, progress=1), True),
    (answer(9, "to nobody"), False),
    (b" " + answer(2, {"content": "a\u2028b"}).rstrip() + b" \r\n", True),
    (tell("notifications/message", level="info", data="over"), False),
)
ALL = b"".join(said for said, _ in SAID)
HEARD = b"".join(said for said, is_heard in SAID if is_heard)


def asked() -> Forwarding:
    """Return one that the host has asked something new."""
    it = Forwarding(SESSION, get_dialect("mcp"), 1, learns=True)
    [whole] = it.cut(NEW, 0)
    live = Spoken(1, "in", NEW.rstrip(), "request", "tools/call", "2", asks=True)
    it.ask(Question(live, Finding("miss", "new")), whole, 0)
    assert it.next_for_plugin() == NEW
    return it


@given(st.lists(st.integers(0, len(ALL)), unique=True).map(sorted))
def test_only_what_is_about_the_question_goes_on(places: list[int]) -> None:
    it = asked()
    ends = [*places, len(ALL)]
    for begin, end in zip([0, *places], ends, strict=True):
        it.heard(ALL[begin:end], end)
    words = list(it.unread)
    assert b"".join(word.data for word in words) == HEARD
    assert sum(word.ended for word in words) == 2
    assert len({word.read for word in words}) == len(words)
    assert [settled.failure for settled in it.settled(0)] == [None]
    news = [(stream, data) for _, stream, data, _ in it.news]
    assert news == [("in", NEW), *(("out", word.data) for word in words)]
