"""Gives the bytes of a write to the user's editor, and takes what it makes of them."""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

import anyio

from tapproxy.replay.doing import Send
from tapproxy.replay.rewriting import header_rewritten
from tapproxy.replay.script import Write
from tapproxy_store.rows import TERMINATORS
from tapproxy_store.temporary import temporary_folder

USUAL_EDITOR = "vi"

LINE_END = b"\n"


class NotEdited(Exception):
    """The bytes stay as they are; the message says why."""


@dataclass(frozen=True, slots=True)
class Editable:
    """A write as it is edited: all of it, or the body of its one Content-Length frame."""

    header: bytes
    text: bytes
    end: bytes = b""  # the frame's terminator

    def joined(self, text: bytes) -> bytes:
        """Return the write with another text.

        A Content-Length that was right stays right. A line end where none was is the editor's.
        """
        if not self.text.endswith(LINE_END):
            text = text.removesuffix(LINE_END)
        if not self.header:
            return text
        header = header_rewritten(self.header, len(self.text), len(text))
        return b"".join((header, text, self.end))


def editable(send: Send) -> Editable:
    """Return what is edited of a write."""
    write = send.step.does if send.step is not None else None
    if not isinstance(write, Write) or len(write.frames) != 1:
        return Editable(b"", send.data)
    frame = write.frames[0].frame
    is_whole = (frame.start_offset, frame.end_offset) == (write.start_offset, write.end_offset)
    if not frame.header_size or not is_whole:
        return Editable(b"", send.data)
    # of a header nothing but the digits of a length changes: its lines tell where it ends
    lines = write.data[: frame.header_size].count(LINE_END)
    begin = 0
    for _ in range(lines):
        begin = send.data.index(LINE_END, begin) + 1
    end = len(send.data) - TERMINATORS[frame.terminator]
    return Editable(send.data[:begin], send.data[begin:end], send.data[end:])


def editor_of(environment: Mapping[str, str]) -> str:
    """Return the user's editor, as a command line."""
    return environment.get("VISUAL") or environment.get("EDITOR") or USUAL_EDITOR


async def edited(text: bytes, editor: str, terminal: int, name: str) -> bytes:
    """Return what the editor makes of the text in a file that only we can read.

    `terminal` is the descriptor that the editor gets. Raises NotEdited.
    """
    with temporary_folder() as folder:
        path = os.path.join(folder, name)
        _write(path, text)
        await _run([*_words(editor), path], terminal)
        return _read(path)


def _write(path: str, text: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise NotEdited(f"the file cannot be read any more: {error.strerror}") from error


async def _run(command: list[str], terminal: int) -> None:
    try:
        done = await anyio.run_process(
            command, stdin=terminal, stdout=terminal, stderr=terminal, check=False
        )
    except OSError as error:
        raise NotEdited(f"cannot start {command[0]}: {error.strerror}") from error
    if done.returncode:
        raise NotEdited(f"{command[0]} ended with {done.returncode}")


def _words(editor: str) -> list[str]:
    try:
        return shlex.split(editor) or [USUAL_EDITOR]
    except ValueError as error:
        raise NotEdited(f"{editor!r} is no command line: {error}") from error
