"""Sessions with secrets planted in them, in all layers and encodings, and how to look for these."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from tests.tapproxy.replay.rig import Happened

RULES = (
    "all",
    "key:pin_code",
    "key:session*",
    "params.account.number",
    "result.owner",
    "re:CUST-[0-9]{6}",
    "re:pass phrase is ([a-z ]+)\\.",
    "re:\\x00\\x01(BIN[0-9]+)\\x02",
)
"""By which each of the secrets is found at least once."""


def token(number: int) -> str:
    """Return a token as GitHub issues them."""
    return f"ghp_{number:02d}" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3d"


PEM = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0"

SECRETS = {
    "plain": token(1),
    "nested": token(2),
    "json in string": token(3),
    "lingxi three layers": token(4),
    "argv": token(5),
    "cwd": "zaphod",
    "env value": "environment-value-1",
    "stderr": token(6),
    "split over chunks": token(7),
    "content-length": token(8),
    "malformed": token(9),
    "cut off": "cut-off-password-1",
    "batch": token(10),
    "id": token(11),
    "member name": token(12),
    "binary": "BIN8675309",
    "bearer": "bearer-credential-0123456789",
    "basic": "basic-password-1",
    "url": "url-password-1",
    "jwt": JWT,
    "pem": PEM,
    "slack": "xoxb-1234567890-abcdefghijkl",
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "openai": "sk-proj-abcdefghij0123456789",
    "e-mail": "ford.prefect@example.com",
    "file uri": "trillian",
    "windows home": "marvin",
    "path": "account-number-77",
    "path in answer": "owner-of-it-all",
    "key": "session-value-1",
    "key with umlaut": "geheimes-W\u00f6rt-\U0001f600",
    "key with quotes": 'quo"ted\\pass/word?',
    "expression": "CUST-123456",
    "words": "correct horse battery",
    "base64, first alignment": "api-key-value-one",
    "base64, second alignment": "api-key-value-two",
    "base64, third alignment": "api-key-value-three",
    "percent": "p@ss w\u00f6rd&more",
    "escaped": "escaped-secret-1",
    "utf-16": "wide-secret-1",
    "hex": "hexadecimal-secret-1",
    "tag": "tag-secret-value-1",
    "host command": "host-secret-value-1",
    "event": "event-secret-value-1",
}


@dataclass(frozen=True)
class Planted:
    """One session."""

    dialect: str
    happened: tuple[Happened, ...]


def forms(secret: str) -> Iterator[bytes]:
    """Yield the bytes by which a secret could be known in a file."""
    data = secret.encode()
    yield data
    yield json.dumps(secret)[1:-1].encode()
    yield json.dumps(secret, ensure_ascii=False)[1:-1].replace("/", "\\/").encode()
    yield quote(secret, safe="").encode()
    if len(data) >= 8:
        yield data.hex().encode()
        yield secret.encode("utf-16-le")
        for before in range(3):
            coded = b64encode(b"\0" * before + data)
            yield coded[(0, 2, 3)[before] : 8 * (before + len(data)) // 6]


def left(data: bytes) -> list[str]:
    """Return the secrets that are in some bytes, in whatever form."""
    return [name for name, it in SECRETS.items() if any(form in data for form in forms(it))]


def jsonrpc() -> Planted:
    """Make a session in lines, with nearly all of them."""
    s = SECRETS
    calls: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"auth": s["plain"]}, {"ok": True, "seen": s["plain"]}),
        ({"deep": [{"er": {"x": ["a", s["nested"]]}}]}, {"echo": f"<{s['nested']}>"}),
        (
            {"arguments": json.dumps({"inner": json.dumps({"t": s["json in string"]})})},
            {"text": "fine"},
        ),
        ({"headers": {"Authorization": f"Bearer {s['bearer']}"}}, {"bearer": s["bearer"]}),
        (
            {"h": "Authorization: Basic " + b64encode(f"u:{s['basic']}".encode()).decode()},
            {"said": f"welcome, {s['basic']}"},
        ),
        ({"url": f"postgres://u:{s['url']}@db/x"}, {"url": "ok"}),
        (
            {"jwt": s["jwt"]},
            {"key": f"-----BEGIN PRIVATE KEY-----\n{s['pem']}-----END PRIVATE KEY-----\n"},
        ),
        ({"x": s["slack"], "y": s["aws"]}, {"z": s["openai"]}),
        ({"mail": f"Ford <{s['e-mail']}>"}, {"root": f"file:///home/{s['file uri']}/a"}),
        ({"path": f"C:\\Users\\{s['windows home']}\\x"}, {"who": s["windows home"]}),
        ({"account": {"number": s["path"]}}, {"owner": s["path in answer"], "number": s["path"]}),
        ({"sessionKey": s["key"]}, {"again": s["key"]}),
        ({"session_a": s["key with umlaut"]}, {"b": s["key with umlaut"]}),
        ({"session_b": s["key with quotes"]}, {"b": s["key with quotes"]}),
        ({"customer": s["expression"]}, {"t": f"my pass phrase is {s['words']}."}),
        ({"pin_code": s["percent"]}, {"q": f"/x?p={quote(s['percent'], safe='')}"}),
        (
            {"api_key": s["base64, first alignment"]},
            {"b": _base64(0, s["base64, first alignment"])},
        ),
        (
            {"api_key": s["base64, second alignment"]},
            {"b": _base64(1, s["base64, second alignment"])},
        ),
        (
            {"api_key": s["base64, third alignment"]},
            {"b": _base64(2, s["base64, third alignment"])},
        ),
        ({"sessionH": s["hex"]}, {"h": s["hex"].encode().hex()}),
        ({"sessionW": s["utf-16"]}, {"h": "x"}),
        ({"env": {"PLAIN": s["env value"]}}, {"env": s["env value"]}),
        ({"map": {s["member name"]: 1}}, {"map": {s["member name"]: 2}}),
    ]
    happened: list[Happened] = []
    at = 0.0
    for number, (asked, answered) in enumerate(calls, 1):
        request = {"jsonrpc": "2.0", "id": number, "method": f"call{number}", "params": asked}
        happened.append((at + 1, "in", _line(request)))
        happened.append(
            (at + 2, "out", _line({"jsonrpc": "2.0", "id": number, "result": answered}))
        )
        at += 2
    return Planted("jsonrpc", (*happened, *_odd(at), *_ends(at + 100)))


def _odd(at: float) -> Iterator[Happened]:
    s = SECRETS
    identified = {"jsonrpc": "2.0", "id": s["id"], "method": "identified", "params": {}}
    yield at + 1, "in", _line(identified)
    yield at + 2, "out", _line({"jsonrpc": "2.0", "id": s["id"], "result": {}})
    batch = [
        {"jsonrpc": "2.0", "id": 90, "method": "b", "params": {"account": {"number": s["batch"]}}}
    ]
    yield at + 3, "in", _line(batch)
    yield at + 4, "out", _line([{"jsonrpc": "2.0", "id": 90, "result": {"owner": "batch-owner-9"}}])
    escaped = "".join(f"\\u{ord(it):04x}" for it in s["escaped"])
    yield (
        at + 5,
        "in",
        b'{"jsonrpc":"2.0","method":"n","params":{"password":"%s"}}\n' % escaped.encode(),
    )
    whole = _line({"jsonrpc": "2.0", "method": "split", "params": {"t": s["split over chunks"]}})
    for index in range(len(whole)):
        yield at + 6 + index / 100, "out", whole[index : index + 1]
    yield (
        at + 20,
        "out",
        b'{"jsonrpc":"2.0","method":"x","params":[}} %s\n' % s["malformed"].encode(),
    )
    yield (
        at + 21,
        "out",
        b'{"method":"\xff\xfe","a":"' + b"\x00\x01" + s["binary"].encode() + b'\x02"}\n',
    )
    yield at + 22, "out", s["utf-16"].encode("utf-16-le") + b"\n"
    half = s["stderr"].encode()
    yield at + 23, "err", b"log: " + half[:9]
    yield at + 24, "err", half[9:] + b" " + s["escaped"].encode() + b"\n"
    yield at + 25, "err", f"cd /home/{s['cwd']} --session-x={s['key']} {s['words']}\n".encode()
    yield (
        at + 26,
        "out",
        b'{"jsonrpc":"2.0","method":"end","params":{"password":"' + s["cut off"].encode(),
    )


def _ends(at: float) -> Iterator[Happened]:
    yield at, "eof", {"stream": "in", "by": "host"}
    yield at + 1, "eof", {"stream": "out", "by": "plugin"}
    yield at + 2, "eof", {"stream": "err", "by": "plugin"}
    yield at + 3, "note", {"password": SECRETS["event"], "text": f"by {SECRETS['event']}"}
    yield at + 4, "exit", {"code": 0}


def lingxi() -> Planted:
    """Make a session whose arguments are JSON in a string in base64, as Swift writes them."""
    secret = SECRETS["lingxi three layers"]
    arguments = json.dumps({"token": secret, "path": f"/home/{SECRETS['cwd']}/a?b"}).replace(
        "/", "\\/"
    )
    call = {"toolName": "echo", "arguments": arguments, "sessionID": "s-1", "toolCallID": "c"}
    params = _swift(call)
    request = b'{"id":"A-1","method":"tool.execute","params":"%s"}\n' % params
    result = b64encode(json.dumps(f"said {secret}?>").replace("/", "\\/").encode())
    answer = b'{"id":"A-1","result":"%s"}' % result.replace(b"/", b"\\/")
    return Planted(
        "lingxi",
        ((1, "in", request), (2, "out", answer), (3, "out", b"\n"), *_ends(10)),
    )


def lsp() -> Planted:
    """Make a session in Content-Length frames; one says a length that cuts through the secret."""
    secret = SECRETS["content-length"]
    asked = _framed({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"t": secret}})
    answered = _framed({"jsonrpc": "2.0", "id": 1, "result": {"t": secret}})
    body = json.dumps({"jsonrpc": "2.0", "method": "log", "params": {"m": secret}}).encode()
    wrong = b"Content-Length: %d\r\n\r\n%s" % (body.index(secret.encode()) + 11, body)
    return Planted(
        "jsonrpc",
        (
            (1, "in", asked[:30]),
            (2, "in", asked[30:]),
            (3, "out", answered),
            (4, "out", wrong),
            *_ends(10),
        ),
    )


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _framed(value: Any) -> bytes:
    body = json.dumps(value).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def _base64(before: int, secret: str) -> str:
    return b64encode(("xyz"[:before] + secret + "!").encode()).decode()


def _swift(value: Any) -> bytes:
    inner = json.dumps(value).replace("/", "\\/").encode()
    return b64encode(inner).replace(b"/", b"\\/")


def layers_of(line: bytes) -> dict[str, Any]:
    """Return the arguments of a LingXi request, all layers opened."""
    opened: dict[str, Any] = json.loads(b64decode(json.loads(line)["params"]))
    return opened | {"arguments": json.loads(opened["arguments"])}


FACTS = {
    "argv": ["plugin", "--token", SECRETS["argv"], f"--home=/home/{SECRETS['cwd']}"],
    "cwd": f"/home/{SECRETS['cwd']}/work",
    "host_command": ["host", "--password", SECRETS["host command"]],
    "tags": {"password": SECRETS["tag"]},
    "environment": {"names": ["A", "MY_TOKEN"], "values": {"MY_TOKEN": SECRETS["env value"]}},
}
"""Facts with the rest of them."""
