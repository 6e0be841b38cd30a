"""Secrets that a sentence repeats: `bad password X`, `Password for alice: X`, codes for one login, words of a seed."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import MARKER, is_placeholder
from runtriage.redact.names import kind_of, looks_issued, looks_random

_CHOSEN: Final = r"(?=[^\s\d]{0,40}\d)(?=[^\sA-Za-z]{0,40}[A-Za-z])[^\s\"'`<>()\[\]{},;.:=@/|\\-]{6,200}"
"""A password that somebody chose: letters and a digit; a path, an address or an option is none."""
_END: Final = r"(?=[\"'`),;.!?\]]{0,4}(?:\s|$))"
_PASSWORD: Final = r"pass(?:word|wd|phrase|code)"
_KEY: Final = r"(?:api|access|secret|auth|account|licen[cs]e)[ _-]?(?:key|token)"
_FAULT: Final = r"bad|wrong|invalid|incorrect|rejected|weak|expected|expired|unknown|unauthorized"
_METHOD: Final = deferred(
    r"(?:sha|md|base|utf|aes|rsa|ed|pbkdf|argon|scrypt|bcrypt|latin|oauth|rfc|ipv|iso|cp)_?\d[\w]{0,12}|[a-z]{2,20}(?:_[a-z0-9]{1,20}){1,6}",
    re.IGNORECASE,
)
"""How a password is stored or sent, or the name of a field: no password."""
_RULES: Final = (
    (
        _FAULT.split("|"),
        deferred(
            rf"(?P<keep>\b(?:{_FAULT})[ \t]{_PASSWORD}[ \t:]{{1,3}}[\"'`(]{{0,2}})(?P<value>{_CHOSEN}){_END}",
            re.IGNORECASE,
        ),
    ),
    (
        _FAULT.split("|"),
        deferred(
            rf"(?P<keep>\b(?:{_FAULT})[ \t]{_KEY}[ \t:]{{1,3}}[\"'`(]{{1,2}})(?P<random>[\w+/=.~-]{{12,400}})",
            re.IGNORECASE,
        ),
    ),
    (
        ("pass",),
        deferred(
            rf"(?P<keep>\b{_PASSWORD}[ \t]{{1,4}}(?P<quote>[\"'`(]))(?P<value>{_CHOSEN})(?=[\"'`)])", re.IGNORECASE
        ),
    ),
    (
        (" too ",),
        deferred(
            rf"(?P<keep>\b{_PASSWORD}[ \t]{{1,4}}[\"'`])(?P<value>[^\s\"'`]{{4,200}})(?=[\"'`] (?:is|was) too )",
            re.IGNORECASE,
        ),
    ),
    (
        ("password for", "passwd for", "passphrase for"),
        deferred(
            rf"(?P<keep>\b{_PASSWORD} for (?:user )?[\"'`]?[^\s\"'`:]{{1,80}}[\"'`]?(?: ?:| ?=| is)[ \t]{{1,4}}[\"'`]?)(?P<value>{_CHOSEN}){_END}",
            re.IGNORECASE,
        ),
    ),
    (
        ("password\t", "passwd\t", "password\u3000", "passwd\u3000"),
        deferred(rf"(?P<keep>\b(?:password|passwd)[\t\u3000]{{1,8}})(?P<value>{_CHOSEN}){_END}", re.IGNORECASE),
    ),
    (
        ("bearer:", "jwt:"),
        deferred(r"(?P<keep>\b(?:bearer|jwt):[ \t]{0,4}[\"']?)(?P<random>[A-Za-z0-9._~+/-]{12,8000}=*)", re.IGNORECASE),
    ),
    (
        ("is not a valid",),
        deferred(
            r"(?P<keep>)(?<![\w-])(?P<issued>[\w-]{20,200})(?=[\"'`]? is not a valid (?:api[ _-]?)?(?:key|token)\b)",
            re.IGNORECASE,
        ),
    ),
    (
        ("pass phrase", "pass-phrase"),
        deferred(
            rf"(?P<keep>\bpass[ -]phrase(?: is)?[ \t]{{0,2}}[:= ][ \t]{{0,4}}[\"'`]?)(?P<value>{_CHOSEN}){_END}",
            re.IGNORECASE,
        ),
    ),
    (
        ("passwor", "kennwor", "passe", "contrase", "senha", "wachtwo"),
        deferred(
            rf"(?P<keep>\b(?:passwor[dt]|kennwort|mot de passe|contrase[nñ]a|senha|wachtwoord)[ \t](?:is|ist|lautet|est|es|é)[ \t:]{{1,3}}[\"'`]?)(?P<value>{_CHOSEN}){_END}",
            re.IGNORECASE,
        ),
    ),
    (
        ("basic auth",),
        deferred(
            r"(?P<keep>\b[\w.@-]{1,60}:)(?P<value>[^\s:/@]{4,200})(?= (?:for|as|with|in|via) (?:http )?basic auth)",
            re.IGNORECASE,
        ),
    ),
    (
        ("cred", "login"),
        deferred(
            rf"(?P<keep>\b(?:login|(?:\w{{1,40}}[_-])?cred(?:ential)?s?)[ \t]{{0,2}}[:=][ \t]{{0,2}}[\w.@-]{{1,60}}[ \t]{{0,2}}/[ \t]{{0,2}})(?P<value>{_CHOSEN}){_END}",
            re.IGNORECASE,
        ),
    ),
    (
        ("token>", "key>"),
        deferred(
            r"(?P<keep>\b(?:auth|access|api|secret|private)[_-]?(?:token|key)>)(?P<random>[\w+/=.~-]{12,400})",
            re.IGNORECASE,
        ),
    ),
    (
        ("key", "token"),
        deferred(
            r"(?P<keep>(?:key|token)s?[\"']?(?: is| was| set to|,)?[ \t:]{1,3}[(\"'`]?)(?P<mixed>[A-Za-z0-9_-]{24,400})(?=[)\"'`,.;]?(?:\s|$))",
            re.IGNORECASE,
        ),
    ),
    (
        ("netrc",),
        deferred(r"(?P<keep>\bnetrc(?: file)?:? \S{1,200}[ \t]{1,4})(?P<random>[A-Za-z0-9_-]{20,400})"),
    ),
    (
        ("-signature=",),
        deferred(r"(?P<keep>\bX-(?:Amz|Goog)-Signature=)(?P<random>[A-Za-z0-9%+/=_-]{16,800})", re.IGNORECASE),
    ),
    (
        ("secret ",),
        deferred(
            rf"(?P<keep>\bsecret(?: key| value)? (?:is|was)[ \t:]{{1,3}}[\"'`]?)(?P<value>{_CHOSEN}){_END}",
            re.IGNORECASE,
        ),
    ),
    (
        ("jwt ",),
        deferred(r"(?P<keep>\bJWT[ \t]{1,4}[\"']?)(?P<issued>[\w.-]{20,400})"),
    ),
    (
        ("key", "licen", "/login/", "/invite/", "/reset/", "/verify/"),
        deferred(
            r"(?P<keep>(?<![\w.])(?:--)?(?:key|licen[cs]e)(?:[\"']?[=:][ \t]?|[ \t])[\"']?|/(?:login|invite|reset|verify)/)(?P<mixed>[A-Za-z0-9_-]{24,200})(?![\w.-])",
            re.IGNORECASE,
        ),
    ),
    (
        ("password", "passwd"),
        deferred(
            rf"(?P<keep>[\"'])(?P<value>{_CHOSEN})(?=[\"'] (?:!=|==|is not|does not (?:match|equal)) (?:the )?{_PASSWORD}\b)",
            re.IGNORECASE,
        ),
    ),
    (
        ("expected",),
        deferred(
            rf"(?P<keep>\b{_PASSWORD}[=:][^\n]{{0,60}}?\b(?:expected|want(?:ed)?|instead of)[ \t:]{{1,3}}[\"'`])(?P<value>{_CHOSEN})(?=[\"'`])",
            re.IGNORECASE,
        ),
    ),
    (
        ("token(", "key(", "tokenerror(", "keyerror("),
        deferred(
            r"(?P<keep>\b(?:invalid|expired|bad|unknown|revoked)(?:api|access|auth)?(?:token|key)(?:error|exception)?\([\"']?)(?P<issued>[\w.-]{16,400})",
            re.IGNORECASE,
        ),
    ),
    (
        ("@",),
        deferred(
            r"(?P<keep>\b(?:amqps?|postgres(?:ql)?|mysql|redis|mongo(?:db)?|smtp|s?ftp|proxy|broker|dsn)[: =\t]{1,4}[\w.-]{1,40}:)(?P<value>[^\s@:/]{4,200})(?=@\w)",
            re.IGNORECASE,
        ),
    ),
    (
        ("secret[", "<secret "),
        deferred(rf"(?P<keep>\bSecret\[|<Secret )(?P<value>{_CHOSEN})(?=[\]>])"),
    ),
    (
        ("mnemonic", "phrase"),
        deferred(
            r"(?P<keep>\b(?:mnemonic|(?:seed|recovery|backup|mnemonic)[ _-]phrase)(?: is)?[\"']?[ \t]{0,4}[:=]?[ \t]{0,4}[\"']?)(?P<words>(?:[a-z]{3,8}[ \t]){11,23}[a-z]{3,8})\b",
            re.IGNORECASE,
        ),
    ),
    (
        ("recovery code", "backup code"),
        deferred(
            r"(?P<keep>\b(?:recovery|backup) codes?(?: is)?[ \t]{0,4}[:=]?[ \t]{0,4}[\"']?)(?P<value>(?=[A-Za-z-]{0,40}\d)[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,6})\b",
            re.IGNORECASE,
        ),
    ),
    (
        ("code", "otp"),
        deferred(
            r"(?P<keep>\b(?:(?:one[ -]time|verification|authenticator|2fa|mfa|login) (?:pass)?code|t?otp)(?: is:?|:)?[ \t]{1,4}[\"']?)(?P<digits>\d{6,8})(?![\w.])",
            re.IGNORECASE,
        ),
    ),
)
_BY_LITERAL: Final = tuple((tuple(literals), pattern) for literals, pattern in _RULES)


def without_sentences(text: str) -> str:
    """Return the text with such secrets replaced."""
    lowered = text.lower()
    for literals, pattern in _BY_LITERAL:
        if any(literal in lowered for literal in literals):
            text = pattern.sub(_masked, text)
    return text


def _masked(found: re.Match[str]) -> str:
    sort = next(
        name for name in ("value", "random", "issued", "mixed", "words", "digits") if name in found.re.groupindex
    )
    value = found[sort]
    if is_placeholder(value) or kind_of(value) is not None:
        return found[0]
    if sort == "value" and _METHOD.fullmatch(value):
        return found[0]
    if (sort == "random" and not looks_random(value)) or (sort in ("issued", "mixed") and not looks_issued(value)):
        return found[0]
    if sort == "mixed" and not _mixed(value):
        return found[0]
    return found["keep"] + MARKER


def _mixed(value: str) -> bool:
    """Tell whether a value holds both cases and changes sort at every second character: a digest and a joined name do not."""
    sorts = ["0" if mark.isdigit() else "A" if mark.isupper() else "a" for mark in value if mark.isalnum()]
    return len(set(sorts)) == 3 and sum(one != other for one, other in pairwise(sorts)) * 2 >= len(sorts)
