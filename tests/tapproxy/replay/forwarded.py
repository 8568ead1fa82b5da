"""A host that opens a session with a recording, and a real plugin behind that."""

from tapproxy.replay.engine import Options
from tapproxy.replay.schedule import Pace
from tests.tapproxy.replay.rig import Doing, Happened, MakeRig, Rig, answer, ask, tell

SECOND = 1_000_000_000

FORWARD = Options(pace=Pace(0), on_miss="forward")

INITIALIZE = ask(0, "initialize", protocolVersion="2025-06-18")
WELCOME = answer(0, {"protocolVersion": "2025-06-18", "serverInfo": {"name": "recorded"}})
HELLO = answer(0, {"protocolVersion": "2025-06-18", "serverInfo": {"name": "real"}})
READY = tell("notifications/initialized")
KNOWN = ask(1, "tools/call", name="known")
NEW = ask(2, "tools/call", name="new")
RESULT = answer(2, {"content": []})

SESSION: tuple[Happened, ...] = (
    (0, "in", INITIALIZE),
    (1, "out", WELCOME),
    (2, "in", READY),
    (3, "in", KNOWN),
    (4, "out", answer(1, {"content": []})),
    (5, "eof", {"stream": "in", "by": "host"}),
    (6, "exit", {"code": 0}),
)

END: list[Doing] = [(0, "exit", {"code": 0})]


def begun(rig: MakeRig, *happened: Happened, options: Options = FORWARD) -> Rig:
    """Have a host open the session, and ask what is recorded."""
    it = rig("plugin", *(happened or SESSION), options=options, dialect="mcp")
    it.hear("in", INITIALIZE)
    assert it.until(0) == [(0, "out", WELCOME)]
    it.hear("in", READY + KNOWN)
    assert it.until(0) == [(0, "out", answer(1, {"content": []}))]
    return it


def asked(rig: MakeRig, *happened: Happened) -> Rig:
    """Have a host ask what is not recorded, and the real plugin get it."""
    it = begun(rig, *happened)
    it.hear("in", NEW)
    assert it.until(0) == [(0, "pass", INITIALIZE)]
    it.hear_real(HELLO)
    assert it.until(0) == [(0, "pass", READY), (0, "pass", NEW)]
    return it


def ended(it: Rig) -> list[Doing]:
    """Have the host close its stdin."""
    it.see("eof", stream="in")
    return it.until(0)
