"""Names that nobody has: a recording that exists is never overwritten.

On the way to the first byte, hence without heavy imports.
"""

import os
from collections.abc import Iterator
from itertools import count

from tapproxy_store.journal import SUFFIX


def free_names(path: str) -> Iterator[str]:
    """Yield `path`, `path~2`, `path~3`… as far as neither recording nor journal is there."""
    for number in count(1):
        candidate = path if number == 1 else f"{path}~{number}"
        if not os.path.lexists(candidate) and not os.path.lexists(candidate + SUFFIX):
            yield candidate
