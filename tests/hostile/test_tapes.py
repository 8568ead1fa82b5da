"""Tapes and logs from strangers, through every command."""

import base64
import json
from pathlib import Path

import pytest

from tapproxy_store import line_reading, tape_reading
from tests.hostile.commands import read_by_all, used_by_all
from tests.hostile.harmless import check, visible
from tests.hostile.strangers import NASTY
from tests.hostile.watched import tap
from tests.store.made import write_spoken

HEAD = '{"tape": 1, "name": "x"}'


def _line(*values: object) -> str:
    return json.dumps(values)


def _said(text: str) -> str:
    return _line(0.5, "in", text + "\n")


def _request(**others: object) -> str:
    return _said(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "a", **others}))


TAPES: dict[str, list[str]] = {
    "deep header": ['{"tape": 1, "facts": ' + '{"a":' * 5000 + "1" + "}" * 5001],
    "deep detail": [HEAD, '[0, "event", "exit", ' + '{"a":' * 300 + "1" + "}" * 300 + "]"],
    "deep message": [HEAD, _said("[" * 100_000), _said('{"a":' * 900 + "1" + "}" * 900)],
    "many values": ['{"tape": 1, "facts": {"a": [' + "[]," * 900_000 + "[]]}}"],
    "offsets": [HEAD, '[0, "in", "a", {"offset": 9223372036854775806}]', '[0, "in", "b"]'],
    "times": ['{"tape": 1, "started": "9999-12-31T23:59:59Z"}', '[9223372036, "in", "a"]'],
    "numbers": [HEAD, f'[{"9" * 5000}, "in", "a"]', '[1e999999999, "in", "a"]'],
    "base64": [HEAD, _line(0, "in", {"base64": base64.b64encode(b"\0\x1b\xff" * 99).decode()})],
    "bad base64": [HEAD, _line(0, "in", {"base64": "=" * 99_999})],
    "half characters": [HEAD, '[0, "in", "\\ud800"]', '[0, "event", "\\udfff"]'],
    "nasty words": [
        json.dumps(
            {
                "tape": 1,
                "name": NASTY,
                "outcome": NASTY,
                "dialect": NASTY,
                "facts": {"argv": [NASTY, NASTY], "tags": {NASTY: NASTY}, "cwd": NASTY},
            }
        ),
        _line(0, "event", NASTY, {NASTY: NASTY}),
        _request(method=NASTY, id=NASTY, params={NASTY: NASTY}),
        _line(1, "out", json.dumps({"jsonrpc": "2.0", "id": NASTY, "error": {"message": NASTY}})),
        _line(1, "err", NASTY + "\n"),
        _said("=HYPERLINK(1)"),
        _said("x;=HYPERLINK(1)"),
        _said('x;"@SUM(1)'),
        _said("ﬂ°lt¶ßscript"),
        _line(2, "event", "exit", {"code": NASTY, "signal": NASTY}),
    ],
    "a signal to everybody": [
        HEAD,
        _line(0, "event", "signal", {"signal": "pthread_kill", "pid": -1, "sender": -1}),
        _line(0, "event", "exit", {"signal": "SIG_DFL", "code": [1]}),
    ],
    "an exit of no kind": [HEAD, _line(0, "event", "exit", {"code": {"a": 1}})],
    "paths and programs": [
        json.dumps(
            {
                "tape": 1,
                "name": "../../../../tmp/owned",
                "facts": {
                    "argv": ["/bin/sh", "-c", "touch owned", "--args-file", "/etc/passwd"],
                    "cwd": "/etc",
                },
            }
        ),
        _request(params={"rootUri": "file:///etc/passwd", "path": "../../x"}),
    ],
    "blank": [" " * 100_000, HEAD],
    "framing": ['{"tape": 1, "framing": "content-length"}', _said("Content-Length: 99999999999\r")],
    "headers": [
        '{"tape": 1, "framing": "content-length"}',
        _said("Content-Length: -1\r\n\r\n{}"),
        _said("Content-Length: " + "9" * 6000 + "\r\n\r\n{}"),
        _said("X: y\r\n" * 600),
    ],
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_spoken(str(tmp_path_factory.mktemp("good") / "good.tap"))


@pytest.mark.parametrize("name", TAPES)
def test_no_command_is_hurt_by_a_stranger_s_tape(name: str, tmp_path: Path, good: str) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    path = folder / "a.tape"
    path.write_text("\n".join(TAPES[name]) + "\n", encoding="utf-8")
    read_by_all(str(path), good, folder)
    used_by_all(str(path), folder)


def test_a_line_that_is_too_long_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_reading, "LONGEST_LINE", 1 << 20)
    path = tmp_path / "a.tape"
    path.write_text(f'{HEAD}\n[0, "in", "{"x" * (1 << 20)}"]\n')
    ended = tap(["show", str(path)], tmp_path)
    assert ended.err.decode() == (
        f"tap: {path}:2:1: this line is longer than 1 MiB, which is more than any that tap writes\n"
    )


def test_a_tape_of_too_many_sessions_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tape_reading, "MOST_SESSIONS", 20)
    path = tmp_path / "a.tape"
    path.write_text(f"{HEAD}\n" * 21)
    ended = tap(["show", str(path)], tmp_path)
    assert ended.err.decode() == (f"tap: {path}:21:1: a tape has at most 20 sessions: split it\n")


LOGS = {
    "json-lines": json.dumps({"direction": "in", "ts": NASTY, "message": {"method": NASTY}}),
    "vscode": f"[Trace - 10:00:00 AM] Sending request '{NASTY[:8]} - (1)'.\nParams: {{",
    "deep": '{"direction": "in", "message": ' + "[" * 3000 + "]" * 3000 + "}",
    "many": '{"direction": "in", "message": [' + "[]," * 600_000 + "[]]}",
    "mcp-rec": json.dumps({"dir": NASTY, "msg": NASTY}),
}


@pytest.mark.parametrize("name", LOGS)
def test_no_command_is_hurt_by_a_stranger_s_log(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text(LOGS[name] + "\n", encoding="utf-8")
    here = {"TAP_DIR": str(tmp_path / "recordings")}
    check(tap(["import", str(path)], tmp_path, here))
    check(tap(["import", str(path), "--direction", "out"], tmp_path, here))
    check(tap(["show", "last"], tmp_path, here))
    check(tap(["export", "last", "--to", "csv"], tmp_path, here))


def test_a_tape_shows_what_is_not_seen(tmp_path: Path) -> None:
    path = tmp_path / "a.tape"
    path.write_text("\n".join(TAPES["nasty words"]) + "\n", encoding="utf-8")
    out = tmp_path / "b.tape"
    check(tap(["export", str(path), "-o", str(out)], tmp_path))
    visible(out.read_bytes())
    again = tap(["export", str(out)], tmp_path)
    assert again.out == out.read_bytes()
