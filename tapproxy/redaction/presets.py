"""What the presets look for: shapes of secrets in text, and names of members that hold one."""

import re
from binascii import Error, a2b_base64
from collections.abc import Callable
from dataclasses import dataclass

from tapproxy.redaction.names import Names
from tapproxy.redaction.secrets import LONG, SHORTEST


def _anything(_text: bytes, _match: re.Match[bytes]) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Shape:
    """A form by which a secret is known: group 1 of the pattern if it has one, else all of it."""

    rule: str
    hints: tuple[bytes, ...]  # without one of them, the pattern is not in a text
    pattern: re.Pattern[bytes]
    shortest: int = SHORTEST  # bytes from which on it is replaced elsewhere, too
    accepts: Callable[[bytes, re.Match[bytes]], bool] = _anything
    inner: Callable[[bytes], bytes] | None = None  # the secret within it, which is one elsewhere


_BEFORE = rb"(?:(?<![A-Za-z0-9])|(?<=[0-9\[;]m))"
"""No letter; or the end of a colour, as terminals have it."""

_TOKENS: tuple[tuple[tuple[bytes, ...], bytes], ...] = (
    ((b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"), rb"gh[pousr]_[A-Za-z0-9]{16,255}"),
    ((b"github_pat_",), rb"github_pat_[A-Za-z0-9_]{16,255}"),
    ((b"glpat-",), rb"glpat-[A-Za-z0-9_-]{16,255}"),
    ((b"sk-",), rb"sk-[A-Za-z0-9_-]{16,255}"),
    ((b"k_live_", b"k_test_"), rb"[srp]k_(?:live|test)_[A-Za-z0-9]{10,255}"),
    ((b"xox", b"xapp-"), rb"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,255}"),
    ((b"AKIA", b"ASIA"), rb"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ((b"AIza",), rb"AIza[A-Za-z0-9_-]{30,40}"),
    ((b"ya29.",), rb"ya29\.[A-Za-z0-9_-]{16,2048}"),
    ((b"npm_",), rb"npm_[A-Za-z0-9]{30,40}"),
    ((b"pypi-",), rb"pypi-[A-Za-z0-9_-]{16,1024}"),
    ((b"hf_",), rb"hf_[A-Za-z0-9]{20,64}"),
    ((b"SG.",), rb"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
    ((b"glptt-", b"gldt-", b"glrt-", b"glsoat-"), rb"gl(?:ptt|dt|rt|soat)-[A-Za-z0-9_-]{16,255}"),
    ((b"GOCSPX-",), rb"GOCSPX-[A-Za-z0-9_-]{16,64}"),
    ((b"1//0",), rb"1//0[A-Za-z0-9_-]{24,512}"),
    ((b"dop_v1_", b"doo_v1_", b"dor_v1_"), rb"do[opr]_v1_[a-f0-9]{64}"),
    ((b"lin_api_", b"ntn_"), rb"(?:lin_api|ntn)_[A-Za-z0-9]{20,64}"),
    ((b"gsk_", b"hvs.", b"sbp_"), rb"(?:gsk_|hvs\.|sbp_)[A-Za-z0-9_-]{20,255}"),
    ((b"xai-", b"pplx-"), rb"(?:xai|pplx)-[A-Za-z0-9]{20,255}"),
    ((b"hooks.slack.com/",), rb"hooks\.slack\.com/[a-z]{1,20}/([A-Za-z0-9/]{20,100})"),
    ((b"/api/webhooks/",), rb"api/webhooks/[0-9]{5,30}/([A-Za-z0-9_-]{20,100})"),
    ((b":AA",), rb"(?:bot)?[0-9]{6,12}:(AA[A-Za-z0-9_-]{32,34})(?![A-Za-z0-9_-])"),
    (
        (b"eyJ",),
        rb"(?<!-)eyJ[A-Za-z0-9_-]{6,8192}\.[A-Za-z0-9_-]{6,65536}(?:\.[A-Za-z0-9_-]{0,65536}){1,3}",
    ),
)
"""Hints and expressions, as the issuers of the tokens document them; a JWT is RFC
7519's, with five parts RFC 7516's."""

LONGEST_KEY = 1 << 15
"""Bytes of a private key."""
KEY_BEGINS, KEY_ENDS = b"-----BEGIN ", b"-----END "
PRIVATE = b"PRIVATE KEY"

_PEM = re.compile(
    rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    rb"(?:(?:\\{1,8}[nr]|[\r\n])++(?:Proc-Type|DEK-Info|Version|Comment): "
    rb"[^\r\n\"\\]{1,100}+){0,8}+"
    rb"((?:[A-Za-z0-9+/=\\\r\n]|(?<=[\r\n])[ \t]|(?<=[\r\n][ \t])[ \t]++|(?<=\\[nr])[ \t]++){8,%d})"
    % LONGEST_KEY
)
"""RFC 7468: what stands between the two lines, or before the key is cut off; also RFC 1421's
headers."""

_CREDENTIAL = rb"[A-Za-z0-9._~+/=-]"

_COOKIE_HINTS = (b"ookie", b"OOKIE")
LONGEST_COOKIE = 1 << 12
"""Bytes of a browser's cookies (RFC 6265, section 6.1, has it keep as much)."""

_COOKIE = re.compile(
    rb"(?i)(?<![a-z-])(?:set-)?cookie[\"']?[ \t]*(?::|,(?:[ \t]*\"value\"[ \t]*:)?)[ \t]*[\"']?"
)
_BETWEEN_HEADERS = b"\r\n\"'\\"
_ATTRIBUTES = frozenset(
    (b"path", b"domain", b"expires", b"max-age", b"samesite", b"version", b"priority")
)
"""What else has a value in a `Set-Cookie:` (RFC 6265, section 4.1)."""

_SCHEME = re.compile(rb"(?i)[\s\"':=](?:bearer|basic|digest|negotiate|token|api-?key)[ \t]+\Z")
"""What stands before a credential (RFC 9110, section 11.6.2)."""

_EMAIL = re.compile(
    rb"(?<![A-Za-z0-9._%+-])[A-Za-z0-9_%+-][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}"
    rb"[A-Za-z]{2,24}(?![A-Za-z0-9-])"
)
_NOBODY = (b"git@",)
"""Beginnings of what looks like an address and is nobody's: that of a repository."""

_NAME = rb"[^/\\\s\"'`<>|:;,*?&%()\[\]{}\x00-\x1f]{1,64}"
_SEPARATOR = rb"(?<![/\\])[/\\]{1,64}"
_HOME = re.compile(rb"%s(?:home|Users)[/\\]{1,64}(%s)" % (_SEPARATOR, _NAME))
_SPACED_HOME = re.compile(
    rb"[A-Za-z]:[/\\]{1,64}Users[/\\]{1,64}([^/\\:*?\"<>|\r\n]{1,64})(?=[/\\])"
)
_NO_NAMES = frozenset((b"Shared", b"Public", b"Default", b"All Users", b".", b".."))
_GENERIC = frozenset(
    b"user users root home node runner admin ubuntu debian vscode app dev test guest work"
    b" name username me you".split()
)
"""Names that nobody is known by, and words elsewhere: they are replaced in the path alone."""
_URL = re.compile(rb"https?://[^\s\"'<>]*$")

_SECRET_VARIABLES = (
    rb"(?-i:[A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY"
    rb"|SECRET_?KEY|CREDENTIALS?)(?:_ID)?)"
)
"""In capitals, as variables are: a `progressToken` is none."""
_ENVIRONMENTS = rb"env|environment|env(?:ironment)?[_-]?var(?:iable)?s"
_PREFIX = rb"(?:[A-Za-z0-9]*[_-])*"
_KEYS = rb"(?:api|access|private|secret|encryption|account|shared[_-]?access)[_-]?key"
_SECRET_MEMBERS = (
    rb"%s(?:pass|password|passwd|passphrase|passcode|pwd|secret|client[_-]?secret|%s(?:[_-]?data)?"
    rb"|(?:access|refresh|id|auth|bearer|session|api|oauth|csrf|xsrf)[_-]?token)" % (_PREFIX, _KEYS)
)
_HARMLESS = (
    rb"(?:progress|next|prev|previous|page|result|done|continuation|cancel|cancellation|cursor|sync"
    rb"|resume|start|end|first|last|stop|eos|bos|pad|unk|max|min|total|current|design|syntax)"
)
"""What a token is of that is none of access: of progress, of pages, of a language model."""
_PREFIXED_TOKENS = (
    rb"(?![A-Za-z0-9_-]*(?<![a-z])%s[_-]?token)%s[A-Za-z0-9]+[_-]token" % (_HARMLESS, _PREFIX),
    rb"(?![A-Za-z0-9_-]*%s(?-i:Token))%s(?-i:[A-Za-z0-9]*[a-z0-9](?:Token|Password|Passphrase|Secret"
    rb"|ApiKey|APIKey|AccessKey|PrivateKey|SecretKey))" % (_HARMLESS, _PREFIX),
)
_SEVERAL = rb"%s(?:secrets?|passwords|credentials?|api[_-]?keys)" % _PREFIX
"""Names of objects and lists of such values."""


_QUERY = re.compile(
    rb"(?i)[?&](?:key|code|auth|sig|signature|sid|session|x-amz-signature|x-goog-signature)="
    rb"([^&\s\"'#<>\\]{8,4096})"
)
_QUERY_HINTS = (b"key=", b"code=", b"auth=", b"sig=", b"ignature=", b"sid=", b"session=")
"""What is signed by in a URL, or serves as a token there."""

_HINTS = (b"pass", b"pwd", b"secret", b"key", b"credential", b"token")
"""One of which all those names have."""


def shapes(preset: str) -> list[Shape]:
    """Return the shapes that a preset looks for."""
    if preset == "tokens":
        made = [Shape(preset, hints, re.compile(_BEFORE + pattern)) for hints, pattern in _TOKENS]
        return [*made, Shape(preset, (b"PRIVATE KEY",), _PEM)]
    if preset == "keys":
        return [Shape(preset, _QUERY_HINTS, _QUERY, LONG)]
    if preset == "headers":
        return list(_headers(preset))
    if preset == "email":
        return [Shape(preset, (b"@",), _EMAIL, accepts=_is_somebody)]
    if preset == "home":
        spaced = Shape(preset, (b"Users",), _SPACED_HOME, accepts=_is_name)
        generic = Shape(preset, (b"home", b"Users"), _HOME, LONG * LONG, accepts=_is_generic)
        name = Shape(preset, (b"home", b"Users"), _HOME, accepts=_is_own_name)
        return [spaced, name, generic]
    return []


def names(preset: str) -> list[Names]:
    """Return the members that a preset looks for."""
    if preset == "keys":
        # LSP's tokens of progress are called so, too, and are short or no strings.
        token = Names(preset, (rb"token",), "strings", LONG, (b"token",), least=LONG)
        several = Names(preset, (_SEVERAL,), "all", LONG, _HINTS, least=SHORTEST)
        members = (_SECRET_MEMBERS, *_PREFIXED_TOKENS)
        others = Names(preset, members, "scalars", LONG, _HINTS, least=SHORTEST)
        return [token, several, others]
    if preset == "env":
        variables = Names(preset, (_SECRET_VARIABLES,), "strings", LONG, _HINTS, least=SHORTEST)
        objects = Names(preset, (_ENVIRONMENTS,), "values", LONG, (b'"env',))
        return [objects, variables]
    return []


def _headers(preset: str) -> list[Shape]:
    value = rb"(%s{4,})" % _CREDENTIAL
    named = re.compile(
        rb"(?i)authorization[\"']?[ \t]*(?:[:=]|,(?:[ \t]*\"value\"[ \t]*:)?)[ \t]*[\"']?"
        rb"(?:[a-z0-9-]+[ \t]+)?%s" % value
    )
    signed = re.compile(rb"(?i)(?:signature|response)=\"?([0-9a-f]{32,128})(?![0-9a-z])")
    cookie = re.compile(rb"[:;\"'\s,][^=;:,\s\"'\\]{1,64}+=([^;\s\"'\\]{4,})")
    bearer = re.compile(rb"(?i)(?<![a-z])bearer[ \t]+(%s{16,})" % _CREDENTIAL)
    basic = re.compile(
        rb"(?i)(?:(?<![a-z])basic[ \t]+|\"auth\"[ \t]*:[ \t]*\")(%s{8,})" % _CREDENTIAL
    )
    in_url = re.compile(
        rb"(?<![a-zA-Z0-9+.-])[a-zA-Z][a-zA-Z0-9+.-]{0,30}://[^/\s:@\"']{0,200}:([^/\s@\"']{1,200})@"
    )
    alone = re.compile(rb"://([A-Za-z0-9_.~%-]{16,200})@")
    return [
        Shape(preset, (b"asic", b"ASIC", b'"auth"'), basic, LONG, _has_password, _password),
        Shape(preset, (b"uthorization", b"UTHORIZATION"), named, LONG, _is_credential),
        Shape(preset, _COOKIE_HINTS, cookie, LONG, _is_cookie),
        Shape(preset, (b"ignature=", b"response="), signed, LONG),
        Shape(preset, (b"earer", b"EARER"), bearer, LONG, _has_digit),
        Shape(preset, (b"://",), in_url),
        Shape(preset, (b"://",), alone, LONG, _has_digit),
    ]


def _is_cookie(text: bytes, match: re.Match[bytes]) -> bool:
    """Tell whether this is one of the values after `Cookie:`, and none of its attributes."""
    begin = _cookies_before(text, match.start() + 1)
    pairs = text[begin : match.start(1)] if begin is not None else b""
    name, equals, rest = pairs.rpartition(b";")[2].strip().partition(b"=")
    if not equals or rest or b" " in name or name.lower() in _ATTRIBUTES:
        return False
    return len(pairs.translate(None, _BETWEEN_HEADERS)) == len(pairs)


def _cookies_before(text: bytes, end: int) -> int | None:
    """Return where the values of the last header before a place begin."""
    least = max(end - LONGEST_COOKIE, 0)
    at = max(text.rfind(it, least, end) for it in _COOKIE_HINTS)
    starts = (at - len(b"set-c"), at - len(b"c")) if at > 0 else ()
    matches = (_COOKIE.match(text, it) for it in starts if it >= 0)
    return next((it.end() for it in matches if it), None)


def _is_credential(text: bytes, match: re.Match[bytes]) -> bool:
    """Tell whether this is a credential, as its scheme or its digits say, and no word."""
    return (
        _has_digit(text, match) or _SCHEME.search(text, match.start(), match.start(1)) is not None
    )


def _has_digit(_text: bytes, match: re.Match[bytes]) -> bool:
    return any(48 <= it < 58 for it in match[1])


def _has_password(_text: bytes, match: re.Match[bytes]) -> bool:
    """Tell whether this is `user:password` in base64 (RFC 7617), and no word."""
    try:
        return b":" in a2b_base64(match[1], strict_mode=True)
    except Error:
        return False


def _password(basic: bytes) -> bytes:
    return a2b_base64(basic).partition(b":")[2]


def _is_somebody(_text: bytes, match: re.Match[bytes]) -> bool:
    return not match[0].startswith(_NOBODY)


def _is_name(text: bytes, match: re.Match[bytes]) -> bool:
    """Tell whether this is somebody's folder, and no page of a web site."""
    before = text[max(match.start() - 200, 0) : match.start()]
    return match[1] not in _NO_NAMES and _URL.search(before) is None


def _is_generic(text: bytes, match: re.Match[bytes]) -> bool:
    return match[1].lower() in _GENERIC and _is_name(text, match)


def _is_own_name(text: bytes, match: re.Match[bytes]) -> bool:
    return match[1].lower() not in _GENERIC and _is_name(text, match)
