"""The bytes of a write in an editor: which they are, and what comes of what it makes of them."""

import os
import stat
import sys
from pathlib import Path

import anyio
import pytest

from tapproxy.replay.doing import Send
from tapproxy.replay.editing import Editable, NotEdited, editable, edited, editor_of
from tapproxy.replay.script import OwnFrame, Step, Write
from tapproxy_store.records import Frame, Stream

HEADER = b"Content-Length: 2\r\n\r\n"


def send(written: bytes, *frames: tuple[int, int, int], live: bytes | None = None) -> Send:
    """Return a write at offset 100 with frames: begin, end (in the write), size of the header."""
    stream: Stream = "out"
    own = tuple(
        OwnFrame(_frame(number, begin + 100, end + 100, header), (), written[begin:end])
        for number, (begin, end, header) in enumerate(frames, 1)
    )
    step = Step(1, 0, Write(stream, 100, written, own), ())
    return Send(stream, written if live is None else live, step)


def _frame(number: int, begin: int, end: int, header: int) -> Frame:
    terminator = "none" if header else "LF"
    return Frame(1, number, "out", begin, end, 1, 1, 0, 0, header, terminator, None)


def test_a_line_is_edited_with_its_end() -> None:
    it = editable(send(b"{}\n", (0, 3, 0)))
    assert it == Editable(b"", b"{}\n")
    assert it.joined(b"[1]\n") == b"[1]\n"
    assert it.joined(b"[1]") == b"[1]"


def test_of_a_frame_with_a_length_the_body_is_edited_and_the_length_follows() -> None:
    it = editable(send(HEADER + b"{}", (0, 23, 21)))
    assert it == Editable(HEADER, b"{}")
    assert it.joined(b'{"a":[1,2]}') == b'Content-Length: 11\r\n\r\n{"a":[1,2]}'
    assert it.joined(b"") == b"Content-Length: 0\r\n\r\n"


def test_a_length_that_was_wrong_stays_as_it_was() -> None:
    it = editable(send(b"Content-Length: 1\r\n\r\n{}", (0, 23, 21)))
    assert it.joined(b"[1]") == b"Content-Length: 1\r\n\r\n[1]"


def test_the_body_is_found_behind_a_length_that_a_live_value_has_changed() -> None:
    live = b'Content-Length: 12\r\nX: y\r\n\r\n{"id":"long"}'
    it = editable(send(b"Content-Length: 2\r\nX: y\r\n\r\n{}", (0, 29, 27), live=live))
    assert it.text == b'{"id":"long"}'


def test_a_line_end_where_none_was_is_the_editors() -> None:
    it = editable(send(HEADER + b"{}", (0, 23, 21)))
    assert it.joined(b"[]\n") == HEADER + b"[]"
    assert it.joined(b"[]\n\n") == b"Content-Length: 3\r\n\r\n[]\n"


@pytest.mark.parametrize(
    "frames",
    [[], [(0, 23, 21), (23, 46, 21)], [(0, 90, 21)], [(-10, 46, 21)]],
    ids=["no frame", "two frames", "the beginning of one", "the end of one"],
)
def test_of_anything_else_the_bytes_of_the_write_are_edited(
    frames: list[tuple[int, int, int]],
) -> None:
    data = 2 * (HEADER + b"{}")
    assert editable(send(data, *frames)) == Editable(b"", data)
    assert editable(Send("out", data, None)) == Editable(b"", data)


def test_the_users_editor_is_taken() -> None:
    assert editor_of({}) == "vi"
    assert editor_of({"EDITOR": "nano"}) == "nano"
    assert editor_of({"EDITOR": "nano", "VISUAL": "code --wait"}) == "code --wait"
    assert editor_of({"EDITOR": "", "VISUAL": ""}) == "vi"


def edit(text: bytes, editor: str) -> bytes:
    nowhere = os.open(os.devnull, os.O_RDWR)
    try:
        return anyio.run(edited, text, editor, nowhere, "step-1.json")
    finally:
        os.close(nowhere)


def test_the_file_is_ours_alone_and_goes_afterwards(tmp_path: Path) -> None:
    report = tmp_path / "report"
    code = f"""
import os, sys
path = sys.argv[-1]
told = f"{{os.stat(path).st_mode:o}} {{path}} {{open(path, 'rb').read()!r}}"
open({str(report)!r}, "w").write(told)
os.replace(path, path + "~")  # as editors do that write anew
open(path, "wb").write(b"new \\xff\\n")
"""
    program = tmp_path / "my editor.py"
    program.write_text(code, encoding="utf-8")
    assert edit(b"old \xfe\n", f"{sys.executable} '{program}'") == b"new \xff\n"
    mode, path, content = report.read_text(encoding="utf-8").split(" ", 2)
    assert stat.S_IMODE(int(mode, 8)) == 0o600
    assert (os.path.basename(path), content) == ("step-1.json", r"b'old \xfe\n'")
    assert not os.path.exists(os.path.dirname(path))


@pytest.mark.parametrize(
    ("editor", "why"),
    [
        ("false", "false ended with 1"),
        ("no-such-editor", "cannot start no-such-editor: No such file or directory"),
        ("vi 'unclosed", '"vi \'unclosed" is no command line: No closing quotation'),
        ("rm", "the file cannot be read any more: No such file or directory"),
    ],
)
def test_an_editor_that_fails_changes_nothing_and_it_is_said_why(editor: str, why: str) -> None:
    with pytest.raises(NotEdited) as failed:
        edit(b"x\n", editor)
    assert str(failed.value) == why
