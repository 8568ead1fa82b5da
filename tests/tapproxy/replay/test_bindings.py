"""The live id is put into an answer, whatever else is in its frame."""

import pytest

from tests.tapproxy.replay.rig import MakeRig, answer, ask, tell


@pytest.mark.parametrize(
    "around",
    [
        b"%b",
        b"\r[1/2] indexing\x1b[K%b",
        tell("progress", done=1).rstrip() + b"%b",
        b"[%b]",
        b"\xef\xbb\xbf%b",
    ],
)
def test_it_is_the_only_thing_that_changes(rig: MakeRig, around: bytes) -> None:
    it = rig("plugin", (0, "in", ask(1, "a")), (5, "out", around % answer(1, "A").rstrip() + b"\n"))
    it.hear("in", ask(1000, "a"))
    assert it.until(10) == [(5, "out", around % answer(1000, "A").rstrip() + b"\n")]
