"""Where `tap replay` records itself: in a file, or in a folder that is there or will be."""

from pathlib import Path

from tapproxy_store import locate
from tests.tapproxy.calls import Said
from tests.tapproxy.commands.test_replay_usage import LIST, place, replay

__all__ = ["place"]  # a fixture


def test_a_slash_in_the_end_names_a_folder_and_the_report_the_file_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "replays"
    for _ in range(2):  # the second time it is there
        done = replay(LIST, "--as", "host", "-o", f"{folder}/", "--", "true")
        newest = locate.recordings(str(folder))[0]
        assert locate.session_word(newest) == "list-replay"
        assert f"recordedas{newest}" in "".join(done.err.split())
    done = replay(LIST, "--as", "host", "-o", str(folder), "--", "true")
    assert len(locate.recordings(str(folder))) == 3


def test_a_plugin_is_recorded_once_where_no_folder_of_recordings_is_yet(tmp_path: Path) -> None:
    tape = tmp_path / "new.tape"
    once = ("--as", "plugin", "--record-mode", "once", "--", "true")
    assert replay(str(tape), *once) == Said(0, "", "")
    assert tape.exists()
    assert [locate.session_word(it) for it in locate.recordings()] == ["true"]
