"""Which files are tapes."""

from pathlib import Path

import pytest

from tapproxy_store.tape import is_tape
from tests.store.nobody import as_nobody


@pytest.mark.parametrize(
    "content",
    [
        b'{"tape": 1}',
        b'\n {"name": "x", "tape": 1}\n[0',
        b'\xef\xbb\xbf{"tape": 7}\n',
    ],
)
def test_a_tape_is_told_by_its_header(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert is_tape(str(path))


@pytest.mark.parametrize(
    "content",
    [b'{"reel": 1}\n', b'{"tape": 1', b'["tape"]\n', b"SQLite format 3\0", b"\xff\xfe", b" ", b""],
)
def test_other_files_are_no_tapes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert not is_tape(str(path))


def test_a_file_that_may_not_be_read_is_no_tape(open_folder: Path) -> None:
    path = open_folder / "closed.tape"
    path.write_bytes(b'{"tape": 1}')
    path.chmod(0)
    assert as_nobody(lambda: is_tape(str(path))) is False


def test_what_is_no_file_is_no_tape(tmp_path: Path) -> None:
    assert [is_tape(str(it)) for it in (tmp_path, tmp_path / "none", "\0")] == [False] * 3
