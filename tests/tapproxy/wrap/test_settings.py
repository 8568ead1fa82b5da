"""Settings files: whatever is written is read again, and nothing else is taken for one."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapproxy.wrap.settings import KEYS, Settings, Unreadable, decoded, read

names = st.from_regex(r"[a-z][a-z-]*", fullmatch=True)
paths = st.binary(max_size=40).map(lambda data: data.decode("utf-8", "surrogateescape"))
values = st.lists(paths, min_size=1, max_size=3).map(tuple)


@given(st.dictionaries(names, values), st.sampled_from(["record", "replay", "off"]))
def test_what_is_written_is_read_again(told: dict[str, tuple[str, ...]], mode: str) -> None:
    settings = Settings({**told, "mode": (mode,)})
    assert decoded(settings.encoded()).values == settings.values


@given(st.binary())
def test_any_other_bytes_are_refused_or_read(data: bytes) -> None:
    for start in (b"", b"tap wrap 1\n", b"tap wrap 1\nmode off\n"):
        try:
            settings = decoded(start + data)
        except Unreadable:
            continue
        assert settings.mode in ("record", "replay", "off")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"tap wrap 1",
        b"tap wrap 1\n",
        b"tap wrap 2\nmode off\n",
        b"tap wrap 1\nmode of",
        b"tap wrap 1\nmode off\nname",
        b"tap wrap 1\nmode sometimes\n",
        b"tap wrap 1\nmode off\nlonely\n",
        b"tap wrap 1\nmode off\nname %zz\n",
    ],
)
def test_what_is_cut_or_foreign_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        decoded(data)


def test_the_file_is_made_for_eyes_and_for_a_shell(tmp_path: Path) -> None:
    path = tmp_path / "settings"
    settings = Settings({"mode": ("replay",), "name": ("a b",), "keep": ("100", "1 GB")})
    path.write_bytes(settings.encoded())
    assert path.read_text() == "tap wrap 1\nmode replay\nname a b\nkeep 100\nkeep 1 GB\n"
    told = read(str(path))
    assert (told.mode, told.one("name"), told.all("keep")) == ("replay", "a b", ("100", "1 GB"))
    assert (told.one("only"), told.all("redact")) == ("", ())
    assert set(told.values) <= set(KEYS)


def test_changes_keep_what_they_do_not_name() -> None:
    settings = Settings({"mode": ("record",), "keep": ("9",), "of-a-newer-tap": ("x", "y")})
    changed = settings.but(mode="off", name="it", keep="")
    assert changed.values == {"mode": ("off",), "name": ("it",), "of-a-newer-tap": ("x", "y")}
