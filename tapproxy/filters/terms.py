"""Reads one term: `key:value`, or `#12` for `n:12`."""

from tapproxy.filters.errors import FilterError, meant
from tapproxy.filters.expressions import Term
from tapproxy.filters.guesses import reason
from tapproxy.filters.keys import KEYS
from tapproxy.filters.letters import Word, named, plain, shortened, split, written, wrong

_COMPARED = {
    "size": "size:>64k",
    "latency": "latency:>3s",
    "gap": "gap:>3s",
    "t": "t:>1.5s",
    "n": "n:>10",
}
"""Keys whose values may begin with a sign that a shell takes for itself."""


def term(word: Word, before: Word = ()) -> Term:
    """Read a word; FilterError where it has no key, or its value is wrong.

    `before` is the word that stands before it, for a guess what was meant.
    """
    if plain(word) == "#":
        raise wrong("nothing follows #; write it as in #12", word)
    if word[0].character == "#":
        return _read("n", word[1:], word)
    key, *value = split(word, ":", 1)
    if not value:
        raise wrong(reason(word, before), word)
    if plain(key) not in KEYS:
        raise _no_key(key, word)
    return _read(plain(key), value[0], word)


def _read(key: str, value: Word, word: Word) -> Term:
    if not value:
        raise wrong(f"nothing follows {plain(word)}; {_missing(key)}", word)
    return Term(key, written(value), tuple(KEYS[key].read(value)))


def _missing(key: str) -> str:
    if key in _COMPARED:
        return f"if you wrote > or <, the shell took it: quote the filter, as in '{_COMPARED[key]}'"
    return f"write it as in {KEYS[key].example}"


def _no_key(key: Word, word: Word) -> FilterError:
    name = plain(key)
    if name[:1] in ("-", "!") and name[1:] in KEYS:
        return wrong(
            f"{name[0]} means nothing here; write not {shortened(written(word)[1:])}", word
        )
    return wrong(f"{named(key)} is no key; {meant(name, KEYS)}", key or word)
