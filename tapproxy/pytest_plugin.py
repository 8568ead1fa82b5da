"""The pytest plugin: fixtures that replay and record what a test talks to over stdio."""

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from tapproxy.testing.cassettes import Growing, cassette_path, save
from tapproxy.testing.command_lines import Word, command_words, find_recording
from tapproxy.testing.records import Record, have_ended
from tapproxy.testing.stand_ins import StandIn, host_difference

MODES = ("none", "once", "new", "all")

CommandLine = Callable[..., list[str]]
"""What `tap_replay`, `tap_record` and `tap_cassette` are: they return what is to be started."""


@dataclass(slots=True)
class Taps:
    """What one test replays and records."""

    stand_ins: list[StandIn] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    has_failed: bool = False

    def differences(self) -> list[str]:
        """Return the reports of replays that differ, each once."""
        return [text for it in self.stand_ins for text in it.differences()]

    def sections(self) -> Iterator[tuple[str, str]]:
        """Yield what a failure tells beside itself, as pytest's sections."""
        for text in self.differences():
            yield "tap replay", text
        for path in (path for it in self.records for path in it.made()):
            yield "tap record", f"recorded: {path}\nsee it: tap show {path}"


TAPS = pytest.StashKey[Taps]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --tap-mode and --tap-keep."""
    group = parser.getgroup("tap", "recordings of stdio protocols (tap)")
    group.addoption(
        "--tap-mode",
        choices=MODES,
        help="What tap_cassette does: none: replay only; once: record what is not there yet; "
        "new: add what a cassette has no answer to, too; all: record anew. Default: once, and none "
        "in CI.",
    )
    group.addoption(
        "--tap-keep",
        action="store_true",
        help="Keep what tap_record has recorded, not only of tests that fail.",
    )


def _taps(item: pytest.Item) -> Taps:
    return item.stash.setdefault(TAPS, Taps())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin anew: a test may be run again."""
    item.stash[TAPS] = Taps()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that has passed where a replay that is over differs."""
    result = yield
    _fail_for(_taps(item).differences())
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell of recordings where a test has failed; remove them in the end where it has not."""
    report = yield
    taps = _taps(item)
    if report.failed:
        taps.has_failed = True
        report.sections.extend(taps.sections())
    if report.when == "teardown" and not taps.has_failed and not item.config.option.tap_keep:
        for it in taps.records:
            it.remove()
    return report


@pytest.fixture
def tap_replay(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CommandLine]:
    """Put a recording in a plugin's place: `tap_replay("bug.tape", pace=0)` is what a host starts.

    It may be several, and folders of them. Options are those of `tap replay`. The test fails where
    the host is not as it was recorded.
    """
    taps = _taps(request.node)

    def stand_in(recording: Word, *more: Word, **options: object) -> list[str]:
        __tracebackhide__ = True
        folders = request.path.parent, request.config.rootpath
        paths = [find_recording(it, *folders) for it in (recording, *more)]
        it = StandIn(paths, str(tmp_path_factory.mktemp("tap-replay")))
        command = it.command(options)
        taps.stand_ins.append(it)
        return command

    yield stand_in
    amiss = [text for it in taps.stand_ins if (text := it.wait()) is not None]
    _fail_for(taps.differences() or ([] if taps.has_failed else amiss))


@pytest.fixture
def tap_host(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., None]:
    """Put a recording in a host's place: `tap_host("bug.tape", [sys.executable, "plugin.py"])`.

    Options are those of `tap replay`. Fails where the plugin is not as it was recorded.
    """

    def play(recording: Word, command: Sequence[Word], **options: object) -> None:
        __tracebackhide__ = True
        path = find_recording(recording, request.path.parent, request.config.rootpath)
        folder = str(tmp_path_factory.mktemp("tap-host"))
        text = host_difference(path, command_words(command), folder, options)
        if text is not None:
            pytest.fail(text)

    return play


@pytest.fixture
def tap_record(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> CommandLine:
    """Record what a test starts: `tap_record([sys.executable, "plugin.py"])` is what to start.

    Options are those of `tap run`. Recordings are kept where the test fails, which says where.
    """
    taps = _taps(request.node)

    def record(command: Sequence[Word], name: str | None = None, **options: Any) -> list[str]:
        __tracebackhide__ = True
        words = command_words(command)
        folder = str(tmp_path_factory.mktemp("tap-record"))
        it = Record(folder, name or os.path.basename(words[0]))
        taps.records.append(it)
        return it.command(words, options)

    return record


@pytest.fixture
def tap_cassette(
    request: pytest.FixtureRequest,
    tap_replay: CommandLine,
    tap_record: CommandLine,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[CommandLine]:
    """Record a command in one run and replay it in all others: `tap_cassette(["my-server"])`.

    Options are those of `tap replay`; the pace is 0 unless one says otherwise.
    """
    taps = _taps(request.node)
    new: dict[str, Record] = {}
    growing: list[Growing] = []
    used: set[str] = set()

    def cassette(command: Sequence[Word], name: str | None = None, **options: Any) -> list[str]:
        __tracebackhide__ = True
        words = command_words(command)
        tape = cassette_path(str(request.path), [*_names(request.node), *filter(None, [name])])
        if tape in used:
            raise ValueError(f"{tape} is in use: name each of a test's cassettes")
        used.add(tape)
        mode = _mode(request.config)
        if mode == "all" or (mode != "none" and not os.path.exists(tape)):
            recording = tap_record(command, name, on_record_error="stop")
            new[tape] = taps.records[-1]
            return recording
        _fail_without(tape)
        if mode != "new":
            return tap_replay(tape, **{"pace": 0, **options})
        it = Growing(tape, str(tmp_path_factory.mktemp("tap-cassette")), words)
        line = it.stand_in.command({"pace": 0, **options})
        taps.stand_ins.append(it.stand_in)
        growing.append(it)
        return line

    yield cassette
    if not taps.has_failed:
        amiss = [text for tape, it in new.items() if (text := _kept(it, tape)) is not None]
        _fail_for(amiss + [text for it in growing for text in it.take_over()])


def _fail_without(tape: str) -> None:
    __tracebackhide__ = True
    if not os.path.exists(tape):
        pytest.fail(f"no recording {tape}; pytest --tap-mode=once makes it")


def _kept(record: Record, tape: str) -> str | None:
    """Make a cassette of what was recorded, or say why not."""
    recordings = record.made()
    if not recordings:
        return f"nothing was started, and so nothing recorded for {tape}"
    if not have_ended(recordings):
        return f"what was started did not end: {tape} was not written"
    save(recordings, tape)
    return None


def _names(node: pytest.Item) -> list[str]:
    return [it.name for it in node.listchain() if isinstance(it, pytest.Class | pytest.Item)]


def _mode(config: pytest.Config) -> str:
    """Return the mode that is asked for; else as pytest tells CI: there nothing is recorded."""
    in_ci = any(os.environ.get(it) for it in ("CI", "BUILD_NUMBER"))
    chosen: str | None = config.option.tap_mode
    return chosen or ("none" if in_ci else "once")


def _fail_for(texts: Sequence[str]) -> None:
    if texts:
        pytest.fail("\n\n".join(texts), pytrace=False)
