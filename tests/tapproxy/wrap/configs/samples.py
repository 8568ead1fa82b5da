"""Files of all formats before and after a server in them was put behind tap: fixtures/configs."""

from dataclasses import dataclass

from tapproxy.wrap.configs.changing import Change, Text, put_in, take_out
from tapproxy.wrap.configs.formats import FORMATS
from tests.conftest import ROOT

FOLDER = ROOT / "fixtures/configs"

TAP = "/opt/tap/bin/tap"
RECORDINGS = "/home/me/.local/share/tap/recordings"
REPLAY = (TAP, "replay", "/home/me/bug.tap", "--as", "plugin")


@dataclass(frozen=True, slots=True)
class Sample:
    """A fixture: its file's place, whose it is, and the server that is put behind tap."""

    name: str
    place: str
    form: str
    server: str

    @property
    def before(self) -> str:
        """Return the file as people have it."""
        return (FOLDER / f"{self.name}.before").read_bytes().decode()

    @property
    def after(self) -> str:
        """Return the file with the server behind tap."""
        return (FOLDER / f"{self.name}.after").read_bytes().decode()


SAMPLES = [
    Sample("claude-desktop", "Claude/claude_desktop_config.json", "claude-desktop", "time"),
    Sample("claude-code", "work/.mcp.json", "claude-code", "time"),
    Sample("claude-code-user", ".claude.json", "claude-code", "time@/home/me/work"),
    Sample("cursor", ".cursor/mcp.json", "cursor", "time"),
    Sample("vscode", ".vscode/mcp.json", "vscode", "time"),
    Sample("vscode-settings", "Code/User/settings.json", "vscode", "time"),
    Sample("zed", "zed/settings.json", "zed", "time"),
    Sample("zed-older", ".zed/settings.json", "zed", "time"),
    Sample("codex", ".codex/config.toml", "codex", "time"),
    Sample("codex-short", "config.toml", "codex", "time"),
    Sample("helix", "helix/languages.toml", "helix", "bare"),
    Sample("neovim", "nvim/init.lua", "neovim", "clangd"),
    Sample("neovim-lsp", "nvim/lsp/ruff.lua", "neovim", "ruff"),
    Sample("plain", "any.json", "mcp", "time"),
]


def run_words(name: str) -> tuple[str, ...]:
    """Return what records a server of this name."""
    return (TAP, "run", "-o", RECORDINGS + "/", "--name", name, "--keep", "default", "--")


def text_of(form: str, path: str, content: str) -> Text:
    """Return a text of a format."""
    found = next(it for it in FORMATS if it.name == form)
    return Text(found, path, found.language.read(content))


def sample_text(sample: Sample, content: str | None = None) -> Text:
    """Return a sample's text."""
    return text_of(sample.form, sample.place, sample.before if content is None else content)


def wrapped(text: Text, key: str, *, replay: bool = False) -> tuple[Text, Change]:
    """Return the text with a server behind tap."""
    server = text.server(key)
    assert server is not None
    assert server.words, server.obstacle
    words = REPLAY if replay else run_words(server.name)
    return put_in(text, server, words, instead=replay)


def unwrapped(text: Text, key: str, change: Change, own: tuple[str, ...]) -> Text:
    """Return the text with the server as it was."""
    server = text.server(key)
    assert server is not None
    return take_out(text, server, change, own)
