"""An entry that somebody has changed, or written anew, since tap was put before it."""

import json

import pytest

from tapproxy.wrap.configs.changing import CannotChange
from tests.tapproxy.wrap.configs.samples import TAP, text_of, unwrapped, wrapped

CHANGED_SINCE = {
    "an argument more": (',\n    "b"', ', "b", "--more"', ("a", "b", "--more")),
    "another variable": ('"K": "v"', '"K": "w"', ("a", "b")),
    "another layout": ("\n    ", " ", ("a", "b")),
    "an option of tap's": ('"--",', '"--tag", "x=--", "--",', ("a", "b")),
    "the two dashes": ('"--",', "", ("a", "b")),
}


@pytest.mark.parametrize(("old", "new", "words"), CHANGED_SINCE.values(), ids=CHANGED_SINCE)
def test_what_was_changed_since_stays_when_tap_is_taken_out(
    old: str, new: str, words: tuple[str, ...]
) -> None:
    content = """{"mcpServers": {"it": {
  "command": "a",
  "args": [
    "b"
  ],
  "env": {"K": "v"}
}}}"""
    after, change = wrapped(text_of("mcp", "any.json", content), "it")
    since = text_of("mcp", "any.json", after.document.text.replace(old, new))
    back = unwrapped(since, "it", change, ("a", "b"))
    server = back.server("it")
    assert server is not None
    assert server.words == words
    assert server.variables == {"K": "w" if '"w"' in new else "v"}


def test_words_of_tap_that_somebody_has_changed_are_left_alone() -> None:
    after, change = wrapped(
        text_of("mcp", "a.json", '{"mcpServers": {"it": {"command": "a"}}}'), "it"
    )
    since = text_of("mcp", "a.json", after.document.text.replace(TAP, "/other/tap"))
    with pytest.raises(CannotChange):
        unwrapped(since, "it", change, ("a",))


def compact(text: str) -> str:
    """Write JSON as short as can be."""
    return json.dumps(json.loads(text), separators=(",", ":"))


def wide(text: str) -> str:
    """Write JSON with a line for each value."""
    return json.dumps(json.loads(text), indent=1)


ENTRIES = {
    "with arguments": '{"command": "a", "args": ["b", "c"]}',
    "without arguments": '{"command": "a"}',
    "with other members": '{"command": "a", "env": {}, "args": ["b"]}',
}


@pytest.mark.parametrize("replay", [False, True], ids=["record", "replay"])
@pytest.mark.parametrize("anew", [compact, wide], ids=["compact", "wide"])
@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_json_that_a_client_has_written_anew_is_as_before_but_for_its_layout(
    entry: str, anew: type[str], *, replay: bool
) -> None:
    content = f'{{"mcpServers": {{"it": {entry}}}}}'
    text = text_of("mcp", "any.json", content)
    own = text.server("it")
    assert own is not None
    after, change = wrapped(text, "it", replay=replay)
    since = text_of("mcp", "any.json", anew(after.document.text))
    back = unwrapped(since, "it", change, own.words).document.text
    assert json.loads(back) == json.loads(content)


@pytest.mark.parametrize("replay", [False, True], ids=["record", "replay"])
@pytest.mark.parametrize(
    ("form", "path", "content", "layout"),
    [
        ("codex", "a.toml", '[mcp_servers.it]\ncommand = "a"\nargs = ["b"]\n', ('", "', '",  "')),
        ("codex", "a.toml", '[mcp_servers.it]\ncommand = "a"\n', ("args = [", "args = [ ")),
        ("neovim", "a.lua", 'vim.lsp.config("it", {cmd = {"a", "b"}})', ('", "', '",  "')),
    ],
)
def test_toml_and_lua_that_were_laid_out_anew_have_the_same_words_as_before(
    form: str, path: str, content: str, layout: tuple[str, str], *, replay: bool
) -> None:
    text = text_of(form, path, content)
    own = text.server("it")
    assert own is not None
    after, change = wrapped(text, "it", replay=replay)
    since = text_of(form, path, after.document.text.replace(*layout))
    back = unwrapped(since, "it", change, own.words).server("it")
    assert back is not None
    assert back.words == own.words


def test_a_recording_that_is_played_with_more_arguments_is_left_alone() -> None:
    content = '{"mcpServers": {"it": {"command": "a"}}}'
    after, change = wrapped(text_of("mcp", "a.json", content), "it", replay=True)
    since = text_of("mcp", "a.json", after.document.text.replace('"plugin"', '"plugin", "-x"'))
    with pytest.raises(CannotChange):
        unwrapped(since, "it", change, ("a",))
