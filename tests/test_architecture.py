"""The arrows of the design point one way, and the way to the first byte is light."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [
    *sorted((ROOT / "tapproxy").rglob("*.py")),
    *sorted((ROOT / "store/tapproxy_store").rglob("*.py")),
    *sorted((ROOT / "viewers/tapproxy_viewers").rglob("*.py")),
]

MODULES = {
    ".".join(path.relative_to(root).with_suffix("").parts)
    for root in (ROOT, ROOT / "store", ROOT / "viewers")
    for path in SOURCES
    if path.is_relative_to(root)
}

SPANS = (
    "tapproxy.replay.rewriting",
    "tapproxy.replay.layers",
    "tapproxy.replay.json_spans",
    "tapproxy.replay.json_patterns",
    "tapproxy.replay.json_grammar",
    "tapproxy.replay.json_strings",
)
"""What replay knows of places in JSON: it imports nothing else of ours, and redaction needs it."""

LAYERS = [
    ("tapproxy.pytest_plugin", "tapproxy.testing"),
    ("tapproxy.__main__",),
    ("tapproxy.cli",),
    ("tapproxy.commands",),
    ("tapproxy.demo", "tapproxy.wrap"),
    ("tapproxy.opening",),
    ("tapproxy.replay",),
    ("tapproxy.ingest",),
    ("tapproxy.redaction",),
    ("tapproxy.retention",),
    SPANS,
    ("tapproxy.importing",),
    ("tapproxy.diffing",),
    ("tapproxy.dialects",),
    ("tapproxy.filters",),
    ("tapproxy.framing",),
    ("tapproxy.wire",),
    ("tapproxy.errors", "tapproxy.own_path", "tapproxy"),
    ("tapproxy_viewers",),
    ("tapproxy_store",),
]
"""Highest first: a module imports from its own layer and from lower ones."""

WIRE_MAY_IMPORT = {
    "tapproxy.wire",
    "tapproxy.errors",
    "tapproxy.own_path",
    "tapproxy",
    "tapproxy_store.journal",
}
WIRE_MAY_IMPORT |= {f"tapproxy_store.{name}" for name in ("locks", "names", "private")}

HEAVY = {"sqlite3", "rich", "sqlite_utils", "anyio", "orjson", "click", "pathlib", "dataclasses"}

POSIX_ONLY = ("fcntl", "termios", "resource", "pwd", "grp", "pty", "tty")


def module_name(path: Path) -> str:
    root = next(r for r in (ROOT / "store", ROOT / "viewers", ROOT) if path.is_relative_to(r))
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("tapproxy")}


def needed_at_import(path: Path) -> set[str]:
    """Return the modules that importing a file imports: not those for the type checker alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if not is_for_the_type_checker(node)]
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= parts & MODULES or {node.module}
    return found


def is_for_the_type_checker(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def layer(name: str) -> int:
    matches = [
        (len(package), index)
        for index, packages in enumerate(LAYERS)
        for package in packages
        if is_within(name, package)
    ]
    return max(matches)[1]


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_a_module_imports_from_its_own_layer_and_from_lower_ones_only(path: Path) -> None:
    importer = module_name(path)
    upward = [name for name in imported(path) if layer(name) < layer(importer)]
    assert upward == []


def test_no_imports_go_in_a_circle() -> None:
    modules = {module_name(path): path for path in SOURCES}
    arrows = {
        name: (needed_at_import(path) & modules.keys()) - {name} for name, path in modules.items()
    }
    while free := [name for name, targets in arrows.items() if not targets & arrows.keys()]:
        for name in free:
            del arrows[name]
    assert sorted(arrows) == []


@pytest.mark.parametrize("path", sorted((ROOT / "tapproxy/wire").glob("*.py")), ids=module_name)
def test_the_wire_imports_nothing_of_ours_but_what_writes_the_journal(path: Path) -> None:
    strangers = [
        name
        for name in imported(path)
        if not any(is_within(name, allowed) for allowed in WIRE_MAY_IMPORT - {"tapproxy"})
        and name != "tapproxy.__version__"
    ]
    assert strangers == []


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_the_first_line_of_a_file_says_what_it_is_for(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring is not None
    assert docstring.splitlines()[0].endswith((".", ":"))


def test_nothing_heavy_is_imported_before_the_first_byte(tmp_path: Path) -> None:
    code = (
        "import json, sys\n"
        "from tapproxy import cli\n"
        "from tapproxy.wire import pump, session\n"
        "report, carry = sys.argv.pop(), pump.Pump._carry\n"
        "def told(self, data):\n"
        "    if data == b'first':\n"
        "        with open(report, 'w') as file:\n"
        "            json.dump(sorted(sys.modules), file)\n"
        "    return carry(self, data)\n"
        "pump.Pump._carry = told\n"
        "cli.main()\n"
    )
    report = tmp_path / "modules.json"
    recording = tmp_path / "a.tap"
    plugin = ["printf", "first"]
    command = [sys.executable, "-c", code, "run", "-o", str(recording), "--", *plugin, str(report)]
    subprocess.run(command, check=True, timeout=30)
    assert HEAVY & set(json.loads(report.read_text())) == set()


def test_every_module_can_be_imported_where_posix_modules_are_missing() -> None:
    names = [module_name(path) for path in SOURCES if path.name != "__main__.py"]
    code = (
        "import sys, importlib, os, select, signal\n"
        f"for name in {POSIX_ONLY!r}: sys.modules[name] = None\n"
        "for name in ('poll', 'POLLIN', 'POLLOUT', 'POLLERR', 'POLLHUP'): delattr(select, name)\n"
        "for name in ('fork', 'posix_spawn', 'getuid', 'getpgrp'): delattr(os, name)\n"
        "for name in ('SIGCHLD', 'SIGTSTP', 'SIGCONT', 'sigwait'): delattr(signal, name)\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0
