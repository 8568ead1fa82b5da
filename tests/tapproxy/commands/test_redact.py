"""`tap redact` and `tap export --share`: what is written, what is said, and what is refused."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from tapproxy.ingest.tapes import import_file
from tapproxy.opening import opened
from tests.journeys.two_sides import tap
from tests.tapproxy.replay.rig import Happened, answer, ask, records

SPOKEN = "swordfish-is-what-it-is"
HAPPENED: tuple[Happened, ...] = (
    (1, "in", ask(1, "login", password=SPOKEN, mail="ford@example.com")),
    (2, "out", answer(1, f"welcome, {SPOKEN}")),
    (3, "err", f"{SPOKEN} came from /home/zaphod/x\n".encode()),
    (4, "exit", {"code": 0}),
)


@pytest.fixture(name="original")
def make_original(tmp_path: Path) -> Path:
    path = tmp_path / "original.tap"
    import_file("/dev/null", str(path), lambda *_: records(HAPPENED), "jsonrpc")
    return path


def done(*arguments: str | Path) -> tuple[int, str, str]:
    command = tap(*arguments)
    it = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return it.returncode, it.stdout, it.stderr


def test_without_rules_all_presets_hold_and_each_says_what_it_found(original: Path) -> None:
    copy = original.with_name("copy.tap")
    assert done("redact", original, "-o", copy) == (
        0,
        f"{copy}: 3 secrets replaced in 5 places\n"
        "  tokens   none\n"
        "  keys     1 secret in 3 places\n"
        "  headers  none\n"
        "  email    1 secret in 1 place\n"
        "  home     1 secret in 1 place\n"
        "  env      none\n",
        "",
    )
    assert SPOKEN.encode() not in copy.read_bytes()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


def test_an_expression_is_not_told(original: Path) -> None:
    code, said, _ = done("redact", original, f"re:{SPOKEN}", "-o", original.with_name("b.tap"))
    assert (code, said.splitlines()[1:]) == (0, ["  re:…  1 secret in 3 places"])
    assert SPOKEN.encode() not in original.with_name("b.tap").read_bytes()


def test_nothing_found_is_said(original: Path) -> None:
    copy = original.with_name("copy.tape")
    said = f"{copy}: no secrets found\n  tokens  none\n"
    assert done("redact", original, "tokens", "-o", copy) == (0, said, "")
    header = json.loads(copy.read_text().splitlines()[0])
    assert header["facts"]["redacted"] == {"rules": ["tokens"], "secrets": {}}


def test_redacting_a_copy_again_changes_nothing_but_its_mark(original: Path) -> None:
    once, twice = original.with_name("once.tap"), original.with_name("twice.tap")
    done("redact", original, "keys", "-o", once)
    done("redact", once, "keys", "tokens", "-o", twice)
    with opened(str(once)) as one, opened(str(twice)) as two:
        assert list(one.chunks(1)) == list(two.chunks(1))
        assert one.session().facts["redacted"] == {"rules": ["keys"], "secrets": {"keys": 1}}
        assert two.session().facts["redacted"] == {
            "rules": ["keys", "tokens"],
            "secrets": {"keys": 1},
        }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "original.tap"], "original.tap exists already; choose another -o"),
        (["-o", "-"], "Invalid value for -o: a copy is a file; name one (see `tap redact --help`)"),
        ([], "Missing option '-o' / '--output' (see `tap redact --help`)"),
        (
            ["emial", "-o", "b.tap"],
            "rule 'emial': there is no such preset: did you mean email?; a member of that name is "
            "key:emial, a path path:emial; `tap redact --help` lists the rules",
        ),
        (
            ["-o", "original.tap/b.tap"],
            "cannot write original.tap/b.tap: Not a directory; choose another -o",
        ),
    ],
)
def test_what_is_refused(
    arguments: list[str], said: str, original: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(original.parent)
    code, out, err = done("redact", "original.tap", *arguments)
    assert (code in (2, 3), out, err) == (True, "", f"tap: {said}\n")
    assert os.listdir(original.parent) == ["original.tap"]


def test_show_says_that_a_recording_was_redacted(original: Path) -> None:
    copy = original.with_name("copy.tap")
    done("redact", original, "keys", f"re:{SPOKEN}", "-o", copy)
    assert "\n  redacted: keys, re:… · 1 secret replaced\n" in done("show", copy)[1]
    assert "redacted" not in done("show", original)[1]


def test_replay_warns_in_one_line(original: Path) -> None:
    copy = original.with_name("copy.tap")
    done("redact", original, "keys", "-o", copy)
    _, _, said = done("replay", copy, "--as", "host", "--no-record", "--pace", "0", "--", "cat")
    assert said.splitlines()[0] == (
        "tap: the recording was redacted (keys): a value that differs may be a placeholder"
    )
    assert "redacted" not in done("replay", original, "--as", "host", "--print")[2]


@pytest.mark.parametrize("form", ["tape", "json", "csv", "mermaid", "perfetto"])
def test_what_is_exported_to_be_shared_has_no_secrets_in_any_form(
    form: str, original: Path
) -> None:
    code, out, err = done("export", original, "--to", form, "--share")
    assert (code, err.splitlines()[0]) == (0, "original.tap: 3 secrets replaced in 5 places")
    assert [it for it in (SPOKEN, "ford@example.com", "zaphod") if it in out] == []
    assert "login" in out


def test_sharing_takes_other_rules_or_none(original: Path) -> None:
    _, out, err = done("export", original, "--share", "--redact", "email", "--redact", "key:x")
    assert err == (
        "original.tap: 1 secret replaced in 1 place\n  email  1 secret in 1 place\n  key:x  none\n"
    )
    assert (SPOKEN in out, "ford@example.com" in out) == (True, False)
    _, out, err = done("export", original, "--share", "--no-redact")
    assert err == "nothing is redacted: look before you share it\n"
    assert SPOKEN in out


def test_what_is_shared_is_never_written_over_the_original(original: Path) -> None:
    before = original.read_bytes()
    code, _, err = done("export", original, "--share", "-o", original, "--force")
    last = f"tap: {original} is the recording itself; choose another -o"
    assert (code, err.splitlines()[-1]) == (2, last)
    assert original.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--redact", "email"], "--redact and --no-redact say what --share replaces: add --share"),
        (["--no-redact"], "--redact and --no-redact say what --share replaces: add --share"),
        (
            ["--share", "--no-redact", "--redact", "email"],
            "--redact and --no-redact exclude each other: choose one",
        ),
    ],
)
def test_what_sharing_refuses(options: list[str], said: str, original: Path) -> None:
    assert done("export", original, *options) == (2, "", f"tap: {said} (see `tap export --help`)\n")


def test_without_share_nothing_is_replaced(original: Path) -> None:
    code, out, err = done("export", original)
    assert (code, err, SPOKEN in out) == (0, "", True)
