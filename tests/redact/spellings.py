"""Secrets under names, quotes and brackets that are spelt in an uncommon way, in commands and in sentences, all made up."""

from __future__ import annotations

WORD = "hunter2Xq"
KEY = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA"
HEX32 = "9f86d081884c7d659a2feaa0c55ad015"


def cases() -> list[tuple[str, str]]:
    """Return pairs of a text as a run prints it and the part of it that must be gone."""
    return [*_quoted()]


def _quoted() -> list[tuple[str, str]]:
    words = (
        "password='''{}'''",
        'password="""{}"""',
        "password=`{}`",
        "connect(password: `{}`)",
        "CREATE LOGIN x WITH PASSWORD = N'{}'",
        "password[0]={}",
        "passwords['db'] = '{}'",
        "password.value={}",
        "password (plain text): {}",
        "SSHPASS={} sshpass -e ssh h",
        "PGPASS={}",
        "SecretString: {}",
        '"SecretBinary": "{}"',
    )
    return [
        *((line.format(WORD), WORD) for line in words),
        (f"KAGGLE_KEY={HEX32}", HEX32),
        (f"AWS Secret Access Key [None]: {KEY}", KEY),
        (f"AWS Secret Access Key [****************ABCD]: {KEY}", KEY),
    ]
