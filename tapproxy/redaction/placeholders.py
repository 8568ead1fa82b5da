"""What takes a secret's place: the same number of bytes, the same for the same secret.

Every character is replaced by one that takes as many bytes in UTF-8, UTF-16, JSON and base64, so
that the placeholder fits wherever the secret stood. For that a few characters stay: those that
JSON may write in two bytes, and `?`, of which base64 may make a slash.
"""

import hmac
from collections.abc import Iterator
from functools import lru_cache

STAYING = frozenset('"\\/?\b\f\n\r\t')
"""Characters of a secret that its placeholder has too."""

_STAYING_BYTES = "".join(STAYING).encode()

WORD = "REDACTED"
"""With this a placeholder begins that is long enough."""

DISTINCT = 8
"""Characters by which long placeholders differ: 41 bits."""

_FILLER = "x"
_DECIMALS = "123456789"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_MANY_DIGITS = _DIGITS + _DIGITS[10:].upper()
_OF_SIZE = {2: "\u00b7", 3: "\u2026", 4: "\U0001f512"}
"""What replaces a character of so many bytes in UTF-8."""


class Placeholders:
    """Makes placeholders by a key that nobody else knows, so that none can be guessed from one."""

    def __init__(self, salt: bytes) -> None:
        self._salt = salt
        self.of_text = lru_cache(1 << 16)(self._of_text)

    def of_number(self, text: bytes) -> bytes:
        """Return a JSON number of the same form."""
        if text.isdigit() and text != b"0":
            return self.of_text(text)
        digits = iter(self._digits(text, _DECIMALS, len(text)))
        zero = 1 if text.lstrip(b"-").startswith(b"0") else 0
        made = []
        for character in text.decode("ascii", "replace"):
            if character.isdigit() and zero:
                zero = 0
                made.append(character)
            else:
                made.append(next(digits) if character.isdigit() else character)
        return "".join(made).encode()

    def _of_text(self, text: bytes) -> bytes:
        """Return the placeholder of a text, or of any bytes; that of digits is digits.

        They may stand in JSON as a number, too.
        """
        if text.isdigit():
            return self._digits(text, _DECIMALS, len(text)).encode()
        characters = text.decode(errors="surrogateescape")
        places = sum(it not in STAYING and _size(it) == 1 for it in characters)
        letters = iter(self._letters(text, places))
        return "".join(_replaced(it, letters) for it in characters).encode()

    def _letters(self, text: bytes, count: int) -> str:
        if count < DISTINCT:
            return self._digits(text, _MANY_DIGITS, count)
        if count < len(WORD) + DISTINCT:
            return WORD[0] + self._digits(text, _DIGITS, count - 1)
        distinct = self._digits(text, _DIGITS, DISTINCT)
        return WORD + distinct + _FILLER * (count - len(WORD) - DISTINCT)

    def _digits(self, text: bytes, alphabet: str, count: int) -> str:
        value = int.from_bytes(hmac.digest(self._salt, text, "sha256"), "big")
        made = []
        for _ in range(count):
            value, digit = divmod(value, len(alphabet))
            made.append(alphabet[digit])
        return "".join(made)


def is_placeholder(text: bytes) -> bool:
    """Tell whether a text seems to be a placeholder, of this redaction or of one before."""
    return text.lstrip(_STAYING_BYTES).startswith(WORD.encode())


def _size(character: str) -> int:
    """Return its bytes in UTF-8; a byte that is no character counts as one."""
    return len(character.encode(errors="surrogateescape"))


def _replaced(character: str, letters: Iterator[str]) -> str:
    if character in STAYING:
        return character
    return _OF_SIZE.get(_size(character)) or next(letters)
