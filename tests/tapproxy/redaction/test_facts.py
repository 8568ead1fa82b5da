"""Facts and details of events are redacted by what their names say, and by what is known."""

from typing import Any

import pytest

from tapproxy.redaction.facts import without_secrets
from tapproxy.redaction.rules import read_rules
from tapproxy.redaction.sessions import SessionRedactor
from tapproxy.redaction.texts import Texts
from tapproxy_store.records import Event, Session


def texts() -> Texts:
    return Texts(read_rules(["all", "key:pin"]), b"salt")


@pytest.mark.parametrize(
    "value",
    [
        {"password": "value-of-it"},
        ["plugin", "--pin", "value-of-it", "x"],
        ["plugin", "-pin", "value-of-it"],
        ["plugin", "--access-token=value-of-it"],
        {"values": {"MY_TOKEN": "value-of-it"}},
        {"a": [{"b": "Authorization: Bearer value-of-it-0123456789"}]},
        {"ghp_value-of-it": 1, "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7": "password=value-of-it"},
    ],
)
def test_what_the_names_say_is_replaced(value: Any) -> None:
    made = texts()
    assert "value-of-it" not in str(without_secrets(value, made)).replace("ghp_value-of-it", "")


def test_what_is_no_text_and_no_secret_stays() -> None:
    facts = {
        "argv": ["plugin", "--pin", "--verbose"],
        "pid": 4242,
        "tags": {},
        "cwd": None,
        "environment": {"names": ["PATH", "MY_TOKEN"], "values": {"PATH": "/bin"}},
        "half": "\ud83d",
    }
    assert without_secrets(facts, texts()) == facts


def test_a_session_and_its_events_are_redacted_and_the_session_is_marked() -> None:
    redactor = SessionRedactor(read_rules(["key:pin", "re:hunter."]), "auto", texts())
    session = Session(
        1, "hunter of the value-of-it", 0, 0, 1, "exit 0", "auto", {"pin": "value-of-it"}
    )
    made = redactor.session(session)
    made = redactor.session(session)  # once more, now that the fact is known
    word = made.facts["pin"]
    assert (made.name, made.facts) == (
        f"hunter of the {word}",
        {"pin": word, "redacted": {"rules": ["key:pin", "re:…"]}},
    )
    event = redactor.event(Event(1, 1, 0, "note", {"text": "a value-of-it"}))
    assert event.detail == {"text": f"a {word}"}


def test_a_mark_of_before_is_kept() -> None:
    redactor = SessionRedactor(read_rules(["key:pin"]), "auto", texts())
    before = {"redacted": {"rules": ["tokens"], "secrets": {"tokens": 2}}}
    assert redactor.facts(before) == {
        "redacted": {"rules": ["tokens", "key:pin"], "secrets": {"tokens": 2}}
    }


def test_an_expression_may_find_half_a_character() -> None:
    made = Texts(read_rules(["re:\\xc3"]), b"salt")
    text = without_secrets({"a": "\u00e9t"}, made)["a"]
    assert (len(text), text[1:]) == (3, "\ufffdt")
