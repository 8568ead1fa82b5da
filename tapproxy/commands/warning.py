"""What is said of a recording before it is played: that it was redacted."""

from typing import Any

import click

from tapproxy_store.records import Session
from tapproxy_viewers.visible import shown

MARK = "redacted"
"""The fact by which that is known, named here once more: a replay has no time to import more."""


def warn_of_redaction(session: Session, form: str) -> None:
    """Say of a session that is replayed that it was redacted, where a person reads the report."""
    mark: Any = session.facts.get(MARK)
    if form == "json" or not isinstance(mark, dict):
        return
    said = mark.get("rules")
    rules = [it for it in said if isinstance(it, str)] if isinstance(said, list) else []
    click.echo(
        f"tap: the recording was redacted ({shown(', '.join(rules))}): a value that differs may be "
        "a placeholder",
        err=True,
    )
