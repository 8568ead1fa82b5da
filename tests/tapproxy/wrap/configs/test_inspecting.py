"""What is wrapped is looked at: has the file still what was written there, can it start."""

import sys
from pathlib import Path

import pytest

from tapproxy.wrap.configs.kind import findings
from tapproxy.wrap.kinds import Act
from tapproxy.wrap.modes import Mode
from tests.tapproxy.wrap.configs.acts import TAP, entry, wrap
from tests.tapproxy.wrap.configs.conftest import CONFIG, Acting


def seen(act: Act) -> list[tuple[bool, str]]:
    """Return what `tap doctor` finds."""
    return [(it.ok, it.what) for it in findings(entry(act))]


def test_what_is_wrapped_and_what_of_it_is_missing_is_found(
    config: Path, acting: Acting, tmp_path: Path
) -> None:
    config.write_text(CONFIG.replace('"uvx"', '"/bin/sh"'))
    act = acting()
    wrap(config, act, "time")
    has = f"time (Cursor): {config} has it, mode"
    assert seen(act) == [(True, f"{has} record")]
    config.write_text(config.read_text().replace('"mcp-server-time"', '"mcp-server-time", "-v"'))
    assert seen(act) == [(True, f"{has} record")]
    (tmp_path / "recordings").rmdir()  # which the next session makes again
    assert seen(act) == [(True, f"{has} record")]
    recording = tmp_path / "a.tap"
    wrap(config, act, "time", mode=Mode("replay", str(recording)))
    gone = f"time (Cursor) is to be played from {recording}, which is gone"
    assert seen(act) == [(True, f"{has} replay {recording}"), (False, gone)]
    config.unlink()
    [(ok, what)] = seen(act)
    assert (ok, what.startswith(f"there is no {config}")) == (False, True)


def test_a_program_that_is_not_in_this_path_is_told(
    config: Path, acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    act = acting()
    wrap(config, act, "time")
    monkeypatch.setenv("PATH", str(config.parent))
    told = "uvx, which time (Cursor) starts, is not found in this shell's PATH"
    assert seen(act)[1:] == [(False, told)]


def test_an_entry_that_was_changed_or_taken_away_is_told(config: Path, acting: Acting) -> None:
    act = acting()
    wrap(config, act, "time")
    wrapped = config.read_text()
    config.write_text(wrapped.replace(TAP, "/other/tap"))
    changed = "time (Cursor) goes through tap, but not as tap has written it"
    assert seen(act) == [(False, changed)]
    config.write_text('{"mcpServers": {}}')
    assert seen(act) == [(False, f"{config} has no server time any more")]


def test_a_tap_that_is_gone_is_told(
    config: Path, acting: Acting, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config.write_text(CONFIG.replace('"uvx"', '"/bin/sh"'))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(tmp_path / "gone/python"))
        wrap(config, acting(), "time")
    gone = f"time (Cursor) cannot start: {tmp_path}/gone/python is gone (was tap moved?)"
    assert seen(acting())[1:] == [(False, gone)]
    wrap(config, acting(), "time")
    assert seen(acting())[1:] == []
