"""The messages of a session are kept beside their answers, wherever they say that they are."""

from tapproxy.diffing.lanes import Lanes, Place, Said


def test_a_place_that_only_damage_can_have_made_is_kept() -> None:
    lanes = Lanes()
    asked, answered = Place(-1, -2), Place(2**63 - 1, -(2**63))
    lanes.add("in", Said(asked, key=1, label=2, asks=True))
    lanes.add("out", Said(answered, key=3, label=4, answers=asked))
    assert (lanes["in"].place(0), lanes["in"].answer_place(0)) == (asked, answered)
