"""Batches (JSON-RPC 2.0, section 6), compared item by item, in whatever order those are."""

from collections.abc import Iterator, Sequence
from typing import Any

from tapproxy.diffing.volatile import without_volatile
from tapproxy.replay.spoken import BATCH, Spoken, digest, essence
from tapproxy_viewers.differences import ABSENT

ID = "id"


def items_of(spoken: Spoken, volatile: Sequence[str]) -> list[Any] | None:
    """Return the items of a batch less what differs from run to run; None where it is no batch.

    Answers keep their ids, which are those of questions that a replay has asked as recorded: they
    tell which answer is to which.
    """
    if spoken.kind != BATCH:
        return None
    value = essence(spoken, ())
    if not isinstance(value, list):  # too large to be read, or damaged
        return None
    of_answers = [it for it in volatile if it != ID]
    return [without_volatile(it, of_answers if _is_answer(it) else volatile) for it in value]


def key_of(items: Sequence[Any]) -> bytes:
    """Return what is the same for batches with the same items in any order."""
    return digest(sorted(digest(it).hex() for it in items))


def pairs(one: Sequence[Any], other: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Yield which item of one batch stands in whose place of the other.

    Those that are the same find each other, wherever they are; the others do in their order.
    """
    same: dict[bytes, list[int]] = {}
    for at in reversed(range(len(other))):
        same.setdefault(digest(other[at]), []).append(at)
    alone = []
    for at, item in enumerate(one):
        places = same.get(digest(item))
        if places:
            yield at, places.pop()
        else:
            alone.append(at)
    yield from zip(alone, sorted(at for left in same.values() for at in left), strict=False)


def reordered(one: Sequence[Any], other: Sequence[Any]) -> list[Any]:
    """Return the items of the other batch as those of the one stand; what is beyond, at the end."""
    found = dict(pairs(one, other))
    beyond = sorted(set(range(len(other))).difference(found.values()))
    placed = [other[found[at]] if at in found else ABSENT for at in range(len(one))]
    return placed + [other[at] for at in beyond]


def _is_answer(item: Any) -> bool:
    return isinstance(item, dict) and "method" not in item
