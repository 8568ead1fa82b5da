"""Servers of a file on the disk are wrapped, switched and unwrapped; in between, all is kept."""

import os
import sys
from pathlib import Path

import pytest

from tapproxy.wrap.configs.kind import findings, mode, switch, unwrap
from tapproxy.wrap.configs.wrapping import wrap_config
from tapproxy.wrap.modes import Mode
from tests.tapproxy.wrap.configs.acts import MODULE, TAP, around, entry, words, wrap
from tests.tapproxy.wrap.configs.conftest import CONFIG, Acting
from tests.tapproxy.wrap.configs.samples import SAMPLES, Sample


def test_a_wrapped_server_is_started_through_tap_and_an_unwrapped_one_as_before(
    config: Path, acting: Acting, said: list[str], tmp_path: Path
) -> None:
    act = acting()
    wrap(config, act, "time")
    folder = tmp_path / "recordings"
    run = (TAP, *MODULE, "run", "-o", f"{folder}/", "--name", "time", "--keep", "default", "--")
    assert words(config) == (*run, "uvx", "mcp-server-time")
    assert folder.is_dir()
    assert mode(entry(act)) == "record"
    unwrap(entry(act), act)
    assert config.read_text() == CONFIG
    assert around(config) == {"mcp.json"}
    assert act.registry.entries() == []
    assert said == [
        f"time (Cursor): recorded from its next start on, in {folder}",
        f"`tap unwrap --config {config} --server time` undoes it; "
        f"the file as it was: {config}.before-tap",
        f"time (Cursor) is started as before tap: {config}",
    ]


def test_a_second_wrap_changes_nothing(config: Path, acting: Acting, said: list[str]) -> None:
    act = acting()
    wrap(config, act, "time")
    before = (config.read_bytes(), os.stat(config).st_ino, act.registry.entries())
    said.clear()
    wrap(config, act, "time")
    assert (config.read_bytes(), os.stat(config).st_ino, act.registry.entries()) == before
    assert [it.endswith("(as before)") for it in said] == [True]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda it: it.name)
def test_files_of_all_clients_are_wrapped_once_and_restored_to_the_byte(
    sample: Sample, tmp_path: Path, acting: Acting
) -> None:
    path = tmp_path / "home" / sample.place
    path.parent.mkdir(parents=True)
    path.write_bytes(sample.before.encode())
    act = acting()
    wrap(path, act, sample.server)
    wrapped = path.read_bytes()
    wrap(path, act, sample.server, mode=Mode("record"))
    assert path.read_bytes() == wrapped != sample.before.encode()
    wrap(path, act, sample.server, mode=Mode("replay", "/r.tap"))
    assert path.read_bytes() not in (wrapped, sample.before.encode())
    unwrap(entry(act, sample.server), act)
    assert path.read_bytes() == sample.before.encode()
    assert around(path) == {path.name}


def test_rules_of_redaction_stay_until_others_are_given(config: Path, acting: Acting) -> None:
    act = acting()

    def rules(mode: Mode | None = None, **options: object) -> list[str]:
        wrap_config(str(config), ["time"], mode, act, options)
        found = words(config)
        return [it for at, it in enumerate(found) if found[at - 1] == "--redact"]

    assert rules(redact=("all", "key:id")) == ["all", "key:id"]
    assert rules() == ["all", "key:id"]
    assert rules(Mode("off")) == []
    assert rules(Mode("record")) == ["all", "key:id"]
    assert rules(redact=("email",)) == ["email"]
    assert rules(redact=()) == []
    unwrap(entry(act), act)
    assert config.read_text() == CONFIG


def test_options_of_tap_that_somebody_has_added_stay_until_the_mode_is_switched(
    config: Path, acting: Acting, said: list[str]
) -> None:
    act = acting()
    wrap(config, act, "time")
    ours = config.read_text().replace('"--",', '"--redact", "all", "--",')
    config.write_text(ours)
    wrap_config(str(config), ["time"], None, act, {})
    assert config.read_text() == ours
    wrap_config(str(config), [], None, act, {})
    assert "  time   wrapped, mode record" in said
    unwrap(entry(act), act)
    assert config.read_text() == CONFIG


def test_the_backup_is_for_its_owner_alone_and_the_file_keeps_its_mode(
    config: Path, acting: Acting
) -> None:
    wrap(config, acting(), "time")
    backup = config.with_name("mcp.json.before-tap")
    assert backup.read_text() == CONFIG
    assert [os.stat(it).st_mode & 0o777 for it in (config, backup)] == [0o640, 0o600]


def test_a_mode_is_switched_without_unwrapping(config: Path, acting: Acting) -> None:
    act = acting()
    wrap(config, act, "time")
    recorded = config.read_text()
    switch(entry(act), Mode("replay", "/r/bug.tap"), act)
    replayed = (TAP, *MODULE, "replay", "/r/bug.tap", "--as", "plugin", "--keep", "default")
    assert words(config) == replayed
    assert mode(entry(act)) == "replay /r/bug.tap"
    switch(entry(act), Mode("off"), act)
    assert config.read_text() == CONFIG
    assert mode(entry(act)) == "off"
    wrap(config, act, "time")
    assert config.read_text() == CONFIG
    wrap(config, act, "time", mode=Mode("record"))
    assert config.read_text() == recorded
    unwrap(entry(act), act)
    assert config.read_text() == CONFIG


def test_servers_of_one_file_come_and_go_in_any_order(config: Path, acting: Acting) -> None:
    act = acting()
    wrap(config, act, "time", "notes")
    unwrap(entry(act, "time"), act)
    assert words(config, "time") == ("uvx", "mcp-server-time")
    assert words(config, "notes")[-2:] == ("--", "node")
    assert around(config) == {"mcp.json", "mcp.json.before-tap"}
    unwrap(entry(act, "notes"), act)
    assert config.read_text() == CONFIG
    assert around(config) == {"mcp.json"}


def test_the_real_file_is_written_where_its_name_is_a_link(
    config: Path, acting: Acting, tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles/cursor.json"
    real.parent.mkdir()
    os.rename(config, real)
    config.symlink_to(real)
    act = acting()
    wrap(config, act, "time")
    assert config.is_symlink()
    assert entry(act).path == str(real)
    assert around(real) == {"cursor.json", "cursor.json.before-tap"}
    unwrap(entry(act), act)
    assert (config.is_symlink(), real.read_text()) == (True, CONFIG)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file to somebody else")
def test_the_file_keeps_its_owner(config: Path, acting: Acting) -> None:
    os.chown(config, 12345, 54321)
    wrap(config, acting(), "time")
    told = os.stat(config)
    assert (told.st_uid, told.st_gid, told.st_mode & 0o777) == (12345, 54321, 0o640)
    assert around(config) == {"mcp.json", "mcp.json.before-tap"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such attributes")
def test_the_file_keeps_its_attributes(config: Path, acting: Acting) -> None:
    try:
        os.setxattr(config, "user.kept", b"value")
    except OSError:
        pytest.skip("this file system has none")
    act = acting()
    wrap(config, act, "time")
    assert os.getxattr(config, "user.kept") == b"value"
    assert around(config) == {"mcp.json", "mcp.json.before-tap"}
    unwrap(entry(act), act)
    assert os.getxattr(config, "user.kept") == b"value"
    assert config.read_text() == CONFIG


def test_what_else_was_changed_meanwhile_stays_and_so_does_the_backup(
    config: Path, acting: Acting, said: list[str]
) -> None:
    act = acting()
    wrap(config, act, "time")
    config.write_text(config.read_text().replace("// mine", "// ours"))
    unwrap(entry(act), act)
    assert config.read_text() == CONFIG.replace("// mine", "// ours")
    assert around(config) == {"mcp.json", "mcp.json.before-tap"}
    assert said[-2].startswith(f"{config}.before-tap stays, as ")


def test_an_older_backup_is_not_overwritten(config: Path, acting: Acting) -> None:
    older = config.with_name("mcp.json.before-tap")
    older.write_text("older")
    act = acting()
    wrap(config, act, "time")
    assert around(config) == {"mcp.json", older.name, older.name + "~2"}
    unwrap(entry(act), act)
    assert (around(config), older.read_text()) == ({"mcp.json", older.name}, "older")


def test_an_entry_that_its_client_has_set_back_is_wrapped_again(
    config: Path, acting: Acting
) -> None:
    act = acting()
    wrap(config, act, "time")
    wrapped = config.read_text()
    config.write_text(CONFIG)
    [changed] = [it for it in findings(entry(act)) if not it.ok]
    assert (
        changed.what == f"time (Cursor) goes no longer through tap: somebody has changed {config}"
    )
    wrap(config, act, "time")
    assert config.read_text() == wrapped


def test_a_server_that_is_gone_is_forgotten(config: Path, acting: Acting, said: list[str]) -> None:
    act = acting()
    wrap(config, act, "time")
    config.write_text('{"mcpServers": {}}')
    unwrap(entry(act), act)
    assert act.registry.entries() == []
    assert f"{config} has no server time any more: there was nothing to restore" in said
    assert config.read_text() == '{"mcpServers": {}}'
