"""What cannot be wrapped, or no longer be unwrapped, is left as it is, and the reason is told."""

from pathlib import Path

import pytest

from tapproxy.wrap.configs.kind import unwrap
from tapproxy.wrap.errors import WrapError
from tapproxy.wrap.files import Files
from tapproxy.wrap.modes import Mode
from tests.tapproxy.wrap.configs.acts import MODULE, TAP, around, entry, wrap
from tests.tapproxy.wrap.configs.conftest import CONFIG, Acting


def test_an_entry_with_other_words_of_tap_is_left_alone_unless_forced(
    config: Path, acting: Acting
) -> None:
    act = acting()
    wrap(config, act, "time")
    changed = config.read_text().replace(TAP, "/other/tap")
    config.write_text(changed)
    with pytest.raises(WrapError) as raised:
        unwrap(entry(act), act)
    assert str(raised.value) == (
        "time (Cursor) is left as it is: its arguments are not what tap wrote there; "
        f"edit {config} yourself; how it was: {config}.before-tap "
        "(--force: forget it, and leave the file)"
    )
    unwrap(entry(act), acting(force=True))
    assert (config.read_text(), act.registry.entries()) == (changed, [])


def test_what_goes_through_tap_by_hand_is_left_as_it_is(
    config: Path, acting: Acting, said: list[str]
) -> None:
    by_hand = CONFIG.replace('"uvx", "args": [', '"tap", "args": ["run", "uvx", ')
    config.write_text(by_hand)
    act = acting()
    wrap(config, act, "time")
    assert (config.read_text(), act.registry.entries()) == (by_hand, [])
    assert said == [f"time in {config} goes through tap already: left as it is"]


class Interrupted(Files):
    """Lets another program write the file just before it is replaced."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, path: str, data: bytes, mode: int = 0o600) -> None:
        """Write; and after the backup, somebody else does."""
        super().write(path, data, mode)
        if path.endswith(".before-tap"):
            self._path.write_text(CONFIG + "// by its client\n")


def test_a_file_that_its_client_writes_meanwhile_is_left_to_it(
    config: Path, acting: Acting
) -> None:
    act = acting(Interrupted(config))
    with pytest.raises(WrapError) as raised:
        wrap(config, act, "time")
    assert str(raised.value) == f"{config} was changed by another program just now; try again"
    assert config.read_text() == CONFIG + "// by its client\n"
    assert act.registry.entries() == []


REFUSED = {
    "far": "far in {} is reached over the network at example.com: no program is started whose "
    "stdin and stdout tap could record",
    "tim": "{} has no server tim; did you mean time?",
}


@pytest.mark.parametrize(("server", "message"), REFUSED.items())
def test_a_server_that_cannot_be_wrapped_says_why(
    server: str, message: str, config: Path, acting: Acting
) -> None:
    act = acting()
    with pytest.raises(WrapError) as raised:
        wrap(config, act, server)
    assert str(raised.value) == message.format(config)
    assert (around(config), act.registry.entries()) == ({"mcp.json"}, [])


def test_a_command_that_only_the_client_can_read_is_refused(config: Path, acting: Acting) -> None:
    config.write_text(CONFIG.replace('"uvx"', '"~/bin/uvx"'))
    with pytest.raises(WrapError) as raised:
        wrap(config, acting(), "time")
    assert str(raised.value) == (
        f"time in {config} has a command with ~, which only its client can read: write the whole "
        "path there first"
    )


def test_what_is_not_wrapped_cannot_be_switched_off(config: Path, acting: Acting) -> None:
    with pytest.raises(WrapError) as raised:
        wrap(config, acting(), "time", mode=Mode("off"))
    assert str(raised.value) == f"time in {config} is not wrapped: there is nothing to switch off"


LUA = 'vim.lsp.config("own", { cmd = find() })\n'


@pytest.mark.parametrize("server", ["own", "clangd"])
def test_lua_that_is_no_plain_list_gets_lines_to_paste(
    server: str, tmp_path: Path, acting: Acting, said: list[str]
) -> None:
    config = tmp_path / "init.lua"
    config.write_text(LUA)
    with pytest.raises(WrapError) as raised:
        wrap(config, acting(), server)
    assert str(raised.value) == (
        f"{config} has no plain list of texts as the command of {server}, so it is left as it is: "
        "paste these lines after what configures the server"
    )
    run = (
        TAP,
        *MODULE,
        "run",
        "-o",
        f"{tmp_path}/recordings/",
        "--name",
        server,
        "--keep",
        "default",
        "--",
    )
    listed = ", ".join(f'"{it}"' for it in run)
    assert said == [
        f'vim.lsp.config("{server}", {{',
        f'  cmd = vim.list_extend({{ {listed} }}, vim.lsp.config["{server}"].cmd),',
        "})",
    ]
    assert config.read_text() == LUA


def test_a_name_that_is_nearly_a_server_s_gets_no_lines_to_paste(
    tmp_path: Path, acting: Acting, said: list[str]
) -> None:
    config = tmp_path / "init.lua"
    config.write_text(LUA)
    with pytest.raises(WrapError) as raised:
        wrap(config, acting(), "onw")
    assert (str(raised.value), said) == (f"{config} has no server onw; did you mean own?", [])


def test_lines_to_paste_for_a_replay_need_no_command_of_the_server(
    tmp_path: Path, acting: Acting, said: list[str]
) -> None:
    config = tmp_path / "init.lua"
    config.write_text(LUA)
    with pytest.raises(WrapError):
        wrap(config, acting(), "own", mode=Mode("replay", "/r.tap"))
    replayed = (TAP, *MODULE, "replay", "/r.tap", "--as", "plugin", "--keep", "default")
    words = ", ".join(f'"{it}"' for it in replayed)
    assert said == [f'vim.lsp.config("own", {{ cmd = {{ {words} }} }})']
