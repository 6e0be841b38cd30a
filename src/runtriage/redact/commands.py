"""Secrets in the arguments of commands, in statements of SQL and in lines of configuration files that have no `=`."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import MARKER, is_placeholder
from runtriage.redact.names import kind_of

_WORD: Final = r"[\"']?(?P<value>(?!-)[^\s\"'|;]{1,400})"
_FLAGGED: Final = (
    ("sqlcmd|osql|bcp|zip|unzip", "P"),
    ("mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|useradd|7z|7za", "p"),
    ("az login|az acr login|az ad sp", "p"),
    ("openssl enc", "k"),
)
"""Commands and the letter of the flag that gives them a password. Source: the manual of each."""
_FED: Final = (
    r"sudo[^\n|]{0,100} -S|kinit\b|gpg\b[^\n]{0,200}passphrase-fd|chpasswd\b|cryptsetup\b|passwd[^\n]{0,40} --stdin"
)
"""What reads a password from its standard input."""

# Each pattern is tried where one of its literals stands in the lowered text. A group `name` must be that of a secret; without
# one, the place alone says that the value is secret.
_RULES: Final = (
    *(
        (
            tuple(commands.split("|")),
            deferred(rf"(?P<keep>\b(?:{commands})\b[^\n]{{0,200}}?[ \t][\"']?-{flag}[ \t]{{0,4}}){_WORD}"),
        )
        for commands, flag in _FLAGGED
    ),
    (
        ("echo ", "printf "),
        deferred(
            rf"(?P<keep>\b(?:echo|printf)[ \t]+(?:-\w{{1,3}}[ \t]+)?[\"']?(?:[\w.-]{{1,60}}:)?)(?P<value>[^\s\"'|:]{{4,400}})(?=[\"']?[ \t]*\|[ \t]*(?:{_FED}))"
        ),
    ),
    (
        ("storepass", "keypass"),
        deferred(
            rf"(?P<keep>(?:^|[ \t])-?(?:(?:src|dest)?storepass|(?:src|dest)?keypass)[ \t]{{1,4}}){_WORD}", re.MULTILINE
        ),
    ),
    (
        ("sqlplus",),
        deferred(
            r"(?P<keep>\bsqlplus[ \t]+(?:-\w{1,4}[ \t]+){0,4}[\"']?\w[\w.$-]{0,60}/)(?P<value>[^\s\"'@/]{1,200})(?=@)"
        ),
    ),
    (("jdbc:oracle:",), deferred(r"(?P<keep>\bjdbc:oracle:\w{1,8}:\w[\w.$-]{0,60}/)(?P<value>[^\s\"'@/]{1,200})(?=@)")),
    (
        ("-proxy ", "-proxy="),
        deferred(r"(?P<keep>--?(?:https?-)?proxy[ =][\"']?\w[\w.-]{0,60}:)(?P<value>[^\s\"'@/:]{1,200})(?=@)"),
    ),
    (
        ("http ", "https ", "httpie"),
        deferred(
            r"(?P<keep>\b(?:https?|httpie)\b[^\n]{0,200}?[ \t](?:-a|--auth)[ \t=]{1,4}[\"']?\w[\w.@-]{0,60}:)(?P<value>[^\s\"']{1,200})"
        ),
    ),
    (
        ("smbclient", "rpcclient", "net ads"),
        deferred(
            r"(?P<keep>\b(?:smbclient|rpcclient|net ads)\b[^\n]{0,200}?[ \t](?:-U|--user)[ \t=]{0,4}[\"']?[\w.\\@-]{1,60}%)(?P<value>[^\s\"']{1,200})"
        ),
    ),
    (
        ("lftp",),
        deferred(r"(?P<keep>\blftp\b[^\n]{0,200}?[ \t]-u[ \t]{0,4}[\"']?[\w.@-]{1,60},)(?P<value>[^\s\"']{1,200})"),
    ),
    (
        ("vault kv", "vault write"),
        deferred(
            r"(?P<keep>\bvault[ \t]+(?:kv[ \t]+(?:put|patch)|write)\b[^\n]{0,300}?[ \t][\w-]{1,60}=)(?P<value>(?!\[redacted|@)[^\s\"']{2,400})"
        ),
    ),
    (
        ("mc alias", "mc config"),
        deferred(
            rf"(?P<keep>\bmc (?:alias set|config host add)[ \t]+[\w-]{{1,60}}[ \t]+\S{{1,200}}[ \t]+\S{{1,200}}[ \t]+){_WORD}"
        ),
    ),
    (("bw unlock",), deferred(rf"(?P<keep>\bbw unlock[ \t]{{1,4}}){_WORD}")),
    (
        ("net user",),
        deferred(r"(?P<keep>\bnet user[ \t]+[\w.@-]{1,60}[ \t]+)(?P<value>[^\s/*][^\s\"']{3,200})(?=[ \t]+/)"),
    ),
    (
        ("net use ",),
        deferred(r"(?P<keep>\bnet use[ \t]+(?:\w:|\*)[ \t]+\\\\\S{1,200}[ \t]+)(?P<value>[^\s/*][^\s\"']{3,200})"),
    ),
    (
        ("isql ",),
        deferred(rf"(?P<keep>\bisql[ \t]+(?:-\w{{1,3}}[ \t]+)*[\w.-]{{1,60}}[ \t]+[\w.-]{{1,60}}[ \t]+){_WORD}"),
    ),
    (
        ("<<<",),
        deferred(rf"(?P<keep>\b(?:{_FED})[^\n|<]{{0,200}}<<<[ \t]{{0,4}}){_WORD}"),
    ),
    (
        ("<(echo", "<(printf"),
        deferred(
            r"(?P<keep>pass(?:word|wd|phrase)?(?:[-_](?:file|fd))?[= \t]<\((?:echo|printf)[ \t]+(?:-\w{1,3}[ \t]+)?[\"']?)(?P<value>[^\s\"')]{2,400})"
        ),
    ),
    (
        ("send ",),
        deferred(
            r"(?P<keep>\bsend(?:[ \t]+--)?[ \t]+\\?\")(?P<value>(?=[^\s\d]{0,40}\d)(?=[^\sA-Za-z]{0,40}[A-Za-z])[^\s\"\\]{6,200})(?=\\[rn])"
        ),
    ),
    (
        ("_",),
        deferred(
            r"(?P<keep>^[ \t]*(?:- )?(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:[ \t]*\n[ \t]*(?:- )?|[ \t]{1,40})[\"']?)(?![A-Z0-9_]{1,100}[\"']?[ \t]*$)(?P<value>(?=[^\s\d]{0,40}\d)(?=[^\sA-Za-z]{0,40}[A-Za-z])[^\s\"'`<>()\[\]{},;.:=@/|\\-]{6,200})(?=[\"']?[ \t]*$)",
            re.MULTILINE,
        ),
    ),
    (("mysqladmin",), deferred(rf"(?P<keep>\bmysqladmin\b[^\n]{{0,200}}?[ \t]password[ \t]{{1,4}}){_WORD}")),
    (
        ("rabbitmqctl",),
        deferred(rf"(?P<keep>\brabbitmqctl[ \t]+(?:add_user|change_password)[ \t]+\S{{1,100}}[ \t]+){_WORD}"),
    ),
    (
        ("wandb login",),
        deferred(
            r"(?P<keep>\bwandb login[ \t]+(?:--?[a-z-]{1,20}[ \t]+){1,4})(?P<value>(?=[A-Za-z_]{0,40}\d)\w{16,400})"
        ),
    ),
    (
        ("password '", 'password "', "password n'"),
        deferred(
            r"(?P<keep>\b(?:alter|create|set)[ \t]+(?:role|user|login|group|password)\b[^\n]{0,200}?\bpassword[ \t]{1,4}N?[\"'])(?P<value>[^\"'\n]{1,400})(?=[\"'])",
            re.IGNORECASE,
        ),
    ),
    (
        ("requirepass", "masterauth"),
        deferred(
            rf"(?P<keep>(?:^|[ \t\"'])(?:requirepass|masterauth)[ \t]{{1,20}}){_WORD}(?=[\"']?[ \t]*$)", re.MULTILINE
        ),
    ),
    (
        ("auth ",),
        deferred(
            r"(?P<keep>(?:^|> ?|: |\"|')AUTH[ \t]{1,4}(?:[\w-]{1,40}[ \t]{1,4})?)(?P<value>(?=[^\s\d]{0,40}\d)(?=[^\sa-z]{0,40}[a-z])(?!TLS|SSL)[^\s\"']{6,400})(?=[\"']?[ \t]*$)",
            re.MULTILINE,
        ),
    ),
    (
        ("env ", "set ", "setx ", "setenv "),
        deferred(
            r"(?P<keep>(?:^|[ \t>\"'])(?:ENV|set|setx|setenv|SET)[ \t]{1,4}(?P<name>[A-Za-z_]\w{2,80})[ \t]{1,20})[\"']?(?P<value>[^\s\"'|;=]{4,400})(?=[\"']?[ \t]*(?:/[mM][ \t]*)?$)",
            re.MULTILINE,
        ),
    ),
    (
        ("spark.", "hadoop.", "ssl."),
        deferred(
            r"(?P<keep>(?:^|[ \t])(?P<name>(?:spark|hadoop|fs|ssl|javax)(?:\.[\w-]{1,60}){1,8})[ \t]{1,40})(?P<value>[^\s\"'=:]{4,400})(?=[ \t]*$)",
            re.MULTILINE,
        ),
    ),
    (
        ("machine ", "default"),
        deferred(
            r"(?P<keep>^[ \t]*(?:machine[ \t]+\S{1,253}|default)[ \t]*\n(?:[ \t]*(?:login|account)[ \t]+\S{1,200}[ \t]*\n){1,2}[ \t]*password[ \t]+)(?P<value>\S{1,400})",
            re.MULTILINE,
        ),
    ),
    (
        ("password ", "passwd ", "password\t", "passwd\t"),
        deferred(
            r"(?P<keep>^[ \t]{0,20}(?:\w{1,40}[_-])?(?:password|passwd)[ \t]{1,40}[\"']?)(?P<value>(?=[^\s\d]{0,40}\d)(?=[^\sA-Za-z]{0,40}[A-Za-z])[^\s\"'|=:,.;()]{6,400})(?=[\"']?[ \t]*$)",
            re.MULTILINE,
        ),
    ),
)
"""A line of netrc, of Redis or of Spark, and the forms that Docker, Windows and csh have for a variable."""
_BY_LITERAL: Final = tuple((literal, pattern) for literals, pattern in _RULES for literal in literals)


def without_commands(text: str) -> str:
    """Return the text with such secrets replaced."""
    lowered = text.lower()
    for literal, pattern in _BY_LITERAL:
        if literal in lowered:
            text = pattern.sub(_masked, text)
    return text


def _masked(found: re.Match[str]) -> str:
    value, groups = found["value"], found.groupdict()
    if is_placeholder(value) or kind_of(value) is not None or ("name" in groups and kind_of(groups["name"]) is None):
        return found[0]
    start, end = found.start("value") - found.start(), found.end("value") - found.start()
    return found[0][:start] + MARKER + found[0][end:]
