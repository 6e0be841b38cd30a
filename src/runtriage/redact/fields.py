"""Secrets known by the name before them: assignments, JSON and YAML members, command-line flags, headers."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.loose import loose_value, spoken_name
from runtriage.redact.marker import MARKER, is_placeholder
from runtriage.redact.names import Kind, kind_of, looks_random

_LITERALS: Final = (
    "passw",
    "passphrase",
    "passcode",
    "pw",
    "secret",
    "token",
    "key",
    "credential",
    "auth",
    "cookie",
    "session",
    "pass",
    "connection",
    "sas",
    "pin",
    "otp",
    "cvv",
    "cvc",
    "code",
    "psk",
    "jwt",
    "srf",
)
_WORD: Final = deferred(
    r"(?:pass(?:w(?:or)?d|phrase|code)?|pwd|pw|secret|token|key|credential|auth|cookie|session|connection|sas|t?otp|pin|cv[vc]|code|psk|jwt|[cx]srf)[A-Za-z0-9_-]{0,40}",
    re.IGNORECASE,
)
_JOINT: Final = deferred(
    r"\\?[\"']?[ \t]{0,4},?\s{0,120}\\?[\"']?value\\?[\"']?[ \t]{0,8}[:=][ \t]{0,8}"  # {"name": "X_TOKEN", "value": ...}
    r"|:[ \t]{0,4}(?:str|bytes|SecretStr|Optional\[\w{1,20}\]|str \| None)[ \t]{0,4}=[ \t]{0,4}"  # password: str = "..."
    # password.value = ..., passwords[0] = ..., AWS Secret Access Key [None]: ..., password (plain text): ...
    r"|(?:\.(?:value|text|plain_?text|secret_value))?(?:[ \t]?(?:\[(?:\d{1,4}|None|\*{2,40}\w{0,8}|[\"'][\w.-]{1,40}[\"'])\]|\((?:plain|clear)[ -]?(?:text)?\)))?"
    r"\\?[\"']?\]?[ \t]{0,8}(?:=>|:=|!?==?|:(?!//))[ \t]{0,8}",
    re.IGNORECASE,
)
_FLAG_JOINT: Final = deferred(r"[ \t]{1,4}(?![-\s])|\\?[\"'][ \t]{0,4},[ \t]{0,4}(?=\\?[\"'])")
"""`--password VALUE`, and `["--password", "VALUE"]`."""
_TAG_JOINT: Final = deferred(r">")
_BARE: Final = deferred(
    r"(?:[^\s;&,\"'<>(){}\[\]|`]|[;&,(){}\[\]|](?!\s|$|\\?[\"']?[\w.-]{1,40}\\?[\"']?\s{0,4}[=:]))+"
)
_PHRASE: Final = deferred(r"(?:[ \t]+(?![\w.-]{1,40}[=:])[^\s,;\"'<>()}\]]+){1,12}")
_BLOCK: Final = deferred(r"[|>][-+]?\d?[ \t]*(?=\n)")
_STRING: Final = deferred(r"([\"'])[^\"'\n]{1,4000}\1")
_CODE: Final = deferred(
    r"[A-Za-z_][A-Za-z0-9_]{0,60}(?:\.[A-Za-z_][A-Za-z0-9_]{0,60}){0,8}\([^()\n]{0,200}\)|(?:self|cls|args|kwargs|cfg|config|settings|opts?|options|os|request|process)\.[A-Za-z_]"
)
"""A call or an attribute in a printed line of source: where the secret comes from, not the secret."""
_SCHEME: Final = deferred(
    r"(?:(?:bearer|basic|token|digest|negotiate|apikey|api-key|oauth|aws4-hmac-sha256|sharedkey|key)[ \t]+)",
    re.IGNORECASE,
)
_PATH: Final = deferred(
    r"(?:~|\.{1,2})?/[\w.@-]+(?:/[\w.@-]+)*/?|[A-Za-z]:[\\/][^\s]*|[\w.-]+\.(?:pem|key|json|pub|txt|crt|p12|pfx|ya?ml|toml|ini|env)"
)
_LEAD: Final = deferred(r"[bruBRUN]{1,2}(?=[\"'])|[A-Za-z_][\w.]{0,60}\([bruBRU]{0,2}(?=[\"'])")
_TRIPLE: Final = deferred(r"(\"{3}|'{3})(?P<text>[^\n]{1,4000}?)(?:\1|$)", re.MULTILINE)
_TICKED: Final = deferred(r"`(?P<text>[^\s`]{1,400})`")
_LONGEST: Final = 8_000
_MEASURE: Final = deferred(r"\d{1,9}(?:\.\d{1,6})?[A-Za-z%]{0,2}")
_DIGITS: Final = deferred(r"\d{3,10}")
_GLANCE: Final = 400
"""How much of an unquoted value is looked at before it is judged; a secret is then followed to its end."""


def without_fields(text: str) -> str:
    """Return the text with the values of secret-bearing names replaced."""
    lowered = text.lower()
    for literal in _LITERALS:
        if literal in lowered:
            return _without_values(text)
    return text


def _without_values(text: str) -> str:
    parts: list[str] = []
    done = at = 0
    while word := _WORD.search(text, at):
        span = _value_after(text, word)
        if span is None:
            at = word.end()
            continue
        start, end = span
        if text[start : end + 1].endswith(MARKER):  # an unquoted value may end before a bracket, not within the marker
            end += 1
        parts += (text[done:start], _masked(text[start:end]))
        done = at = end
    return "".join((*parts, text[done:])) if parts else text


def hides(name: str, value: str) -> bool:
    """Say whether the value of a field with this name is a secret."""
    kind = kind_of(name)
    return kind is not None and _is_secret(kind, name, value, quoted=True)


def _value_after(text: str, word: re.Match[str]) -> tuple[int, int] | None:
    """Return where the secret behind this word starts and ends, if there is one."""
    before = _before(text, word.start())
    first = word.start() - len(before)
    name = before + word[0]
    kind = kind_of(name)
    if kind is None:
        spoken = spoken_name(text, first, name)
        if spoken is None:
            return None
        name, kind = spoken, Kind.TOKEN if _JOINT.match(text, word.end()) else Kind.KEY
    joint = _joint(text, word, before)
    if joint is None:
        return loose_value(text, (first, word.end()), name, kind)
    if joint.end() >= len(text):
        return None
    start = _opened(text, joint.end())
    if kind is Kind.HEADER:
        return _header_value(text, start)
    block = _BLOCK.match(text, start)
    if block and ":" in joint[0]:
        return _block(text, word.start(), block.end())
    return _plain_value(text, start, kind, name, spoken=joint[0].endswith(": "))


def value_at(text: str, start: int, name: str, kind: Kind) -> tuple[int, int] | None:
    """Return where the value that starts here starts and ends without its quotes, if under this name it is a secret."""
    return _plain_value(text, _opened(text, start), kind, name, spoken=False)


def _opened(text: str, start: int) -> int:
    """Return where a literal starts that is marked as bytes or raw, or that a call wraps and that no name of a variable can be."""
    lead = _LEAD.match(text, start)
    if lead is None:
        return start
    inner = _STRING.match(text, lead.end())
    return lead.end() if inner and ("(" not in lead[0] or looks_random(inner[0][1:-1])) else start


def _before(text: str, end: int) -> str:
    """Return the part of a name that lies before `end`."""
    start = end
    while start and end - start < 60 and (text[start - 1].isalnum() or text[start - 1] in "_.-"):
        start -= 1
    return text[start:end]


def _joint(text: str, word: re.Match[str], before: str) -> re.Match[str] | None:
    joint = _JOINT.match(text, word.end())
    if joint is None and before.startswith("-"):
        joint = _FLAG_JOINT.match(text, word.end())
    if joint is None and text[word.start() - len(before) - 1 : word.start() - len(before)] == "<":
        joint = _TAG_JOINT.match(text, word.end())
    return joint


def _plain_value(text: str, start: int, kind: Kind, name: str, *, spoken: bool) -> tuple[int, int] | None:
    first, last, quoted = _extent(text, start)
    value = text[first:last]
    if value.startswith(("[", "(")):
        return (first, last) if kind is not Kind.TOKEN and _STRING.search(value) else None
    if not quoted:
        if value.startswith("{") and (len(value) == 1 or ":" in value):
            return None
        rest = _PHRASE.match(text, last) if spoken else None
        if _CODE.match(text, first):
            return None
        if rest and kind is Kind.PASSWORD:
            return None if is_placeholder(value) else (first, rest.end())
        if rest and value.isalpha() and value.islower():
            return None
    if not _is_secret(kind, name, value, quoted=quoted):
        return None
    whole = _BARE.match(text, first) if last - first == _GLANCE and not quoted else None
    return first, whole.end() if whole else last


def _extent(text: str, start: int) -> tuple[int, int, bool]:
    """Return where a value starts and ends (quotes left out) and whether it was quoted."""
    escaped = text.startswith("\\", start) and text[start + 1 : start + 2] in ('"', "'")
    opening = start + escaped
    quote = text[opening : opening + 1]
    if triple := _TRIPLE.match(text, start):
        return *triple.span("text"), True
    if ticked := _TICKED.match(text, start):
        return *ticked.span("text"), False
    if quote in {'"', "'"}:
        closing = _closing(text, opening + 1, "\\" + quote if escaped else quote)
        if closing >= 0:
            return opening + 1, closing, True
        start = opening + 1
    if text[start : start + 1] in ("[", "("):
        end = text.find("]" if text[start] == "[" else ")", start, start + _LONGEST)
        newline = text.find("\n", start, start + _LONGEST)
        if end > 0 and not 0 <= newline < end:
            return start, end + 1, False
    bare = _BARE.match(text, start, start + _GLANCE)
    return start, bare.end() if bare else start, False


def _closing(text: str, start: int, quote: str) -> int:
    """Return where the quote closes on this line, or -1. A backslash before a quote keeps it open."""
    limit = text.find("\n", start, start + _LONGEST)
    limit = limit if limit >= 0 else min(len(text), start + _LONGEST)
    at = start
    while (at := text.find(quote, at, limit)) >= 0:
        if len(quote) == 2 or text[at - 1] != "\\" or text[at - 2] == "\\":
            return at
        at += 1
    return -1


def _is_secret(kind: Kind, name: str, value: str, *, quoted: bool) -> bool:
    if is_placeholder(value):
        return False
    if kind is Kind.TOKEN:
        return looks_random(value)
    if kind is Kind.CODE:
        return _DIGITS.fullmatch(value) is not None
    if kind is Kind.PASSWORD:
        bare = name.lower().strip("-_")
        measured = bare in ("pass", "pw") and _MEASURE.fullmatch(value)
        return not measured and not (bare.endswith("pwd") and _PATH.fullmatch(value))
    if kind is Kind.HEADER:
        return True
    return len(value) >= (4 if quoted else 6) and not ("access" not in name.lower() and _PATH.fullmatch(value))


def _header_value(text: str, start: int) -> tuple[int, int] | None:
    first, last, quoted = _extent(text, start)
    scheme = _SCHEME.match(text, first)
    if scheme:
        first = scheme.end()
    if not quoted:
        ends = [at for at in (text.find(mark, first, first + _LONGEST) for mark in ('"', "'", "\n")) if at >= 0]
        last = min(ends) if ends else len(text)
    value = text[first:last].rstrip()
    if is_placeholder(value) or (scheme is None and " " in value and "=" not in value):
        return None
    return (first, first + len(value)) if scheme or "=" in value or looks_random(value) else None


def _block(text: str, key: int, start: int) -> tuple[int, int] | None:
    """Return the extent of a YAML block scalar: the lines after `start` that are indented deeper than the key."""
    line = text.rfind("\n", 0, key) + 1
    depth = len(text[line:key]) - len(text[line:key].lstrip(" -"))
    end = start
    while end < len(text) and end - start < _LONGEST:
        following = text.find("\n", end + 1)
        body = text[end + 1 : following if following >= 0 else len(text)]
        if body.strip() and len(body) - len(body.lstrip(" ")) <= depth:
            break
        end = following if following >= 0 else len(text)
    return (start + 1, end) if end > start + 1 else None


def _masked(value: str) -> str:
    if "\n" in value:
        return "\n".join(MARKER if line.strip() else line for line in value.split("\n"))
    return MARKER
