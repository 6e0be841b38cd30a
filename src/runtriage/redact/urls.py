"""Credentials inside URLs, command lines and other places that name no field."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import MARKER, is_placeholder

_USERINFO: Final = deferred(
    r"(?<=://)(?P<user>[^\s/@:\"'<>?#]{0,200})(?::(?P<word>[^\s/\"'<>]{0,400}|(?!\d{1,5}/)[^\s@\"'<>]{0,400}))?@(?=[\w.\[-])"
)
_QUERY: Final = deferred(
    r"(?P<keep>[?&;](?:amp;)?(?:x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|sig|signature|awsaccesskeyid|"
    r"googleaccessid|access_token|id_token|refresh_token|auth_token|token|api_?key|key|code|secret|client_secret|password|passwd|pwd|auth|"
    r"policy|x-jfrog-art-api|key-pair-id|hmac|jwt|assertion)=)(?P<value>[^&\s\"'<>#]{6,})",
    re.IGNORECASE,
)
_OTHER_LANGUAGES: Final = (
    "passwort",
    "kennwort",
    "mot de passe",
    "mot_de_passe",
    "contraseña",
    "contrasena",
    "senha",
    "wachtwoord",
    "hasło",
    "lösenord",
    "adgangskode",
    "heslo",
    "şifre",
    "пароль",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
)
"""How programs with messages in another language call a password."""
_SPOKEN: Final = (
    (("bearer",), deferred(r"(?P<keep>\bbearer[ \t]+)(?P<value>[A-Za-z0-9._~+/-]{8,}=*)", re.IGNORECASE)),
    (("basic",), deferred(r"(?P<keep>\bbasic[ \t]+)(?P<value>[A-Za-z0-9+/]{8,}={1,2})", re.IGNORECASE)),
    (
        ("curl", "wget"),
        deferred(r"(?P<keep>[ \t](?:-u|--user|--proxy-user)(?:[ \t]+|=)?[\"']?[^\s:\"']{1,100}:)(?P<value>[^\s\"']+)"),
    ),
    (("sshpass",), deferred(r"(?P<keep>\bsshpass[ \t]+-p[ \t]*)(?P<value>\"[^\"\n]*\"|'[^'\n]*'|\S+)")),
    (
        ("mysql", "mariadb"),
        deferred(r"(?P<keep>\b(?:mysql|mariadb)[\w-]{0,12}\b[^\n]{0,200}?[ \t][\"']?-p)(?P<value>[^\s\"']+)"),
    ),
    (
        ("redis-cli", "ldapsearch", "ldapadd", "ldapmodify"),
        deferred(
            r"(?P<keep>\b(?:redis-cli\b[^\n]{0,200}?[ \t]-a|ldap\w{3,6}\b[^\n]{0,200}?[ \t]-w)[ \t]{1,4}[\"']?)(?P<value>[^\s\"']+)"
        ),
    ),
    (
        ("login",),
        deferred(
            r"(?P<keep>\b(?:docker|podman|az|oras|helm registry|crane)[ \t]+login\b[^\n]{0,200}?[ \t]-p[ \t]{1,4}[\"']?)(?P<value>[^\s\"']+)"
        ),
    ),
    (
        ("--from-literal",),
        deferred(r"(?P<keep>--from-literal(?:=|[ \t]{1,4})[\"']?[\w.-]{1,253}=)(?P<value>[^\s\"']+)"),
    ),
    (("vault login",), deferred(r"(?P<keep>\bvault login[ \t]+)(?P<value>(?!-)\S{8,})")),
    (
        ("htpasswd",),
        deferred(r"(?P<keep>\bhtpasswd[ \t]+-\w{0,6}b\w{0,6}[ \t]+\S{1,200}[ \t]+\S{1,100}[ \t]+)(?P<value>\S+)"),
    ),
    (
        ("password-stdin",),
        deferred(
            r"(?P<keep>\becho[ \t]+[\"']?)(?P<value>[^\s\"'|]{4,400})(?=[\"']?[ \t]*\|[^\n]{0,200}password-stdin)"
        ),
    ),
    (
        ("login(",),
        deferred(
            r"(?P<keep>\blogin\((?:[\"'][^\"'\n]{1,100}[\"'],[ \t]{0,4}|(?:api_)?key=|token=)[\"'])(?P<value>[^\"'\n]{4,400})(?=[\"'])"
        ),
    ),
    (
        ("identified by", "with password"),
        deferred(r"(?P<keep>\b(?:identified by|with password)[ \t]+')(?P<value>[^'\n]{1,400})(?=')", re.IGNORECASE),
    ),
    (
        ("fs.azure.",),
        deferred(
            r"(?P<keep>\bfs\.azure\.(?:account\.key|sas)\.[\w.-]{1,200}[\"']?[ \t]{0,4}[=:][ \t]{0,4}[\"']?)(?P<value>[^\s\"',]{8,})"
        ),
    ),
    (("login",), deferred(r"(?P<keep>\blogin[ \t]+\S{1,200}[ \t]+password[ \t]+)(?P<value>\S+)", re.IGNORECASE)),
    (("login",), deferred(r"(?P<keep>\blogin\b[^\n]{0,80}?[ \t])(?P<value>(?:local-)?[0-9a-f]{40})\b")),
    (
        ("api key", "apikey", "api_key"),
        deferred(r"(?P<keep>api[ _-]?key\b[^\n]{0,60}?[ \t:=\"'])(?P<value>[0-9a-f]{32,64})\b", re.IGNORECASE),
    ),
    (("local-",), deferred(r"(?P<keep>\blocal-)(?P<value>[0-9a-f]{40})\b")),
    (
        ("password is ", "token is ", "key is "),
        deferred(r"(?P<keep>\b(?:password|token|key) is:?[ \t]+)(?P<value>(?=\S{0,40}\d)\S{8,})", re.IGNORECASE),
    ),
    (
        ('"key"',),
        deferred(
            r"(?P<keep>\"username\"\s{0,4}:\s{0,4}\"[^\"\n]{1,100}\"\s{0,4},\s{0,4}\"key\"\s{0,4}:\s{0,4}\")(?P<value>[0-9a-f]{32})"
        ),
    ),
    (("%40",), deferred(r"(?P<keep>%3A%2F%2F[^\s%/\"']{1,100}%3A)(?P<value>[^\s/\"'&]{1,400}?)(?=%40)", re.IGNORECASE)),
    (
        _OTHER_LANGUAGES,
        deferred(
            rf"(?P<keep>(?:{'|'.join(_OTHER_LANGUAGES)})[\"']?[ \t]{{0,4}}[:=\uff1a][ \t]{{0,4}}[\"']?)(?P<value>[^\s\"',;]{{4,}})",
            re.IGNORECASE,
        ),
    ),
    (("$",), deferred(r"(?P<keep>\$(?:1|2[abxy]|5|6|apr1|y|argon2(?:id?|d))\$)(?P<value>[./A-Za-z0-9$=,+]{12,})")),
    (
        ("oauth", "authorization", "credential="),
        deferred(
            r"(?P<keep>\b(?:oauth_\w{1,30}|credential|signature)=\"?)(?P<value>[A-Za-z0-9%+/=_.-]{16,})", re.IGNORECASE
        ),
    ),
    (("auth=(",), deferred(r"(?P<keep>\bauth=\()(?P<value>[^()\n]{1,400})(?=\))")),
)
_BY_LITERAL: Final = tuple((literal, pattern) for literals, pattern in _SPOKEN for literal in literals)


def without_url_secrets(text: str) -> str:
    """Return the text without passwords, tokens and signatures in URLs. The user's name stays when a password follows it."""
    if "://" in text and "@" in text:
        text = _USERINFO.sub(_userinfo, text)
    if "=" in text and ("?" in text or "&" in text):
        text = _QUERY.sub(_valued, text)
    return text


def without_spoken(text: str) -> str:
    """Return the text without credentials that a command or a sentence names."""
    lowered = text.lower()
    for literal, pattern in _BY_LITERAL:
        if literal in lowered:
            text = pattern.sub(_valued, text)
    return text


def _userinfo(found: re.Match[str]) -> str:
    user, word = found["user"], found["word"]
    if word is not None:
        return found[0] if is_placeholder(word) else f"{user}:{MARKER}@"
    return f"{MARKER}@" if len(user) >= 16 and any(map(str.isdigit, user)) else found[0]


def _valued(found: re.Match[str]) -> str:
    value = found["value"]
    if is_placeholder(value) or (value.isalpha() and len(value) < 20 and value.islower()):
        return found[0]
    return found["keep"] + MARKER
