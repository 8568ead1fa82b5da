"""Reads one term: `key:value`, or `#12` for `n:12`."""

from tapproxy.filters.errors import FilterError, meant
from tapproxy.filters.expressions import Term
from tapproxy.filters.keys import KEYS
from tapproxy.filters.letters import Word, is_quoted, named, plain, shortened, split, written, wrong

_OTHER_LANGUAGES = {"&": "and", "&&": "and", "|": "or", "||": "or", "!": "not", "-": "not"}


def term(word: Word) -> Term:
    """Read a word; FilterError where it has no key, or its value is wrong."""
    if word[0].character == "#":
        return _read("n", word[1:], word)
    key, *value = split(word, ":", 1)
    if not value:
        raise _bare(word)
    if plain(key) not in KEYS:
        raise _no_key(key, word)
    return _read(plain(key), value[0], word)


def _read(key: str, value: Word, word: Word) -> Term:
    if not value:
        example = KEYS[key].example
        raise wrong(f"nothing follows {plain(word)}; write it as in {example}", word)
    return Term(key, written(value), tuple(KEYS[key].read(value)))


def _bare(word: Word) -> FilterError:
    text = plain(word)
    if text in KEYS:
        return wrong(f"{text} wants a value, as in {KEYS[text].example}", word)
    if text in _OTHER_LANGUAGES and not is_quoted(word):
        return wrong(f"{text} means nothing here; write {_OTHER_LANGUAGES[text]}", word)
    return wrong(
        f"{named(word)} has no key; to look for it write text:{shortened(written(word))}", word
    )


def _no_key(key: Word, word: Word) -> FilterError:
    name = plain(key)
    if name[:1] in ("-", "!") and name[1:] in KEYS:
        return wrong(
            f"{name[0]} means nothing here; write not {shortened(written(word)[1:])}", word
        )
    return wrong(f"{named(key)} is no key; {meant(name, KEYS)}", key or word)
