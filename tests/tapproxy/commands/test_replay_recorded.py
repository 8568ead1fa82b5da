"""`tap replay` records itself: under a name of its own, and by modules of its own."""

from pathlib import Path

import pytest

from tapproxy.opening import opened
from tapproxy.own_path import tap_command
from tapproxy_store import locate
from tests.tapproxy.calls import Said, said
from tests.tapproxy.commands.test_replay_usage import LIST, place, replay

__all__ = ["place"]  # a fixture


def test_modules_in_the_hosts_folder_do_not_stand_in_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "host"
    folder.mkdir()
    for name in ("json", "signal", "tapproxy", "types"):
        (folder / f"{name}.py").write_text("raise SystemExit('a stranger')", encoding="utf-8")
    monkeypatch.chdir(folder)
    as_plugin = tap_command("replay", LIST, "--as", "plugin")
    both = said(tap_command("replay", LIST, "--as", "host", "--", *as_plugin))
    assert (both.code, both.err.splitlines()[0]) == (0, "same: 3 of 3")
    once = ("--record-mode", "once", "--", "true")
    assert said(tap_command("replay", "new.tape", "--as", "plugin", *once)) == Said(0, "", "")
    assert (folder / "new.tape").exists()


def test_a_replay_does_not_take_the_name_of_what_it_replays(tmp_path: Path) -> None:
    replay(LIST, "--as", "host", "-o", f"{tmp_path}/taps/20261201-000000-list-1.tap", "--", "true")
    for _ in range(2):  # the second time `list` is still the first recording
        replay("list", "--as", "host", "--", "true")
    original, *replays = [locate.session_word(it) for it in locate.recordings()][::-1]
    assert (original, replays) == ("list", ["list-replay"] * 2)
    for path in locate.recordings()[:2]:
        with opened(path) as recording:
            session = recording.session()
        assert session.name == "list-replay"
        assert session.facts["tags"]["replay-of"] == "20261201-000000-list-1"
