"""What is found in a text by each rule, what is left alone, and that JSON stays JSON."""

import json
from base64 import b64decode, b64encode
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapproxy.redaction import secrets
from tapproxy.redaction.rules import read_rules
from tapproxy.redaction.texts import Texts

ISSUED = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7xY9"


def texts(*rules: str) -> Texts:
    return Texts(read_rules(rules or ["all"]), b"salt")


def redacted(text: str, *rules: str) -> str:
    data = text.encode()
    made = texts(*rules)
    new = made.redacted(data, [slice(0, len(data))])
    assert len(new) == len(data)
    assert made.redacted(new) == new
    return new.decode()


def gone(text: str, *rules: str) -> list[str]:
    """Return the words of a text that are not in it once it is redacted."""
    after = redacted(text, *rules)
    return [word for word in text.split() if word not in after]


@pytest.mark.parametrize(
    "token",
    [
        "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3d5e",
        "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
        "glpat-aBcDeFgHiJkLmNoPqRsT",
        "sk-proj-aB3dE5gH7jK9mN1pQ3sT",
        "sk-ant-api03-aB3dE5gH7jK9mN1pQ3sT-x",
        "sk_live_aB3dE5gH7jK9mN1p",
        "xoxb-123456789012-abcdefABCDEF",
        "AKIAIOSFODNN7EXAMPLE",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "npm_aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3d5e",
        "hf_aB3dE5gH7jK9mN1pQ3sT5vW7x",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0",
    ],
)
def test_tokens_are_known_by_their_shape(token: str) -> None:
    assert gone(f"one {token} two", "tokens") == [token]


@pytest.mark.parametrize(
    ("preset", "text", "expected"),
    [
        ("keys", '{"password": "hunter2hunter2", "user": "ford"}', ['"hunter2hunter2",']),
        ("keys", '{"x_api-key":"value-of-it","maxTokens":"value"}', None),
        ("keys", "GET /?access_token=value-of-it&page=2", None),
        ("headers", "Authorization: Bearer abc.def-0123456789", ["abc.def-0123456789"]),
        ("headers", "authorization: token 0123456789", ["0123456789"]),
        ("headers", "Cookie: session=0123456789; path", ["session=0123456789;"]),
        ("headers", "say Bearer 0123456789abcdef0", ["0123456789abcdef0"]),
        ("headers", "fetch https://u:pass-word@host/x", ["https://u:pass-word@host/x"]),
        ("email", "from ford.prefect@example.co.uk now", ["ford.prefect@example.co.uk"]),
        ("home", "in /home/zaphod/src and zaphod says", ["/home/zaphod/src", "zaphod"]),
        ("home", "in file:///Users/zaphod/src", ["file:///Users/zaphod/src"]),
        ("home", "in file:///c%3A/Users/zaphod/src", ["file:///c%3A/Users/zaphod/src"]),
        ("home", r"in C:\Users\zaphod\src", [r"C:\Users\zaphod\src"]),
        ("home", "in /home/runner but runner stays", ["/home/runner"]),
        ("env", "export MY_API_TOKEN=value-of-it PATH=/bin", ["MY_API_TOKEN=value-of-it"]),
        ("env", '{"env": {"PLAIN": "value-of-it"}}', ['"value-of-it"}}']),
        ("env", '{"env": [{"name": "PLAIN", "value": "value-of-it"}]}', ['"value-of-it"}]}']),
    ],
)
def test_what_the_presets_find(preset: str, text: str, expected: list[str] | None) -> None:
    found = gone(text, preset)
    if expected is None:
        assert "value-of-it" not in redacted(text, preset)
        assert len(found) == 1
    else:
        assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"params": {"progressToken": "abc-def-0123", "_meta": {"token_count": 12}}}',
        "Basic understanding of bearer certificates, and their authorization",
        "https://example.com/home/dashboard and /Users/Shared/x",
        "git@github.com:org/repo.git and lodash@4.17.21",
        "task-aB3dE5gH7jK9mN1pQ3sT and desk-0123456789abcdefgh",
        '{"env": "production", "environment": true, "password": null, "token": 12}',
        '{"method": "$/progress", "params": {"token": "abcd-1", "password": "abc"}}',
        "class Token: secret = none; api_key == other",
        '{"properties": {"password": {"type": "string", "description": "needed to log in"}}}',
        '{"authorization": "required", "required": ["authorization: optional"]}',
    ],
)
def test_what_the_presets_leave_alone(text: str) -> None:
    assert redacted(text) == text


def test_a_secret_that_was_found_once_is_replaced_everywhere_in_every_form() -> None:
    word = "swordfish-is-it"
    forms = [
        word,
        word.encode().hex(),
        word.encode().hex().upper(),
        "%73word%66ish%2Dis%2Dit",
        "\\u0073wordfish\\u002dis-it",
        *(b64encode(f"{'xyz'[:it]}{word}{'!' * it}".encode()).decode() for it in range(3)),
        b64encode(json.dumps({"a": json.dumps(word)}).encode()).decode().rstrip("="),
    ]
    text = f'{{"pin": "{word}"}} ' + " ".join(forms)
    assert gone(text, "key:pin") == [f'"{word}"}}', *forms]


def test_a_secret_in_utf_16_is_found() -> None:
    made = texts("key:pin")
    made.redacted(b'{"pin": "swordfish-is-it"}')
    for coding in ("utf-16-le", "utf-16-be"):
        wide = "a swordfish-is-it b".encode(coding)
        new = made.redacted(wide)
        assert new.decode(coding) == f"a {made.redacted(b'swordfish-is-it').decode()} b"


def test_a_short_secret_is_replaced_where_it_is_a_word_but_not_as_a_members_name() -> None:
    new = redacted('{"pin":"name1"} name1 name12 {"name1":"name1"} true', "key:pin")
    word = new[8:13]
    assert new == f'{{"pin":"{word}"}} {word} name12 {{"name1":"{word}"}} true'


def test_a_word_of_letters_alone_is_replaced_where_it_is_a_word_and_not_a_name() -> None:
    new = redacted('{"pin":"swordfish"} swordfish swordfishes {"swordfish":1}', "key:pin")
    assert (new.count("swordfish"), "swordfishes" in new) == (2, True)
    assert '{"swordfish":1}' in new


def test_a_schema_of_a_value_is_no_value() -> None:
    schema = '{"pin":{"type":"string","enum":["value-of-it"]},"x":{"pin":{"a":"other-value"}}}'
    new = redacted(schema, "key:pin")
    assert ("value-of-it" in new, "other-value" in new) == (True, False)


def test_a_very_short_secret_is_replaced_in_its_place_alone() -> None:
    new = redacted('{"pin":"abc"} abc', "key:pin")
    assert (new[:8], new[11:]) == ('{"pin":"', '"} abc')
    assert new[8:11] != "abc"


def test_numbers_stay_numbers_and_literals_stay() -> None:
    new = redacted('{"pin":1234,"a":{"pin":[12345678,true,null,"x"]},"b":12345678}', "key:pin")
    value = json.loads(new)
    assert value["pin"] != 1234
    assert value["a"]["pin"][0] == value["b"] != 12345678
    assert value["a"]["pin"][1:3] == [True, None]


def test_key_takes_globs_in_any_case_and_options_of_command_lines() -> None:
    text = '{"SessionKey":"value-1","sessions":{"a":"value-2"}} --session-id=value-3'
    new = redacted(text, "key:session*")
    assert [it for it in ("value-1", "value-2", "value-3") if it in new] == []


def test_an_expression_with_a_group_replaces_the_group() -> None:
    assert redacted("my pin is 1234-5678.", "re:pin is ([0-9-]+)")[:10] == "my pin is "


@pytest.mark.parametrize(
    "body",
    [
        '{"params":{"account":{"number":"value-of-it","x":1}}}',
        '[{"params":{"account":{"number":"value-of-it"}}}]',
        '{"params":{"account":{"number":["value-of-it"]}}}',
        '{"params":"{\\"account\\":{\\"number\\":\\"value-of-it\\"}}"}',
        '{"params":"eyJhY2NvdW50Ijp7Im51bWJlciI6InZhbHVlLW9mLWl0In19"}',
        '{"params":{"account":{"number":"value-of-it"',
    ],
)
def test_paths_lead_through_batches_layers_and_broken_messages(body: str) -> None:
    new = redacted(body, "params.account.number")
    assert new != body
    assert "value-of-it" not in new
    assert b"value-of-it" not in b64decode(new[11:-2] + "==", validate=False)


def test_a_path_leaves_other_members_of_that_name() -> None:
    new = redacted('{"number":"other-one","params":{"number":"value-of-it"}}', "params.number")
    assert "other-one" in new


def test_a_private_key_is_replaced_line_by_line() -> None:
    key = (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0=\n-----END RSA PRIVATE KEY-----"
    )
    lines = redacted(key).splitlines()
    assert (lines[0], lines[-1], len(lines)) == (*(key.splitlines()[at] for at in (0, -1)), 4)
    assert gone(json.dumps({"a": key, "b": 1})) != []
    assert json.loads(redacted(json.dumps({"a": json.dumps({"k": key}), "b": 1})))["b"] == 1


def test_the_summary_counts_secrets_and_places_by_rule() -> None:
    made = texts("tokens", "key:pin")
    made.redacted(f'{{"pin":"value-1"}} {ISSUED} {ISSUED} value-1 value-1'.encode())
    assert {rule: tuple(it) for rule, it in made.secrets.summary().items()} == {
        "key:pin": (1, 3),
        "tokens": (1, 2),
    }


def test_what_is_too_much_to_be_remembered_is_replaced_where_a_rule_finds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(secrets, "MOST", 1)
    made = texts("key:pin")
    new = made.redacted(b'{"pin":"the-first-one"} {"pin":"the-second-one"}')
    new += made.redacted(b" the-first-one the-second-one")
    assert (b"the-first-one" in new, new.count(b"the-second-one")) == (False, 1)
    assert made.secrets.summary() == {"key:pin": (1, 2)}


def test_thousands_of_secrets_are_all_found() -> None:
    made = texts("key:pin")
    words = [f"secret-number-{it:05d}" for it in range(2000)]
    for it in words:
        made.redacted(f'{{"pin":"{it}"}}'.encode())
    text = made.redacted(" ".join(words).encode()).decode()
    assert [it for it in words if it in text] == []


strings = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    [
        '5" disk',
        "a\\b",
        ISSUED,
        "ford@example.com",
        "/home/zaphod/x",
        "https://u:p4ss@h/",
        "\\\\",
        '"',
    ]
)
names = st.sampled_from(["a", "password", "env", "b c", "token", "value", "name", 'q"'])
values = st.recursive(
    strings | st.integers(-10, 10**9) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=12,
)


def shape(value: Any) -> Any:
    """Return what a redaction keeps of a value."""
    if isinstance(value, dict):
        return [(len(name), shape(it)) for name, it in value.items()]
    if isinstance(value, list):
        return [shape(it) for it in value]
    return len(value) if isinstance(value, str) else type(value).__name__


@settings(max_examples=300, deadline=None)
@given(value=values, layers=st.lists(st.sampled_from(["text", "slashes", "data"]), max_size=3))
def test_json_stays_json_of_the_same_shape_in_all_layers(value: Any, layers: list[str]) -> None:
    text = json.dumps({"x": value})
    for layer in layers:
        inner = b64encode(text.encode()).decode() if layer == "data" else text
        text = json.dumps({"x": inner, "id": 1})
        text = text.replace("/", "\\/") if layer == "slashes" else text
    new = redacted(text)
    for layer in reversed(layers):
        opened = json.loads(new)
        assert opened["id"] == 1
        new = b64decode(opened["x"]).decode() if layer == "data" else opened["x"]
    assert shape(json.loads(new)) == shape(json.loads(json.dumps({"x": value})))
