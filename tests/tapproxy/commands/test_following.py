"""Following a session ends when its recording is no longer the one that is open."""

from pathlib import Path

import pytest

from tapproxy.commands.following import news
from tapproxy.errors import TapError
from tapproxy_store.reading import open_recording
from tests.store.made import session, write


@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_recording_that_is_taken_away_is_followed_no_further(
    tmp_path: Path, *, is_replaced: bool
) -> None:
    path = tmp_path / "a.tap"
    write(str(path), (), (), [session(live=True)])
    with open_recording(str(path)) as recording:
        coming = news(recording, recording.session(), 0, 0)
        assert isinstance(next(coming), int)
        path.rename(tmp_path / "b.tap")
        if is_replaced:
            write(str(path))
        with pytest.raises(TapError, match=r"a\.tap was removed or replaced while"):
            list(coming)
