"""Real hosts and plugins of other people: through tap as without it, and all of it on record."""

import json
import subprocess
import unicodedata

import pytest

from tests.real.sessions import STREAMS, FrameRow, Recorded, Sessions, tap

pytestmark = pytest.mark.real

OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of characters that a terminal acts on instead of printing them."""


def test_a_session_through_tap_goes_as_without_it(sessions: Sessions) -> None:
    assert sessions.wrapped == sessions.bare
    assert sessions.teed == sessions.bare


def test_the_recording_has_exactly_the_bytes_that_passed_on_both_sides(sessions: Sessions) -> None:
    recorded = sessions.teed_recording.streams
    assert recorded == sessions.host_side.streams
    assert recorded == sessions.plugin_side.streams
    assert recorded["in"]
    assert recorded["out"]


def test_the_plugin_gets_the_kinds_of_descriptors_that_its_host_gave(sessions: Sessions) -> None:
    assert sessions.host_side.kinds == sessions.peer.links
    assert sessions.plugin_side.kinds == sessions.peer.links


def test_the_recording_says_how_the_session_ended(sessions: Sessions) -> None:
    assert sessions.wrapped_recording.outcome in sessions.peer.outcomes
    assert sessions.teed_recording.outcome in sessions.peer.outcomes


def test_frames_leave_no_byte_out(sessions: Sessions) -> None:
    for recorded in (sessions.wrapped_recording, sessions.teed_recording):
        for stream in STREAMS:
            spans = [(frame.start, frame.end) for frame in frames_of(recorded, stream)]
            starts, ends = [start for start, _ in spans], [end for _, end in spans]
            assert [*starts, len(recorded.streams[stream])] == [0, *ends]


def test_frames_are_the_messages_of_the_protocol(sessions: Sessions) -> None:
    for recorded in (sessions.wrapped_recording, sessions.teed_recording):
        for stream in ("in", "out"):
            for frame in frames_of(recorded, stream):
                raw = recorded.streams[stream][frame.start : frame.end]
                assert frame.flaw is None
                assert is_message(raw, frame, sessions.peer.framing), raw


def test_show_draws_the_session_without_a_control_character(sessions: Sessions) -> None:
    argv = tap("show", "--unfold", str(sessions.path))
    done = subprocess.run(argv, capture_output=True, check=True, timeout=60)
    shown = done.stdout.decode()
    assert done.stderr == b""
    assert len(shown.splitlines()) > len(sessions.teed_recording.frames)
    assert {char for char in shown if unicodedata.category(char) in OBEYED} == {"\n"}


def frames_of(recorded: Recorded, stream: str) -> list[FrameRow]:
    """Return the frames of one stream, in order."""
    return [frame for frame in recorded.frames if frame.stream == stream]


def is_message(raw: bytes, frame: FrameRow, framing: str) -> bool:
    """Tell whether a frame is one whole message framed as it should be."""
    header, body = raw[: frame.header_size], raw[frame.header_size :]
    if framing == "raw":
        return not header and frame.terminator == "none"
    if framing == "lines":
        framed = not header and frame.terminator == "LF" and body.find(b"\n") == len(body) - 1
    else:
        framed = f"Content-Length: {len(body)}\r\n".encode() in header
    return framed and isinstance(json.loads(body), dict)
