"""A session that is redacted while it is recorded: no ingester, killed or not, leaves a secret."""

import os
from pathlib import Path
from typing import Any

import pytest

from tapproxy.errors import TapError
from tapproxy.ingest import redacting
from tapproxy.ingest.follow import Follower, follow
from tapproxy.opening import opened
from tapproxy.redaction import in_order
from tapproxy_store import journal_reading
from tapproxy_store.recording import RecordingWriter
from tapproxy_store.records import STREAMS, Stream
from tests.journeys.planted import FACTS, RULES, SECRETS, jsonrpc, left
from tests.tapproxy.ingest.made import Journal, derived, living, recorded

REDACTION = {"rules": list(RULES), "salt": "00" * 32}

SHAPED = {
    "plain", "nested", "json in string", "stderr", "split over chunks", "malformed", "batch", "id",
    "member name", "binary", "jwt", "pem", "slack", "aws", "openai", "e-mail", "expression",
}  # fmt: skip
"""Secrets that are known wherever they are met, hence never on record as they are."""

NAMED: dict[str, Stream] = {it: it for it in STREAMS}


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Give the path of a recording that is not there yet."""
    return str(tmp_path / "a.tap")


def told() -> Journal:
    journal = Journal(redaction=REDACTION, **FACTS)
    for _, what, more in jsonrpc().happened:
        if isinstance(more, bytes):
            journal.says(NAMED[what], more)
        else:
            journal.happens(what, **more)
    return journal.ends()


def follow_file(recording: str) -> None:
    descriptor = os.open(recording + ".wire", os.O_RDONLY)
    try:
        follow(descriptor, recording + ".wire", recording)
    finally:
        os.close(descriptor)


def files(recording: str) -> bytes:
    """Return all bytes of a recording's files, but for its journal's."""
    beside = [recording, recording + "-wal", recording + "-shm", recording + "-journal"]
    return b"".join(Path(it).read_bytes() for it in beside if os.path.exists(it))


def streams(recording: str) -> bytes:
    with opened(recording) as it:
        return b"\n".join(b"".join(it.stream_bytes(1, name)) for name in STREAMS)


def test_nothing_secret_is_left_once_the_session_is_over(path: str) -> None:
    journal = told()
    journal.write(path + ".wire")
    assert set(left(Path(path + ".wire").read_bytes())) >= SHAPED - {"stderr", "split over chunks"}
    follow_file(path)
    assert left(files(path) + streams(path)) == []
    assert os.listdir(os.path.dirname(path)) == ["a.tap"]


def test_the_recording_says_that_it_was_redacted_and_keeps_no_salt(path: str) -> None:
    told().write(path + ".wire")
    follow_file(path)
    with opened(path) as it:
        facts = it.session().facts
    assert "redaction" not in facts
    mark = facts["redacted"]
    assert mark["rules"][:2] == ["tokens", "keys"]
    assert mark["rules"][-1] == "re:…"
    assert mark["secrets"]["tokens"] > 10


def test_all_is_on_record_in_its_order_however_the_journal_is_portioned() -> None:
    journal = told()
    whole = derived(journal, [journal.records])
    assert derived(journal, [[it] for it in journal.records]) == whole
    plain = Journal(**FACTS)
    plain.records[1:] = journal.records[1:]
    original = derived(plain, [plain.records])
    for table in ("chunks", "frames", "totals"):
        sizes = [[len(it) if isinstance(it, bytes) else it for it in row] for row in whole[table]]
        assert sizes == [
            [len(it) if isinstance(it, bytes) else it for it in row] for row in original[table]
        ]


class Killed(BaseException):
    """Stands for SIGKILL: nothing of ours runs after it but what closes files."""


class Deaths:
    """Has the writer die before one of its statements; counts them."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count = 0
        self.at = 0
        for name in ("_run", "_run_many", "vacuum", "_leave_wal"):
            patch.setattr(RecordingWriter, name, self._dying(getattr(RecordingWriter, name)))

    def _dying(self, call: Any) -> Any:
        def before(writer: RecordingWriter, *values: Any) -> Any:
            self.count += 1
            if self.count == self.at:
                raise Killed
            return call(writer, *values)

        return before


@pytest.fixture
def deaths(monkeypatch: pytest.MonkeyPatch) -> Deaths:
    """Give what kills the writer."""
    return Deaths(monkeypatch)


def few() -> Journal:
    """Tell of a session in few reads, with secrets that are split, and one that is known late."""
    s = {name: text.encode() for name, text in SECRETS.items()}
    journal = Journal(redaction=REDACTION, **FACTS)
    journal.says("in", b'{"id":1,"method":"a","params":{"t":"%s"}}\n{"id":2,' % s["plain"])
    journal.says("err", b"%s and %s\n" % (s["key"], s["stderr"][:9]))
    journal.says("in", b'"method":"b","params":{"account":{"number":"%s"}}}\n' % s["path"])
    journal.says("err", s["stderr"][9:]).says("out", b'{"id":1,"result":"%s"}\n' % s["slack"])
    journal.says("in", b'{"sessionKey":"%s"}\n' % s["key"]).says("err", b" %s\n" % s["aws"])
    return journal.happens("eof", stream="err").happens("note", text=SECRETS["e-mail"]).ends()


def test_an_ingester_that_dies_at_any_statement_leaves_no_secret_and_the_next_one_goes_on(
    deaths: Deaths, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_reading, "BLOCK", 512)
    journal = few()
    journal.write(path + ".wire")
    follow_file(path)
    whole, number = recorded(path), deaths.count
    assert number > 50
    for at in range(1, number + 1):
        os.unlink(path)
        journal.write(path + ".wire")
        deaths.count, deaths.at = 0, at
        with pytest.raises(Killed):
            follow_file(path)
        assert SHAPED & set(left(files(path))) == set()
        deaths.at = 0
        follow_file(path)
        assert left(files(path)) == []
        assert recorded(path) == whole


def test_a_living_session_is_on_record_without_what_is_known_as_secret(path: str) -> None:
    journal = Journal(redaction=REDACTION, **FACTS)
    with living(path + ".wire", journal) as live:
        descriptor = os.open(live.path, os.O_RDONLY)
        follower = Follower(descriptor, path)
        for half in (0, 1):
            journal.says("out", b'{"a":"%s"}\n{"b":"' % SECRETS["plain"].encode())
            journal.says("out", SECRETS["nested"].encode()[:20])
            live.write()
            follower.catch_up()
            assert left(files(path)) == []
            journal.says("out", SECRETS["nested"].encode()[20:] + b'"}\n')
            live.write()
            follower.catch_up()
            assert left(files(path)) == []
            with opened(path) as it:
                assert it.counts(1).frames["out"] == 2 * (half + 1)
        follower.close()
        os.close(descriptor)


def test_a_secret_that_is_recognised_late_is_replaced_where_it_was_before(path: str) -> None:
    journal = Journal(redaction={"rules": ["key:pin"], "salt": "00"}, argv=["x", "late-secret"])
    journal.says("err", b"the late-secret\n").happens("note", text="late-secret")
    journal.says("out", b'{"a":"late-secret"}\n' * 3).says("in", b'{"pin":"late-secret"}\n').ends()
    journal.write(path + ".wire")
    follow_file(path)
    assert b"late-secret" not in files(path)
    with opened(path) as it:
        word = it.session().facts["argv"][1].encode()
        assert b"".join(it.stream_bytes(1, "err")) == b"the %s\n" % word
        messages = [it.decoded(m) for told in it.entries(1) for m in getattr(told, "messages", ())]
        assert len(messages) == 4
    assert files(path).count(word) > 5


def late() -> Journal:
    """Tell of a session in which a secret is known only in the end."""
    journal = Journal(redaction={"rules": ["key:pin"], "salt": "00"}, argv=["x", "late-secret"])
    journal.says("out", b'{"jsonrpc":"2.0","method":"late-secret"}\n' * 3)
    return journal.says("in", b'{"pin":"late-secret"}\n').ends()


@pytest.mark.parametrize("doing", ["catching up", "finishing"])
def test_who_comes_late_to_a_session_that_is_over_adds_nothing(doing: str, path: str) -> None:
    late().write(path + ".wire")
    descriptor = os.open(path + ".wire", os.O_RDONLY)
    other = Follower(descriptor, path)
    follow_file(path)
    whole = recorded(path)
    if doing == "finishing":
        other.finish(None)
    else:
        other.catch_up()
    other.close()
    os.close(descriptor)
    assert b"late-secret" not in files(path)
    assert recorded(path) == whole


def test_what_is_derived_is_clean_where_an_ingester_was_killed_before_it_was(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = late()
    journal.records[0:1] = Journal(redaction={"rules": ["key:pin"], "salt": "00"}).records
    journal.write(path + ".wire")

    def killed(_: str) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(redacting, "reindex", killed)
        with pytest.raises(Killed):
            follow_file(path)
    follow_file(path)
    assert b"late-secret" not in files(path)
    with opened(path) as it:
        assert set(it.session().facts["redacted"]) == {"rules", "secrets"}


def test_where_nothing_was_learnt_late_nothing_is_gone_through_again(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redacting, "reindex", None)
    journal = Journal(redaction={"rules": ["tokens"], "salt": "00"})
    journal.says("in", b'{"pin":"%s"}\n' % SECRETS["plain"].encode()).ends()
    journal.write(path + ".wire")
    follow_file(path)
    assert left(files(path)) == []


def test_what_waits_for_an_open_line_is_bounded(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_order, "MOST_WAITING", 1000)
    journal = Journal(redaction={"rules": ["tokens"], "salt": "00"})
    journal.says("err", b"no end of a line")
    for number in range(100):
        journal.says("out", b'{"number":%03d}\n' % number)
    with living(path + ".wire", journal) as live:
        descriptor = os.open(live.path, os.O_RDONLY)
        follower = Follower(descriptor, path)
        follower.catch_up()
        with opened(path) as it:
            assert it.counts(1).frames["out"] > 90
        follower.close()
        os.close(descriptor)


def test_a_redaction_that_cannot_be_read_records_nothing(path: str) -> None:
    journal = Journal(redaction={"rules": ["of the future"], "salt": "00"})
    journal.says("in", b"secret\n").ends().write(path + ".wire")
    with pytest.raises(TapError):
        follow_file(path)
    assert b"secret" not in files(path)
    assert os.path.exists(path + ".wire")
