"""Redacts a session: its streams, its events and its facts, in which it is marked as redacted."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tapproxy.redaction.facts import without_secrets
from tapproxy.redaction.rules import Rule, labels
from tapproxy.redaction.secrets import Replaced
from tapproxy.redaction.streams import StreamRedactor
from tapproxy.redaction.texts import Texts
from tapproxy_store.records import STREAMS, Chunk, Event, Session

MARK = "redacted"
"""The fact that says that a session was redacted: `rules`, and how many `secrets` each found."""

SALT_SIZE = 32
"""Bytes of the key by which placeholders are made. It is kept nowhere that outlives the making."""


class SessionRedactor:
    """Redacts what belongs to one session, by what was learnt of it so far.

    The same records in the same order are redacted in the same way, however they are portioned.
    """

    def __init__(
        self, rules: Sequence[Rule], framing: str, texts: Texts, *, at_least: int = 1
    ) -> None:
        self.rules = rules
        self._texts = texts
        self._streams: dict[str, StreamRedactor] = {
            stream: StreamRedactor(texts, framing, has_messages=stream != "err", at_least=at_least)
            for stream in STREAMS
        }

    def once_more(self, framing: str, *, at_least: int) -> "SessionRedactor":
        """Return a redactor for the same session from its beginning, which knows as much."""
        return SessionRedactor(self.rules, framing, self._texts, at_least=at_least)

    @property
    def learnt(self) -> int:
        """How many secrets are known that are replaced wherever they stand."""
        return self._texts.secrets.number

    def session(self, session: Session) -> Session:
        """Return the session with its facts, its name and what was learnt of it without secrets."""
        name = without_secrets(session.name, self._texts)
        reason = without_secrets(session.dialect_reason, self._texts)
        outcome = without_secrets(session.outcome, self._texts)
        facts = self.facts(session.facts)
        # What the dialect has learnt is learnt anew from the redacted messages.
        return replace(
            session, name=name, outcome=outcome, facts=facts, dialect_reason=reason, traits=()
        )

    def facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Return facts without secrets, marked."""
        rest = {key: value for key, value in facts.items() if key != MARK}
        made: dict[str, Any] = without_secrets(rest, self._texts)
        return made | {MARK: _marked(facts.get(MARK), self.rules)}

    def event(self, event: Event) -> Event:
        """Return the event with its details without secrets."""
        return replace(event, detail=without_secrets(event.detail, self._texts))

    def feed(self, chunk: Chunk) -> list[Chunk]:
        """Return the chunks of the same stream that are decided now."""
        return self._streams[chunk.stream].feed(chunk)

    def flush(self, stream: str) -> list[Chunk]:
        """Decide what is held of a stream."""
        found = self._streams.get(stream)
        return [] if found is None else found.flush()

    def summary(self) -> dict[str, Replaced]:
        """Return by rule how much was replaced."""
        return self._texts.secrets.summary()


def new_salt() -> bytes:
    """Return a key for placeholders."""
    return os.urandom(SALT_SIZE)


def counted(facts: dict[str, Any], summary: dict[str, Replaced]) -> dict[str, Any]:
    """Return facts with how many secrets were replaced in their mark."""
    mark = facts[MARK]
    before = mark.get("secrets")
    secrets: Counter[str] = Counter({rule: it.secrets for rule, it in summary.items()})
    if isinstance(before, dict):
        secrets.update({rule: it for rule, it in before.items() if isinstance(it, int)})
    return facts | {MARK: mark | {"secrets": dict(secrets)}}


def _marked(before: Any, rules: Sequence[Rule]) -> dict[str, Any]:
    """Return the mark of a session that is redacted by these rules, perhaps once more."""
    found = before.get("rules") if isinstance(before, dict) else None
    earlier = [it for it in found if isinstance(it, str)] if isinstance(found, list) else []
    rest = before if isinstance(before, dict) else {}
    return rest | {"rules": list(dict.fromkeys([*earlier, *labels(rules)]))}
