"""A whole story: a server that is asked in lines and answers with Content-Length, as tsserver."""

import subprocess
import sys
from pathlib import Path

from tapproxy.opening import opened
from tapproxy_store.records import Told

SERVER = """
import sys
for line in sys.stdin.buffer:
    body = b'{"asked":' + line.strip() + b'}'
    sys.stdout.buffer.write(b'Content-Length: %d\\r\\n\\r\\n' % len(body) + body)
    sys.stdout.buffer.flush()
"""


def test_each_direction_is_cut_by_the_framing_that_it_speaks(tmp_path: Path) -> None:
    recording = str(tmp_path / "a.tap")
    command = [sys.executable, "-m", "tapproxy", "run", "-o", recording, "--"]
    done = subprocess.run(
        [*command, sys.executable, "-c", SERVER],
        input=b'{"seq":1}\n{"seq":2}\n',
        capture_output=True,
        timeout=30,
        check=True,
    )
    answers = [b'{"asked":{"seq":%d}}' % number for number in (1, 2)]
    assert done.stdout == b"".join(b"Content-Length: 19\r\n\r\n" + it for it in answers)
    with opened(recording) as it:
        frames = [entry.frame for entry in it.entries(1) if isinstance(entry, Told)]
        asked = [frame for frame in frames if frame.stream == "in"]
        answered = [frame for frame in frames if frame.stream == "out"]
        assert [it.payload(frame) for frame in asked] == [b'{"seq":1}', b'{"seq":2}']
        assert [(frame.terminator, frame.header_size) for frame in asked] == [("LF", 0)] * 2
        assert [it.payload(frame) for frame in answered] == answers
        assert [(frame.terminator, frame.header_size) for frame in answered] == [("none", 22)] * 2
        assert {frame.flaw for frame in frames} == {None}
