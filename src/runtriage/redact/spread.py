"""Secrets that a narrow terminal or a writer of logs broke over lines, and secrets on the line below their name."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import MARKER
from runtriage.redact.names import kind_of

_LEAD: Final = r"(?:\[[^\]\n]{1,40}\]:? ?|[^\s:]{1,40}: )?[ \t│┃|>]{0,40}[\"']?"
_RUN: Final = deferred(
    rf"(?P<lead>{_LEAD})(?P<run>[A-Za-z0-9+/_.~%-]{{6,4000}}={{0,2}})(?=[\"',;)}}\]\\│┃| \t]{{0,80}}$)"
)
_ALONE: Final = deferred(r"(?P<lead>[ \t]{0,40}[\"']?)(?P<run>[A-Za-z0-9+/_.~%-]{6,4000}={0,2})(?=[\"']?[ \t]{0,80}$)")
_NAMED: Final = deferred(
    r"(?P<name>[A-Za-z0-9_.-]{2,80})[\"']?[ \t]{0,8}[=:]{1,2}[ \t]{0,8}(?:\\|\"\"\"|'''|[|>][-+]?)?[ \t│┃|]{0,80}$"
)
_BROKEN: Final = deferred(
    r"(?<=://)(?P<user>[^\s/@:\"'<>?#]{1,100}):(?!\d{1,5}\n)(?P<head>[^\s/@\"'<>]{3,200})\n(?P<tail>[^\s/@\"'<>]{0,200})@(?=[\w.\[-])"
)
_LAST: Final = deferred(r"(?<=://)(?P<user>[^\s/@:\"'<>?#]{1,100}):(?P<word>[^\s/@\"'<>]{8,400})$", re.MULTILINE)
"""An address that ends behind a colon: what follows there is no port where it is no number."""
_TORN: Final = deferred(r"(?P<asked>[?&;](?:amp;)?)?(?<![\w.-])(?P<start>[A-Za-z][\w.-]{0,60})$")
_REST: Final = deferred(
    rf"(?P<lead>{_LEAD}(?P<rest>[A-Za-z0-9_-]{{1,60}})[\"']?[ \t]{{0,4}}[=:][ \t]{{0,4}}[\"']?)(?P<value>[^\s\"'&;,)}}\]]{{8,4000}})"
)
_ASKED: Final = frozenset(
    {"sig", "signature", "token", "key", "code", "secret", "auth", "jwt", "hmac", "pwd", "assertion"}
)
_CLOSED: Final = "\"',;)}\\│┃| \t"


def without_spread(text: str) -> str:
    """Return the text with what of a secret stands on the next lines replaced; the number of lines stays."""
    if "://" in text:
        text = _LAST.sub(_last, _BROKEN.sub(rf"\g<user>:{MARKER}\n{MARKER}@", text))
    if "\n" not in text:
        return text
    lines = text.split("\n")
    changed = False
    for number in range(1, len(lines)):
        torn = _torn(lines[number - 1], lines[number])
        if torn is not None:
            lines[number], changed = torn, True
        gap = number > 1 and not lines[number - 1].strip()  # one empty line between a name and its value
        if not (_named_below(lines[number - 2]) if gap else _goes_on(lines[number - 1])):
            continue
        found = (_ALONE if gap else _RUN).match(lines[number])
        if found is not None and _random(found["run"]):
            lines[number] = found["lead"] + MARKER + lines[number][found.end() :]
            changed = True
    return "\n".join(lines) if changed else text


def _torn(line: str, following: str) -> str | None:
    """Return the next line without its secret where the end of one line and the start of the next make the name of one."""
    if not line[-1:].isalnum() and line[-1:] not in ("_", "-", "."):
        return None
    rest = _REST.match(following)
    if rest is None or not _random(rest["value"]) or kind_of(rest["rest"]) is not None:
        return None
    start = _TORN.search(line, max(0, len(line) - 80))
    if start is None:
        return None
    name = start["start"] + rest["rest"]
    if kind_of(name) is None and not (start["asked"] and name.lower() in _ASKED):
        return None
    return rest["lead"] + MARKER + following[rest.end() :]


def _last(found: re.Match[str]) -> str:
    return f"{found['user']}:{MARKER}" if _random(found["word"]) else found[0]


def _goes_on(line: str) -> bool:
    """Say whether what stands on the next line may belong to a secret: one ends this line, or its name does."""
    bare = line.rstrip(_CLOSED)
    if bare.endswith(MARKER):
        return True
    if not bare or bare[-1] not in "=:>-+":
        return line.endswith(('"""', "'''")) and _is_named(line)
    return _is_named(line)


def _named_below(line: str) -> bool:
    return line.rstrip().endswith((":", "=")) and _is_named(line)


def _is_named(line: str) -> bool:
    found = _NAMED.search(line, max(0, len(line) - 200))
    return found is not None and kind_of(found["name"]) is not None


def _random(run: str) -> bool:
    """Words, numbers, times and names of files are no pieces of a secret."""
    if run.endswith((".py", ".log", ".json", ".pt", ".yaml")) or run.startswith(("/", "./", "~/")):
        return False
    digits = sum(map(str.isdigit, run))
    lower, upper = any(map(str.islower, run)), any(map(str.isupper, run[1:]))
    if digits and (lower or upper):
        return len(run) >= 8 and not run.replace(".", "").replace("-", "").replace("e", "").isdigit()
    return lower and upper and len(run) >= 16
