"""`python -m tapproxy.ingest JOURNAL`: the ingester, a process beside the session.

With `--detach` it takes the journal from its stdin, where it stays readable if it is deleted, and
leaves its parent and its parent's session, so that nothing of ours is seen or waited for there.
"""

import gc
import os
import sys
from threading import Thread

from tapproxy.ingest.follow import follow
from tapproxy.retention.pruning import prune_for
from tapproxy_store.errors import StoreError
from tapproxy_store.journal import SUFFIX
from tapproxy_store.journal_reading import NotAJournal

NICENESS = 10
"""Behind the plugin and the host, who are waiting for each other."""

MOST_OBJECTS = 100_000
"""New ones before Python looks for circles among them: rows are many, and make none."""


def main() -> int:
    """Bring a journal's recording up to date until its session is over."""
    gc.set_threshold(MOST_OBJECTS)
    *options, path = sys.argv[1:]
    detached = "--detach" in options
    journal = 0
    if detached:
        _detach()
    try:
        if not detached:
            journal = os.open(path, os.O_RDONLY)
        recording = path.removesuffix(SUFFIX)
        pruning = Thread(target=prune_for, args=(journal, recording))
        pruning.start()  # beside the work that somebody may wait for
        follow(journal, path, recording)
        pruning.join()
    except NotAJournal:
        sys.stderr.write(f"tap: {path} is not the journal of a recording\n")
        return 3
    except (StoreError, OSError) as error:
        sys.stderr.write(f"tap: {error}\n")
        return 3
    return 0


def _detach() -> None:
    if os.fork():
        os._exit(0)
    os.setsid()
    os.nice(NICENESS)
    os.chdir("/")


if __name__ == "__main__":
    sys.exit(main())
