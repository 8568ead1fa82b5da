"""Whatever a configuration is like: only the entry changes, and it can be changed back."""

import random
import tomllib
from typing import Any, Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tapproxy.replay.spelling import HANDS
from tests.tapproxy.wrap.configs.samples import REPLAY, run_words, text_of, unwrapped, wrapped
from tests.tapproxy.wrap.configs.spelling import COMMANDS, ENTRIES, documents, jsonc, meant, toml

quick = settings(max_examples=100, deadline=None)  # a busy machine is no failure


Way = Literal["record", "replay"]
WAYS: st.SearchStrategy[Way] = st.sampled_from(["record", "replay"])


def behind_tap(entry: dict[str, Any], name: str, *, replay: bool) -> dict[str, Any]:
    """Return what an entry should be with tap before it."""
    if replay:
        return {**entry, "command": REPLAY[0], "args": list(REPLAY[1:])}
    words = [*run_words(name), entry["command"], *entry.get("args", [])]
    return {**entry, "command": words[0], "args": words[1:]}


@quick
@given(documents(), HANDS, WAYS)
def test_of_any_json_only_the_entry_changes_and_comes_back(
    value: dict[str, Any], hand: random.Random, way: Way
) -> None:
    before = jsonc(value, hand)
    assert meant(before) == value
    name = hand.choice(list(value["mcpServers"]))
    text = text_of("mcp", "any.json", before)
    own = text.server(name)
    after, change = wrapped(text, name, replay=way == "replay")
    entry = behind_tap(value["mcpServers"][name], name, replay=way == "replay")
    assert meant(after.document.text) == {
        **value,
        "mcpServers": {**value["mcpServers"], name: entry},
    }
    assert own is not None
    assert unwrapped(after, name, change, own.words).document.text == before


@quick
@given(
    st.dictionaries(st.text("ab.-ü", min_size=1, max_size=3), ENTRIES, min_size=1, max_size=3),
    HANDS,
    WAYS,
)
def test_of_any_toml_only_the_entry_changes_and_comes_back(
    servers: dict[str, Any], hand: random.Random, way: Way
) -> None:
    before = toml(servers, hand)
    value = tomllib.loads(before)
    name = hand.choice(list(servers))
    text = text_of("codex", "config.toml", before)
    own = text.server(name)
    after, change = wrapped(text, name, replay=way == "replay")
    value["mcp_servers"][name] = behind_tap(
        value["mcp_servers"][name], name, replay=way == "replay"
    )
    assert tomllib.loads(after.document.text) == value
    assert own is not None
    assert unwrapped(after, name, change, own.words).document.text == before


@quick
@given(COMMANDS, st.sampled_from([" ", "\n    ", " --[[ , } ]] ", " -- }\n"]), WAYS)
def test_of_any_lua_list_only_the_list_changes_and_comes_back(
    words: list[str], between: str, way: Way
) -> None:
    texts = ["'" + it.translate({39: "\\'", 92: "\\\\", 10: "\\n"}) + "'" for it in words]
    listed = "{" + between + f",{between}".join(texts) + between + "}"
    before = f'local x = {{}} vim.lsp.config("it", {{ cmd = {listed}, root = x }}) -- end'
    text = text_of("neovim", "init.lua", before)
    after, change = wrapped(text, "it", replay=way == "replay")
    server = after.server("it")
    assert server is not None
    assert server.words == (REPLAY if way == "replay" else (*run_words("it"), *words))
    assert unwrapped(after, "it", change, tuple(words)).document.text == before


@quick
@given(documents(), HANDS)
def test_an_entry_that_a_client_has_written_anew_loses_tap_alone(
    value: dict[str, Any], hand: random.Random
) -> None:
    name = hand.choice(list(value["mcpServers"]))
    text = text_of("mcp", "any.json", jsonc(value, hand))
    own = text.server(name)
    after, change = wrapped(text, name)
    anew = text_of("mcp", "any.json", jsonc(meant(after.document.text), hand))
    assert own is not None
    back = meant(unwrapped(anew, name, change, own.words).document.text)
    entry = back["mcpServers"][name]
    assert (entry["command"], *entry.get("args", [])) == own.words
    without = {key: it for key, it in entry.items() if key != "args"}
    assert without == {k: it for k, it in value["mcpServers"][name].items() if k != "args"}
    assert {**back, "mcpServers": 0} == {**value, "mcpServers": 0}
