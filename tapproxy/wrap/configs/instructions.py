"""Lines to paste where a file is a program: what tap cannot put there itself without a risk."""

from collections.abc import Sequence

from tapproxy.wrap.configs.lua import LUA


def instructions(name: str, words: Sequence[str], *, instead: bool) -> list[str]:
    """Return Lua that has Neovim start a server by these words, its own after them.

    `vim.lsp.config` gives what all configurations of a server come to (Neovim 0.11 and later,
    `:help vim.lsp.config()`); a command that is a function cannot be started through tap.
    """
    server = LUA.literal(name)
    ours = "{ " + ", ".join(map(LUA.literal, words)) + " }"
    if instead:
        return [f"vim.lsp.config({server}, {{ cmd = {ours} }})"]
    return [
        f"vim.lsp.config({server}, {{",
        f"  cmd = vim.list_extend({ours}, vim.lsp.config[{server}].cmd),",
        "})",
    ]
