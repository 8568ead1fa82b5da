"""`flag:` looks at a message's flags, at what is wrong with a frame, and at missing answers."""

from collections.abc import Iterator

from tapproxy.filters.candidate import Candidate
from tapproxy.filters.expressions import Condition, Sql
from tapproxy.filters.letters import Word, wrong
from tapproxy.filters.patterns import stored_pattern

UNANSWERED = "unanswered"
"""A flag that is stored nowhere: an answer may come as long as the session lives."""

_FLAGGED = "instr(' ' || m.flags || ' ', ?) OR f.flaw = ?"

_UNANSWERED = """\
m.asks AND NOT EXISTS (
    SELECT 1 FROM messages AS answer
    WHERE answer.session = m.session AND answer.answers = m.frame AND answer.answers_part = m.part
)"""


def flag_condition(word: Word) -> Condition:
    """Read a flag; FilterError where it is no single word."""
    wanted = stored_pattern(word)
    if not wanted.text or " " in wanted.text:
        raise wrong("a flag is one word, as in flag:error", word)
    holds = wanted.holds()
    return Condition(
        lambda candidate: any(map(holds, _flags(candidate))),
        None if wanted.is_glob else _sql(wanted.text),
    )


def _flags(candidate: Candidate) -> Iterator[str]:
    if candidate.frame.flaw is not None:
        yield candidate.frame.flaw
    message = candidate.message
    if message is None:
        return
    if message.flags is not None:
        yield from message.flags.split(" ")
    if message.asks and not candidate.answered:
        yield UNANSWERED


def _sql(word: str) -> Sql:
    parameters = (f" {word} ", word)
    if word == UNANSWERED:
        return Sql(f"({_FLAGGED} OR {_UNANSWERED})", parameters)
    return Sql(f"({_FLAGGED})", parameters)
