"""The light reader of `tap run`'s command line accepts what click accepts, and nothing else."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.commands.group import run_group
from tapproxy.commands.run_line import DIALECTS, OPTIONS, PRESETS, Option, read
from tapproxy.dialects.registry import OURS
from tapproxy.errors import USAGE, TapError
from tapproxy.wire.order import Order

VALUES = st.sampled_from(
    ("x", "K=V", "K==", "=", "", "-", "--", "-o", "--name", "é", "\udcff", "run")
)
COMMANDS = st.lists(
    st.sampled_from(("plugin", "/bin/a b", "--", "-x", "", "-o", "\udcff")), max_size=3
)
STRAY = st.sampled_from(
    ("-", "-x", "--nope", "--nam", "-h", "--help", "-o", "--tag", "--tag=", "x")
)


def spelled(option: Option, value: str) -> st.SearchStrategy[list[str]]:
    """Spell an option in each way that a command line has for it."""
    spellings = [[option.names[-1], value], [f"{option.names[-1]}={value}"]]
    if option.names[0] != option.names[-1]:
        spellings.append([option.names[0], value])
        if value:
            spellings.append([option.names[0] + value])
    return st.sampled_from(spellings)


def right_values(option: Option) -> st.SearchStrategy[str]:
    if option.choices:
        return st.sampled_from(option.choices)
    if option.key == "dialect":
        return st.sampled_from(sorted(DIALECTS))
    if option.key == "redact":
        return st.sampled_from([*sorted(PRESETS), "key:a_b*", "params.token", "a.*.0.b-c"])
    if option.key == "keep":
        return st.just("default")
    if option.key == "output":
        return VALUES.filter(lambda value: value not in ("", "-"))
    return VALUES.filter(lambda value: "=" in value) if option.key == "tag" else VALUES


def given_options(*, right: bool) -> st.SearchStrategy[list[str]]:
    """Draw options, with right values or any."""
    return st.sampled_from(OPTIONS).flatmap(
        lambda option: (right_values(option) if right else VALUES | right_values(option)).flatmap(
            lambda value: spelled(option, value)
        )
    )


def joined(*parts: list[list[str]]) -> list[str]:
    return [word for part in parts for words in part for word in words]


class Started(Exception):
    """Click has made an order; nothing is run."""

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order


def _stop(order: Order) -> NoReturn:
    raise Started(order)


@pytest.fixture(autouse=True, scope="module")
def _nothing_is_run() -> Any:
    """Stop where the session would begin, and have one name for all recordings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tapproxy.wire.session.run", _stop)
        patch.setattr("tapproxy_store.locate.recording_name", lambda name: f"now-{name!r}.tap")
        yield


def told(order: Order) -> dict[str, Any]:
    return {name: getattr(order, name) for name in Order.__slots__}


def by_click(arguments: list[str]) -> dict[str, Any] | None:
    """Return the order that click makes of the command line, None where it refuses or helps."""
    with suppress(TapError):
        try:
            run_group(["run", *arguments])
        except Started as started:
            return told(started.order)
    return None


def by_reader(arguments: list[str]) -> dict[str, Any] | None:
    order = read(arguments)
    return None if order is None else told(order)


@settings(deadline=None, max_examples=200)
@given(
    options=st.lists(given_options(right=True), max_size=4),
    dashes=st.sampled_from(([], ["--"])),
    command=COMMANDS.filter(lambda it: bool(it and it[0]) and not it[0].startswith("-")),
)
def test_a_right_command_line_is_read_as_click_reads_it(
    options: list[list[str]], dashes: list[str], command: list[str]
) -> None:
    arguments = joined(options, [dashes], [command])
    order = by_reader(arguments)
    assert order is not None
    assert order == by_click(arguments)


@settings(deadline=None, max_examples=200)
@given(
    options=st.lists(given_options(right=False) | STRAY.map(lambda it: [it]), max_size=4),
    dashes=st.sampled_from(([], ["--"])),
    command=COMMANDS,
)
def test_whatever_the_command_line_it_is_read_as_click_reads_it_or_left_to_click(
    options: list[list[str]], dashes: list[str], command: list[str]
) -> None:
    arguments = joined(options, [dashes], [command])
    order = by_reader(arguments)
    assert order is None or order == by_click(arguments)


def test_options_say_what_the_order_says() -> None:
    line = "-oFILE --name=x --tag a=1 --tag=b=2=3 --tag a=4 --env HOME --env=PATH --framing raw"
    line += " --dialect mcp --on-record-error=stop --ingest later --redact all --redact=tokens"
    line += " --keep default"
    line += " plugin --name y"
    assert by_reader(line.split()) == {
        "command": [b"plugin", b"--name", b"y"],
        "places": ("FILE",),
        "name": "x",
        "tags": {"a": "4", "b": "2=3"},
        "kept_variables": ("HOME", "PATH"),
        "framing": "raw",
        "dialect": "mcp",
        "must_record": True,
        "ingest": False,
        "program": b"plugin",
        "redact": ("all", "tokens"),
        "keep": "default",
    }


def test_without_options_the_command_gives_the_name_and_tap_dir_the_place() -> None:
    assert by_reader(["--", "/opt/my plugin", "--", "\udcff"]) == {
        "command": [b"/opt/my plugin", b"--", b"\xff"],
        "places": (os.path.join(os.environ["TAP_DIR"], "now-'my plugin'.tap"),),
        "name": "my plugin",
        "tags": {},
        "kept_variables": (),
        "framing": "auto",
        "dialect": None,
        "must_record": False,
        "ingest": True,
        "program": b"/opt/my plugin",
        "redact": (),
        "keep": None,
    }


def test_a_slash_in_the_end_names_a_folder_that_is_there_or_will_be(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "gone"):
        order = by_reader(["-o", f"{folder}/", "plugin"])
        assert (order or {})["places"] == (f"{folder}/now-'plugin'.tap",)


def test_without_tap_dir_there_is_a_second_place_that_nobody_can_have_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TAP_DIR")
    monkeypatch.setenv("TMPDIR", "/scratch")
    first, second = (by_reader(["plugin"]) or {})["places"]
    assert os.path.basename(first) == os.path.basename(second) == "now-'plugin'.tap"
    start, random = os.path.dirname(second).split("tap-")
    assert (start, len(bytes.fromhex(random))) == ("/scratch/", 8)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "name the command to run: `tap run -- COMMAND`"),
        (["--"], "name the command to run: `tap run -- COMMAND`"),
        (["-o", "FILE"], "name the command to run: `tap run -- COMMAND`"),
        (["-o"], "Option '-o' requires an argument"),
        (["--", ""], "Invalid value for COMMAND: it is empty"),
        (["-o", "", "plugin"], "Invalid value for --output: it is empty"),
        (
            ["-o", "-", "plugin"],
            "Invalid value for --output: a recording is a file, and stdout is the plugin's; "
            "name a file",
        ),
        (["--tag", "x", "plugin"], "Invalid value for --tag: 'x' is not of the form KEY=VALUE"),
        (
            ["--framing", "linen", "plugin"],
            "Invalid value for '--framing': 'linen' is not one of 'auto', 'lines', "
            "'content-length', 'raw'",
        ),
        (
            ["--on-record-error=no", "plugin"],
            "Invalid value for '--on-record-error': 'no' is not one of 'continue', 'stop'",
        ),
    ],
)
def test_a_wrong_command_line_is_explained_in_one_line(
    arguments: list[str], complaint: str
) -> None:
    assert read(arguments) is None
    with pytest.raises(TapError) as caught:
        run_group(["run", *arguments])
    expected = (f"{complaint} (see `tap run --help`)", USAGE)
    assert (str(caught.value), caught.value.exit_code) == expected


def test_the_dialects_that_are_known_without_looking_are_in_the_list() -> None:
    assert {it.name for it in OURS} >= DIALECTS
