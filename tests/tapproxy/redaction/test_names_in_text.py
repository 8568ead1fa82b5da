"""Secrets that stand after a name: in options, headers, cookies, YAML, programs, URLs, colours."""

import json
from base64 import b64encode

import pytest

from tapproxy.redaction.rules import read_rules
from tapproxy.redaction.texts import Texts

WORD = "hunter2Xq9-long"
HEX = "6629fae49393a05397450978507c4ef1"
LINE = "MIIEpAIBAAKCAQEA0qwertyuiopasdfghjkl"
KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{LINE}\n{LINE}\n-----END RSA PRIVATE KEY-----"


def redacted(text: str, *rules: str) -> str:
    made = Texts(read_rules(rules or ["all"]), b"salt")
    new = made.redacted(text.encode()).decode()
    assert len(new) == len(text)
    assert made.redacted(new.encode()).decode() == new
    return new


@pytest.mark.parametrize(
    "text",
    [
        '{"args":["--token","VALUE","x"]}',
        '{"args":["-x","--api-key=VALUE"]}',
        "started as: server --token VALUE --verbose",
        '["curl","-H","X-Api-Key: VALUE"]',
        "X-Api-Key: VALUE",
        '{"headers":[["Authorization","Bearer VALUE"]]}',
        '{"headers":[{"name":"Authorization","value":"Bearer VALUE"}]}',
        '{"headers":[{"name":"X-Api-Key","value":"VALUE"}]}',
        "Cookie: theme=dark; sid=VALUE; page=2",
        '{"headers":{"cookie":"theme=dark; sid=VALUE"}}',
        "Set-Cookie: sid=VALUE; Path=/; HttpOnly",
        "GET https://maps.example/api?zoom=1&key=VALUE&x=2",
        "https://account.blob.example/c?sv=2020&sig=VALUE%3D",
        "git clone https://VALUE4567@git.example/x",
        '{"passwords":["VALUE"]}',
        '{"secrets":{"a":"VALUE"}}',
        '{"secret":{"value":"VALUE"}}',
        '{"credentials":{"user":"ford","pass":"VALUE"}}',
        '{"dbPassword":"VALUE"}',
        '{"githubToken":"VALUE"}',
        '{"personalAccessToken":"VALUE"}',
        '{"environmentVariables":{"X":"VALUE"}}',
        "OPENAI_API_KEY: VALUE",
        "password: VALUE",
        'password = "VALUE"',
        "{'password': 'VALUE'}",
        "{ password: 'VALUE', user: 1 }",
        "<password>VALUE</password>",
        'DB_PASSWORD="correct horse VALUE"',
        "DB_PASSWORD=\x1b[31mVALUE\x1b[0m",
        "AccountName=a;AccountKey=VALUE;EndpointSuffix=x",
        "//registry.example/:_authToken=VALUE",
    ],
)
@pytest.mark.parametrize("wrapped", ["no", "json", "base64"])
def test_a_value_after_a_secret_name_is_found(text: str, wrapped: str) -> None:
    text = text.replace("VALUE", WORD)
    outer = json.dumps({"x": text}) if wrapped == "json" else text
    new = redacted(b64encode(text.encode()).decode() if wrapped == "base64" else outer)
    assert WORD not in new
    if wrapped == "base64":
        assert b64encode(WORD.encode()).decode()[2:-2] not in new
        assert new != b64encode(text.encode()).decode()
    elif wrapped == "json" or text.startswith(('{"', "[")):
        assert len(json.loads(new)) == len(json.loads(outer))


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("\x1b[1mghp_aB3dE5gH7jK9mN1pQ3sT5vW7xY9\x1b[0m", "aB3dE5gH7jK9"),
        ("my_ghp_aB3dE5gH7jK9mN1pQ3sT5vW7xY9", "aB3dE5gH7jK9"),
        (f'Authorization: Digest username="ford", response="{HEX}"', HEX),
        (f"Authorization: AWS4-HMAC-SHA256 SignedHeaders=host, Signature={HEX}", HEX),
        (f'{{"auth":"{b64encode(b"ford:" + WORD.encode()).decode()}"}}', "Zm9yZDpodW50ZXIy"),
        ("\n".join(f"    {it}" for it in KEY.split("\n")), LINE),
        ('{"password":1234567890123}', "1234567890123"),
        ('{"env":{"PIN":987654}}', "987654"),
        ("https://hooks.slack.com/services/T0000/B0000/abcd1234abcd1234", "abcd1234abcd"),
        ("bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawX/getMe", "AAHdqTcvCH1v"),
        ("eyJhbGciOiJSU0EifQ.OKOawDo13gRp2.48V1ALb6US04U3b.5eym8TWc8SuK0l.XFBoMYUZod", "XFBoMYUZ"),
    ],
)
def test_other_forms_of_credentials_are_found(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in redacted(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"progress_token":"abc-def-0123","nextPageToken":"abc-def-0123","workDoneToken":"ab-12345"}',
        '{"required":["password","user1234"],"options":["--help","--token"]}',
        "The password: required. A token is next; token: string; --token TOKEN gives the token",
        "class A:\n    token: str = None\n    secret: Option = field(default=None)\n",
        "def f(api_key: str, password=None): pass",
        "credentials: Optional; secrets: what they are",
        '{"properties":{"credentials":{"$ref":"#/x/y-12345"},"secrets":{"type":"object"}}}',
        '{"text":"say password=","next":"word-12345"}',
        "Set-Cookie: a=; Path=/some/where; SameSite=Strict",
        "?sv=2020&page=12345678&monkey=12345678",
        "0a6629fa-e493-43a0-9397-450978507c4e 2026-12-01T05:17:40Z",
    ],
)
def test_what_only_looks_like_it_is_left_alone(text: str) -> None:
    assert redacted(text) == text


def test_a_rule_of_a_name_finds_arguments_without_digits() -> None:
    new = redacted('run --session-id zaphod {"args":["--session-id","trillian"]}', "key:session*")
    assert new.startswith("run --session-id ")
    assert [it for it in ("zaphod", "trillian") if it in new] == []
