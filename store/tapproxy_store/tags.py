"""Tags that tap puts on a session itself."""

from tapproxy_store.records import Session

REPLAY_OF = "replay-of"
"""On a replay's own recording: what was replayed."""

REPLAYED_AS = "replayed-as"
"""There, too: the side that was played."""


def is_replay(session: Session) -> bool:
    """Tell whether a session is a replay of another one."""
    tags = session.facts.get("tags")
    return isinstance(tags, dict) and REPLAY_OF in tags
