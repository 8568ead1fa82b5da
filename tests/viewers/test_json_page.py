"""The page about JSON lists the fields that are written, in their order, and no others."""

import re
from pathlib import Path

import pytest

from tapproxy_store.reading import open_recording
from tapproxy_store.records import Message
from tapproxy_viewers.jsonl import event_object, frame_object, message_object, session_object
from tapproxy_viewers.listing import Readable, Remark, listed_object
from tests.viewers.made import Made, event, record, session

PAGE = Path(__file__).resolve().parents[2] / "docs/json.md"


def fields(heading: str) -> list[str]:
    """Return the first column of the table below a heading."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"# {heading}\n")
    return re.findall(r"(?m)^\| `(\w+)` \|", rest.partition("\n#")[0])


@pytest.fixture
def readable(tmp_path: Path) -> Readable:
    path = str(tmp_path / "a.tap")
    record(path, session())
    with open_recording(path) as recording:
        return Readable("a", path, recording.session(), recording.counts(1))


def test_the_fields_of_a_session_are_on_the_page(readable: Readable) -> None:
    written = session_object(readable.session, readable.counts, "a")
    assert fields("`session`") == list(written)


def test_the_fields_of_a_frame_are_on_the_page() -> None:
    text, base64 = (frame_object(Made().frame("out", 0, b""), body) for body in (b"a", b"\xff"))
    assert fields("`frame`") == [*text, "base64"]
    assert [*base64] == [*[*text][:-1], "base64"]


def test_the_fields_of_a_message_are_on_the_page() -> None:
    said = Message(1, 2, 0, "response", None, None, 0, "", *[None] * 8)
    assert fields("`messages`") == [*message_object(said, b"{}")]
    assert [*message_object(said, None), "decoded"] == fields("`messages`")


def test_the_fields_of_an_event_are_on_the_page() -> None:
    assert fields("`event`") == list(event_object(event(0, "spawn")))


def test_the_fields_of_a_listed_recording_are_on_the_page(readable: Readable) -> None:
    remark = listed_object(Remark("a", "/r/a.tap", "damaged", "why"))
    head, of_session = fields("`tap ls --json`"), fields("`session`")[2:]
    assert head == list(remark)
    assert [*listed_object(readable)] == head[:-1] + of_session
