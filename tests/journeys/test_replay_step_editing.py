"""`tap replay --step`: a step is edited in the user's own editor before it is taken."""

import os
import sys
from pathlib import Path

from tests.journeys.seats import Seat
from tests.journeys.stepped import ADDED, a_seat, ended, read, stepped, write
from tests.journeys.test_replay import made
from tests.tapproxy.replay.rig import answer, ask, tell

__all__ = ["a_seat"]  # a fixture

EDITOR = """
import os, sys
path = sys.argv[1]
with open(path, "rb") as file:
    text = file.read()
with open({seen!r}, "ab") as file:
    file.write(text)
with open(path, "wb") as file:
    file.write(text.replace(b"3", b"4711"))
os.write(1, b"edited on " + os.ttyname(1).encode() + bytes([10]))
"""


def editor(folder: Path) -> tuple[dict[str, str], Path]:
    """Return the environment with an editor, and the file that tells what it was given."""
    program, seen = folder / "edit.py", folder / "seen"
    program.write_text(EDITOR.format(seen=str(seen)), encoding="utf-8")
    return {"EDITOR": f"{sys.executable} {program}"}, seen


def test_a_step_is_edited_as_it_would_be_sent(seat: Seat, tmp_path: Path) -> None:
    environment, seen = editor(tmp_path)
    with seat.start(stepped(made(tmp_path, *ADDED), "--as", "plugin"), env=environment) as plugin:
        write(plugin, ask("x", "add", n=[1, 2]))
        seat.shown_until("]? ")
        seat.type("\r")
        seat.shown_until("]? ")
        seat.type("e")
        seat.asks("""\
edit
edited on /dev/tty
                 send  ←──  #3     41 B    (edited)  {"jsonrpc":"2.0","id":"x","result":4711}␊
send step 3 [enter s e c q ?]? """)
        seat.type("e")
        seat.shown_until("]? ")
        seat.type("\r")
        assert read(plugin) == tell("thinking")
        assert read(plugin) == answer("x", 4711)
        seat.type("q")
        assert ended(plugin)[0] == 1
    assert seen.read_bytes() == answer("x", 3) + answer("x", 4711)
    assert "· by hand, 1 edited\n" in seat.shown_until("1 edited\n")
    assert os.listdir(os.environ["TMPDIR"]) == []


def test_an_editor_that_fails_is_told_and_nothing_is_changed(seat: Seat, tmp_path: Path) -> None:
    command = stepped(made(tmp_path, *ADDED), "--as", "plugin")
    with seat.start(command, env={"EDITOR": "no-such-editor"}) as plugin:
        write(plugin, ask(1, "add", n=[1, 2]))
        seat.shown_until("]? ")
        seat.type("e")
        seat.asks("""\
edit
not edited: cannot start no-such-editor: No such file or directory
   2    0.010 s  send  ←──  #2     50 B    thinking                                        #1 +10 ms
send step 2 [enter s e c q ?]? """)
        seat.type("\r")
        assert read(plugin) == tell("thinking")


def with_length(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def test_a_length_follows_the_body_that_is_edited(seat: Seat, tmp_path: Path) -> None:
    question, result = (with_length(it.strip()) for it in (ask(1, "add"), answer(1, 3)))
    recording = made(tmp_path, (0, "in", question), (1, "out", result), (2, "exit", {"code": 0}))
    environment, seen = editor(tmp_path)
    with seat.start(stepped(recording, "--as", "plugin"), env=environment) as plugin:
        write(plugin, question)
        seat.shown_until("]? ")
        seat.type("e")
        seat.shown_until("(edited)")
        seat.shown_until("]? ")
        seat.type("\r")
        assert read(plugin) == with_length(answer(1, 4711).strip())
    assert seen.read_bytes() == answer(1, 3).strip()
