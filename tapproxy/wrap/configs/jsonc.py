"""JSON as people write it, with comments and trailing commas: where each value stands.

Comments are as in JavaScript; a comma may follow the last member or item (Visual Studio Code's
"JSON with Comments"; Zed's settings). Plain JSON is read in the same way.
"""

import json
import re
from typing import NoReturn

from tapproxy.wrap.configs.language import Language
from tapproxy.wrap.configs.spans import DEEPEST, Document, Node, NotReadable, Pair, flat

_between = re.compile(r"(?:[ \t\r\n]++|//[^\r\n]*+|/\*(?s:.*?)\*/)*+").match
_text = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"').match
_scalar = re.compile(
    r"(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![\w.+-])"
).match


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)  # NaN and the like


_decoder = json.JSONDecoder(parse_constant=_refuse)


def read(text: str) -> Document:
    """Return where the values of a text stand whose outermost value is an object.

    Raises NotReadable.
    """
    return Document(text, flat(_Reader(text).root().pairs))


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


JSONC = Language("JSON", read, _literal, _literal)


class _Reader:
    """Goes through a text once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._levels = 0

    def root(self) -> Node:
        self._at = int(self._text.startswith("\ufeff"))
        self._skip()
        if self._at == len(self._text):
            raise NotReadable("nothing is in it", self._at)
        if not self._sees("{"):
            self._fail("an object in braces was expected")
        node = self._value()
        self._skip()
        if self._at < len(self._text):
            self._fail("something follows the last closing brace")
        return node

    def _value(self) -> Node:
        if self._sees("{"):
            return self._object()
        if self._sees("["):
            return self._list()
        if self._sees('"'):
            return self._string()
        found = _scalar(self._text, self._at)
        if found is None:
            self._fail("a value was expected")
        self._at = found.end()
        return Node("other", found.start(), found.end())

    def _object(self) -> Node:
        start = self._enter()
        pairs: list[Pair] = []
        while not self._ends("}", begun=bool(pairs)):
            pairs.append(self._pair())
        return Node("table", start, self._at, pairs=tuple(pairs))

    def _list(self) -> Node:
        start = self._enter()
        items: list[Node] = []
        while not self._ends("]", begun=bool(items)):
            items.append(self._passed_over() or self._value())
        return Node("list", start, self._at, items=tuple(items))

    def _passed_over(self) -> Node | None:
        """Go past an object or list in a list, in which nothing is looked for.

        The standard library does that at once, unless a comment is in it: a client's history, which
        some keep with its servers, may have a hundred thousand values.
        """
        if not (self._sees("{") or self._sees("[")):
            return None
        try:
            start, (_, self._at) = self._at, _decoder.raw_decode(self._text, self._at)
        except (ValueError, RecursionError):
            return None
        return Node("other", start, self._at)

    def _enter(self) -> int:
        if self._levels == DEEPEST:
            self._fail(f"it is nested more than {DEEPEST} levels deep")
        self._levels += 1
        self._at += 1
        return self._at - 1

    def _ends(self, closing: str, *, begun: bool) -> bool:
        """Go on to the next member or item, or past the end."""
        self._skip()
        if begun and not self._sees(closing):
            if not self._sees(","):
                self._fail(f"a comma or {closing} was expected")
            self._at += 1
            self._skip()
        if not self._sees(closing):
            return False
        self._at += 1
        self._levels -= 1
        return True

    def _pair(self) -> Pair:
        if not self._sees('"'):
            self._fail("a name in double quotes was expected")
        name = self._string()
        self._skip()
        if not self._sees(":"):
            self._fail("a colon was expected")
        self._at += 1
        self._skip()
        return Pair((name.value,), name.start, name.start, name.end, self._value())

    def _string(self) -> Node:
        found = _text(self._text, self._at)
        if found is None:
            self._fail("this text does not end on its line, or has a wrong escape in it")
        self._at = found.end()
        return Node("text", found.start(), found.end(), json.loads(found.group()))

    def _skip(self) -> None:
        found = _between(self._text, self._at)
        self._at = found.end() if found else self._at
        if self._sees("/*"):
            self._fail("this comment never ends")

    def _sees(self, sign: str) -> bool:
        return self._text.startswith(sign, self._at)

    def _fail(self, reason: str) -> NoReturn:
        raise NotReadable(reason, self._at)
