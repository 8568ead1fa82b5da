"""Redacts what JSON objects tell of a session: its facts, its tags, and the details of events."""

from collections.abc import Mapping, Sequence
from typing import Any

from tapproxy.redaction.names import Names
from tapproxy.redaction.texts import Texts

ENVIRONMENT = "environment"
VALUES = "values"


def without_secrets(value: Any, texts: Texts) -> Any:
    """Return a value as JSON has it without secrets in its texts; a list may be a command line."""
    if isinstance(value, str):
        return _text(value, texts)
    if isinstance(value, Mapping):
        return {_text(key, texts): _member(key, it, texts) for key, it in value.items()}
    if isinstance(value, list):
        return _arguments(value, texts)
    return value


def _member(name: str, value: Any, texts: Texts) -> Any:
    names = texts.members.named(_bytes(name))
    if names is None or names.only == "values" or not isinstance(value, str):
        return without_secrets(value, texts)
    return _learnt(value, names, texts)


def _arguments(values: Sequence[Any], texts: Texts) -> list[Any]:
    """Return a list; what follows an option is told by the option's name: `--password hunter2`."""
    made = []
    before: Any = None
    for value in values:
        names = _option(before, texts)
        if names is not None and isinstance(value, str) and not value.startswith("-"):
            made.append(_learnt(value, names, texts))
        else:
            made.append(without_secrets(value, texts))
        before = value
    return made


def _option(argument: Any, texts: Texts) -> Names | None:
    if not isinstance(argument, str) or not argument.startswith("-"):
        return None
    names = texts.members.named(_bytes(argument.lstrip("-")))
    return None if names is None or names.only == "values" else names


def _learnt(value: str, names: Names, texts: Texts) -> str:
    data = _bytes(value)
    if len(data) < names.least or texts.secrets.is_made(data):
        return value
    placeholder = texts.secrets.learn(data, names.rule, names.shortest)
    texts.secrets.count(data)
    return _decoded(placeholder)


def _text(value: str, texts: Texts) -> str:
    return _decoded(texts.redacted(_bytes(value)))


def _decoded(data: bytes) -> str:
    """Return bytes as text; an expression may have found half a character."""
    try:
        return data.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return data.decode(errors="replace")


def _bytes(value: str) -> bytes:
    """Return a text as bytes; JSON may hold half a character."""
    return value.encode(errors="surrogatepass")
