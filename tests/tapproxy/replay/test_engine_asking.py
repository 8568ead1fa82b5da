"""What a plugin asks on account of a question follows that, whatever its host has left out."""

from tapproxy.replay.engine import Options
from tapproxy.replay.schedule import Pace
from tests.tapproxy.replay.rig import MakeRig, answer, ask


def test_a_question_of_the_plugin_comes_after_the_one_that_it_is_asked_for(rig: MakeRig) -> None:
    it = rig(
        "plugin",
        (0, "in", ask(1, "first")),
        (1, "out", answer(1, 1)),
        (2, "in", ask(2, "edit")),
        (3, "out", ask("p", "may I?")),
        (4, "in", answer("p", "yes")),
        (5, "out", answer(2, 2)),
        options=Options(pace=Pace(0)),
    )
    it.hear("in", ask(2, "edit"))
    assert [data for _, _, data in it.until(1000)] == [ask("p", "may I?")]
    it.hear("in", answer("p", "yes"))
    assert [data for _, _, data in it.until(2000)] == [answer(2, 2)]
