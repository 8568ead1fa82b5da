"""What the tests of the replay share."""

from tests.tapproxy.replay.rig import make_rig

__all__ = ["make_rig"]
