"""Writes words into a list as the list is written: on one line, or each on its own."""

from collections.abc import Sequence

from tapproxy.wrap.configs.spans import Document, Node

SPACES = " \t\r\n"


def with_first(document: Document, node: Node, words: Sequence[str]) -> str:
    """Return a list with words before its first item; they are written as they must be."""
    written = document.written(node)
    if not node.items:
        return written[0] + ", ".join(words) + written[1:]
    at = _beginning(written) or node.items[0].start - node.start
    between = "," + _between(document, node)
    return written[:at] + "".join(word + between for word in words) + written[at:]


def with_only(document: Document, node: Node, words: Sequence[str]) -> str:
    """Return a list that has the words in place of its items; comments within it go too."""
    written = document.written(node)
    if not node.items:
        return written[0] + ", ".join(words) + written[-1]
    before = space_before(document.text, node.items[0].start)
    after = space_before(document.text, node.end - 1)
    inner = ("," + _between(document, node)).join(words)
    return written[0] + before + inner + after + written[-1]


def without_first(document: Document, node: Node, count: int) -> str:
    """Return a list without its first items; what stands between them goes too."""
    written = document.written(node)
    if count == len(node.items):
        return written[0] + written[-1]
    start, end = node.items[0].start - node.start, node.items[count - 1].end - node.start
    rest = written[end:].lstrip(SPACES)
    if rest[0] in ",;":
        return written[:start] + rest[1:].lstrip(SPACES)
    return written[:start] + written[node.items[count].start - node.start :]


def _beginning(written: str) -> int:
    """Return where the first line within a list begins that is broken after its bracket, else 0.

    A comment on that line is about the first item, and stays with it.
    """
    inner = written[1:].lstrip(SPACES)
    at = len(written) - len(inner)
    return at if "\n" in written[:at] else 0


def space_before(text: str, at: int) -> str:
    """Return the spaces and line ends that stand right before an offset."""
    return text[len(text[:at].rstrip(SPACES)) : at]


def _between(document: Document, node: Node) -> str:
    """Return what stands before an item that has another before it."""
    written = document.written(node)
    first = written[1 : _beginning(written)] or space_before(document.text, node.items[0].start)
    if "\n" in first:
        return first
    if len(node.items) == 1:
        return " "
    return space_before(document.text, node.items[1].start)
