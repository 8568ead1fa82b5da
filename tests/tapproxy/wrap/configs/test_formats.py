"""Each client's files, before and after: all but the one entry stays as it was, to the byte."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tapproxy.wrap.configs.changing import restored, stored
from tapproxy.wrap.configs.formats import FORMATS
from tapproxy.wrap.configs.reading import read_config
from tapproxy.wrap.configs.words import goes_through_tap
from tests.tapproxy.wrap.configs.samples import (
    FOLDER,
    SAMPLES,
    Sample,
    sample_text,
    text_of,
    unwrapped,
    wrapped,
)

each = pytest.mark.parametrize("sample", SAMPLES, ids=lambda it: it.name)

DRESSES: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "with CR LF": lambda text: text.replace("\n", "\r\n"),
    "with a byte order mark": lambda text: "\ufeff" + text,
    "without a last line end": lambda text: text.rstrip("\n"),
    "with empty lines at its end": lambda text: text + "\n\n",
}


@each
@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES)
def test_a_server_is_put_behind_tap_and_nothing_else_changes(
    sample: Sample, dress: Callable[[str], str]
) -> None:
    after, _ = wrapped(sample_text(sample, dress(sample.before)), sample.server)
    assert after.document.text == dress(sample.after)


@each
@pytest.mark.parametrize("replay", [False, True], ids=["record", "replay"])
@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES)
def test_and_comes_out_again_to_the_byte(
    sample: Sample, dress: Callable[[str], str], *, replay: bool
) -> None:
    text = sample_text(sample, dress(sample.before))
    own = text.server(sample.server)
    assert own is not None
    after, change = wrapped(text, sample.server, replay=replay)
    kept = restored(stored(change))
    assert unwrapped(after, sample.server, kept, own.words).document == text.document


@each
def test_what_is_behind_tap_is_known_by_its_words(sample: Sample) -> None:
    before, after = sample_text(sample), sample_text(sample, sample.after)
    for text, expected in ((before, False), (after, True)):
        server = text.server(sample.server)
        assert server is not None
        assert goes_through_tap(server.words) is expected


@each
def test_a_file_is_known_by_its_place_and_else_by_what_is_in_it(
    sample: Sample, tmp_path: Path
) -> None:
    for place in (sample.place, f"elsewhere/lsp/ruff{Path(sample.place).suffix}"):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((FOLDER / f"{sample.name}.before").read_bytes())
        found = read_config(str(path))
        assert sample.server in [it.key for it in found.servers]
        assert found.format.language is sample_text(sample).form.language
    assert read_config(str(tmp_path / sample.place)).format.name == sample.form


def test_every_format_has_a_sample() -> None:
    assert {it.form for it in SAMPLES} == {it.name for it in FORMATS}
    names = {path.stem for path in FOLDER.glob("*.*")}
    assert names == {it.name for it in SAMPLES}


def listed(form: str, path: str, content: str) -> list[tuple[str, tuple[str, ...] | str]]:
    """Return the servers of a text, with their words or what keeps tap from them."""
    text = text_of(form, path, content)
    return [(it.key, it.words or it.obstacle) for it in text.form.find(text.document, path)]


NETWORK = "no program is started whose stdin and stdout tap could record"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ('{"command": "a", "args": ["b"]}', ("a", "b")),
        ('{"command": "a", "args": null}', "has arguments that are no list of texts"),
        ('{"command": "a", "args": ["b", 1]}', "has arguments that are no list of texts"),
        ('{"command": 5}', "has a command that is no text"),
        (r'{"command": "\ud83d"}', "has half of a character in its name or command"),
        ('{"command": ""}', "has a command that is no text"),
        ('{"args": ["b"]}', "names no command"),
        ("{}", "names no command"),
        (
            '{"url": "https://u:p@a.example/x?key=secret"}',
            f"is reached over the network at a.example: {NETWORK}",
        ),
        ('{"serverUrl": "${URL}"}', f"is reached over the network: {NETWORK}"),
        ('{"command": "a", "command": "b"}', ("b",)),
    ],
)
def test_an_entry_says_what_is_started_or_what_is_in_the_way(
    entry: str, words: tuple[str, ...] | str
) -> None:
    content = f'{{"mcpServers": {{"it": {entry}}}}}'
    assert listed("mcp", "any.json", content) == [("it", words)]


def test_servers_of_projects_are_told_apart_by_their_folders() -> None:
    sample = next(it for it in SAMPLES if it.name == "claude-code-user")
    assert listed("claude-code", sample.place, sample.before) == [
        ("time", ("node", "time.js")),
        ("time@/home/me/work", ("uvx", "mcp-server-time")),
    ]


def test_in_lua_only_what_cannot_be_anything_else_is_a_server() -> None:
    sample = next(it for it in SAMPLES if it.name == "neovim")
    assert listed("neovim", sample.place, sample.before) == [
        ("clangd", ("clangd", "--background-index")),
        ("lua_ls", ("lua-language-server",)),
        ("gopls", ("gopls", "serve")),
        ("own", "has a command that is no plain list of texts"),
    ]


def test_a_table_that_a_lua_file_returns_is_a_server_only_among_those_of_neovim() -> None:
    plugin = 'return { cmd = { "Git" } }'
    assert listed("neovim", "lsp/git.lua", plugin) == [("git", ("Git",))]
    assert listed("neovim", "lua/plugins/git.lua", plugin) == []


def test_what_is_at_the_end_of_toml_without_a_line_end_has_none_afterwards() -> None:
    text = text_of("codex", "config.toml", '[mcp_servers.it]\r\ncommand = "a"')
    after, change = wrapped(text, "it")
    lines = after.document.text.split("\r\n")
    assert [it.partition(" =")[0] for it in lines] == ["[mcp_servers.it]", "command", "args"]
    assert unwrapped(after, "it", change, ("a",)).document == text.document
