"""What is redacted while it comes is let go in the order in which it came."""

from tapproxy.redaction.in_order import InOrder
from tapproxy.redaction.rules import read_rules
from tapproxy.redaction.sessions import SessionRedactor
from tapproxy.redaction.texts import Texts
from tapproxy_store.records import Chunk, Event, Stream


def in_order() -> InOrder:
    return InOrder(SessionRedactor(read_rules(["tokens", "key:pin"]), "lines", Texts((), b"")))


def chunk(seq: int, stream: Stream, data: bytes, offset: int = 0) -> Chunk:
    return Chunk(seq, 1, stream, seq, offset, data)


def test_what_came_after_an_open_line_waits_for_it() -> None:
    queue = in_order()
    first, second = chunk(1, "err", b"half a "), chunk(2, "out", b"whole\n")
    event, third = Event(3, 1, 3, "note"), chunk(4, "err", b"line\n", 7)
    assert queue.feed(first) == []
    assert queue.feed(second) == []
    assert queue.feed(event) == []
    assert queue.feed(third) == [first, second, event, third]


def test_the_end_of_a_stream_ends_its_line() -> None:
    queue = in_order()
    first, second = chunk(1, "err", b"half a line"), chunk(2, "out", b"whole\n")
    end = Event(3, 1, 3, "eof", {"stream": "err"})
    assert queue.feed(first) + queue.feed(second) == []
    assert queue.feed(end) == [first, second, end]


def test_the_end_of_the_session_ends_all() -> None:
    queue = in_order()
    chunks = [chunk(1, "err", b"a"), chunk(2, "out", b"b"), chunk(3, "in", b"c")]
    assert [queue.feed(it) for it in chunks] == [[], [], []]
    assert queue.close() == chunks


def test_it_is_known_whether_a_secret_was_learnt_late() -> None:
    rules = read_rules(["key:pin"])
    queue = InOrder(SessionRedactor(rules, "lines", Texts(rules, b"salt")))
    queue.feed(chunk(1, "in", b'{"pin":"first-secret"}\n'))
    assert not queue.learnt_late
    queue.feed(chunk(2, "in", b'{"x":"first-secret"}\n', 23))
    assert not queue.learnt_late
    queue.feed(chunk(3, "in", b'{"pin":"second-secret"}\n', 44))
    assert queue.learnt_late
