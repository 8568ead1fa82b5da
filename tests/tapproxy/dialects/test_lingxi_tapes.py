"""The recorded LingXi sessions read as the stories that they are."""

import pytest

from tapproxy.dialects.api import Heard, Meaning
from tapproxy.dialects.lingxi import LINGXI
from tests.tapproxy.dialects.heard import FIXTURES, heard_of, meanings_of

FOLDER = FIXTURES / "dialects" / "lingxi"

V4 = "host v4 (3.0 s watchdog)"
FIRST = "host of the first generations (10 s watchdog)"
SWIFT = ["host speaks swift-data", "plugin demo 0.1.0", "plugin speaks swift-data"]


def frames(name: str) -> list[Heard]:
    return heard_of(FOLDER / f"{name}.tape")


def meanings(name: str) -> list[Meaning]:
    return [meaning for _, meaning in meanings_of(LINGXI, frames(name))]


def story(name: str) -> list[str]:
    """Return each message as it is told: method or kind, and summary."""
    return [f"{it.method or it.kind} {it.summary}".rstrip() for it in meanings(name)]


CALLS = [
    'hook.emit sessionStart 5E550000-0000-4000-8000-000000000001 source="cli/new"',
    "response",
    'hook.emit toolBefore echo tool="echo"',
    "response",
    'tool.execute echo(text="hi/你好")',
    'response "hi/你好"',
    'tool.execute echo(text="done")',
    'response "done"',
    'tool.execute search(word="main")',
    'response word="main" count=1 files=["Sources/main.swift"]',
    'command.execute /notes "release" "plan"',
    'response inline "Notes": "No notes on release plan yet."',
    "plugin.shutdown",
    "error Unknown IPC method: plugin.shutdown",
]


@pytest.mark.parametrize(("name", "version"), [("swift-v1", ""), ("swift-v3", " IPC 1,")])
def test_the_first_generations_shake_hands_without_params_and_call(name: str, version: str) -> None:
    assert story(name) == [
        "plugin.initialize without params",
        f"response demo 0.1.0 (Demo),{version} 2 tools: echo, search, 1 command: /notes",
        *CALLS,
    ]


def test_a_v4_host_sends_a_snapshot_before_each_request() -> None:
    pairs = list(zip(*[iter(story("swift-v4"))] * 4, strict=False))
    assert [it[:2] for it in pairs] == [
        (
            f"host.snapshot 2025-10-01T08:26:{40 + at}.250Z, model qwen-max, {1200 + at} tokens, "
            "/Users/me/Project on main",
            "response",
        )
        for at in range(8)
    ]
    assert [said for it in pairs[1:] for said in it[2:]] == CALLS


def test_both_shapes_tell_the_same_story() -> None:
    assert [it.replace(".250Z", "Z") for it in story("swift-v4")] == story("doc-v4")


@pytest.mark.parametrize("name", ["swift-v1", "swift-v3", "swift-v4", "doc-v4", "late", "timeout"])
def test_nothing_is_odd_about_peers_of_one_shape_but_an_unknown_method(name: str) -> None:
    assert {it.note for it in meanings(name)} <= {"", "unknown method"}


@pytest.mark.parametrize(
    ("name", "traits"),
    [
        ("swift-v1", [FIRST, *SWIFT]),
        ("swift-v3", [FIRST, *SWIFT]),
        ("swift-v4", [V4, "core 1.2.0", *SWIFT]),
        ("late", [V4, "core 1.2.0", *SWIFT]),
        ("timeout", [V4, "core 1.2.0", *SWIFT]),
        ("mismatch", [V4, "core 1.2.0", *SWIFT[:2], "plugin speaks doc-json"]),
        (
            "doc-v4",
            [V4, "core 1.2.0", "host speaks doc-json", SWIFT[1], "plugin speaks doc-json"],
        ),
    ],
)
def test_the_traits_tell_the_peers(name: str, traits: list[str]) -> None:
    reading = LINGXI.begin([])
    for heard in frames(name):
        reading.read(heard)
    assert reading.traits() == traits


@pytest.mark.parametrize("name", sorted(it.stem for it in FOLDER.glob("*.tape")))
def test_each_is_recognised_by_its_first_frame(name: str) -> None:
    method = meanings(name)[0].method
    assert LINGXI.recognise([], frames(name)[:1]) == f'the host asks {method}, without "jsonrpc"'


def test_a_plugin_of_the_page_is_misread_by_a_swift_host() -> None:
    meaning = meanings("mismatch")[-1]
    assert (meaning.note, meaning.flags) == (
        "result is inline JSON where this host decodes base64",
        ("doc-json", "shape-mismatch"),
    )


def test_the_late_answer_comes_after_the_watchdog_of_its_request() -> None:
    *_, (asked, request), (answered, response) = zip(frames("late"), meanings("late"), strict=True)
    assert request.asks == response.replies
    assert request.within_ns is not None
    assert answered.t_ns - asked.t_ns > request.within_ns
