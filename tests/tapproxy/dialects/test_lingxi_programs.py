"""Our LingXi host and plugin understand each other over real pipes, in all they can be."""

import subprocess

import pytest

from tests.transparency.ways import program

SESSION_S = 30.0
"""A session takes a moment; far more means that something hangs."""

CALLED = (
    "initialized",
    "hook.emit: null",
    'tool.execute: "hi/你好"',
    'tool.execute: "done"',
    'tool.execute: "{\\"word\\":\\"main\\",\\"files\\":[\\"Sources/main.swift\\"],\\"count\\":1}"',
    'command.execute: {"isPrompt": false, "text": "No notes on release plan yet.", '
    '"presentation": "inline", "title": "Notes"}',
)

UNKNOWN = "error: Unknown IPC method: plugin.shutdown"


def believed(host: list[str], plugin: list[str], calls: str) -> list[str]:
    """Run the host with the plugin; return what it believed, line by line."""
    child = program("lingxi_plugin.py", *plugin)
    command = program("lingxi_host.py", *host, "--calls", calls, "--", *child)
    done = subprocess.run(command, capture_output=True, timeout=SESSION_S, check=True)
    assert done.stderr == b""
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize(
    ("host", "plugin"),
    [
        (["--generation", "1"], ["--sdk", "1"]),
        (["--generation", "3"], []),
        (["--generation", "4"], []),
        (["--shape", "doc"], ["--shape", "doc"]),
    ],
    ids=["v1", "v3", "v4", "page"],
)
def test_each_generation_and_shape_gets_through_all_calls(
    host: list[str], plugin: list[str]
) -> None:
    told = believed(host, plugin, "start,echo,done,search,command")
    assert told == [*CALLED, "plugin ended: 0"]


@pytest.mark.parametrize("plugin", [[], ["--fail"]], ids=["unknown-method", "failing-tool"])
def test_an_error_ends_the_plugin_of_a_v4_host(plugin: list[str]) -> None:
    *told, ended = believed([], plugin, "echo" if plugin else "unknown")
    assert told == [
        "initialized",
        "failed: error: no such file" if plugin else f"failed: {UNKNOWN}",
    ]
    assert ended.startswith("plugin ended: ")


def test_a_v1_host_goes_on_after_an_error() -> None:
    assert believed(["--generation", "1"], [], "unknown,done") == [
        "initialized",
        f"plugin.shutdown failed: {UNKNOWN}",
        'tool.execute: "done"',
        "plugin ended: 0",
    ]


@pytest.mark.parametrize(
    ("plugin", "reason"),
    [
        (["--sdk", "1"], "no ipcVersion"),
        (["--shape", "doc"], "result is no base64 text"),
    ],
    ids=["first-sdk", "page"],
)
def test_a_v4_host_refuses_a_plugin_that_it_cannot_read(plugin: list[str], reason: str) -> None:
    assert believed([], plugin, "echo")[:-1] == [f"failed: {reason}"]
