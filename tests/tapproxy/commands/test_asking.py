"""What the words after `tap show` ask for."""

from pathlib import Path

import pytest

from tapproxy.commands.asking import asked, instant
from tapproxy.errors import TapError

ASKED = [
    ((), "last", "", None),
    (("last~2",), "last~2", "", None),
    (("my-plugin", "method:x", "kind:error"), "my-plugin", "method:x kind:error", None),
    (("my-plugin", "method:x or kind:error"), "my-plugin", "method:x or kind:error", None),
    (("method:tools/list",), "last", "method:tools/list", None),
    (("(kind:error", "or", "id:1)"), "last", "kind:error or id:1", None),
    (("not", "kind:heartbeat"), "last", "not kind:heartbeat", None),
    (("not kind:heartbeat",), "last", "not kind:heartbeat", None),
    (("#12",), "last", "", 12),
    (("a.tap", "#12"), "a.tap", "", 12),
    (("a.tap", "#12", "or", "#13"), "a.tap", "n:12 or n:13", None),
]


@pytest.mark.parametrize(("words", "recording", "wanted", "frame"), ASKED)
def test_words_name_a_recording_and_what_of_it_is_wanted(
    words: tuple[str, ...], recording: str, wanted: str, frame: int | None
) -> None:
    it = asked(words)
    assert (it.recording, it.wanted.text, it.frame) == (recording, wanted, frame)


def test_a_file_that_is_called_like_a_filter_is_a_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("id:1").touch()
    assert asked(("id:1", "kind:error")).recording == "id:1"


WRONG = [
    (
        ("metod:x",),
        "filter, column 1: 'metod' is no key; did you mean method? (here: [metod]:x)",
    ),
    (
        ("a.tap", "kind:error", "latency:3"),
        "filter, column 20: 3 has no unit; units are ns, us, ms, s, m, h, as in 3s "
        "(here: kind:error latency:[3])",
    ),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_an_error_shows_the_place_in_the_filter(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(TapError) as raised:
        asked(words)
    assert (str(raised.value), raised.value.exit_code) == (message, 2)


@pytest.mark.parametrize("word", ["a.log", "last", "my-plugin"])
def test_a_recording_among_the_words_of_a_filter_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.log").touch()
    (tmp_path / "recordings").mkdir()
    (tmp_path / "recordings/20261130-203005-my-plugin-1.tap").touch()
    with pytest.raises(TapError) as raised:
        asked(("kind:error", word))
    assert str(raised.value) == f"{word} is a recording: name one, and before the filter"
    with pytest.raises(TapError, match="'my' has no key"):
        asked(("kind:error", "my"))


def test_times_have_units() -> None:
    assert instant("1.5s", "--since") == 1_500_000_000
    with pytest.raises(TapError, match=r"^--since: 1\.5 has no unit; units are ns, us, "):
        instant("1.5", "--since")
    with pytest.raises(TapError, match=r"^--until: "):
        instant("", "--until")
