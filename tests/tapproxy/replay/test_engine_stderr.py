"""What a plugin logs comes as it did, whatever its reads were."""

from tapproxy.replay.engine import Options
from tapproxy.replay.schedule import Pace
from tests.tapproxy.replay.rig import MakeRig, answer, ask


def test_a_line_of_the_log_that_was_read_in_pieces_keeps_their_order(rig: MakeRig) -> None:
    pieces = [b"heard", b" ", b"it", b"\n"]
    it = rig(
        "plugin",
        (0, "in", ask(1, "a")),
        *((at, "err", piece) for at, piece in enumerate(pieces, 1)),
        (9, "out", answer(1, 1)),
        options=Options(pace=Pace(0)),
    )
    assert it.until(1000) == []
    it.hear("in", ask(1, "a"))
    said = it.until(1000)
    assert [data for _, stream, data in said if stream == "err"] == pieces
