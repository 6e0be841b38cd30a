"""Which field names hold secrets, and how surely."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import Final

from runtriage.model.pattern import deferred


class Kind(Enum):
    """How a value under a name is treated."""

    PASSWORD = "password"
    """Any value is secret, also a short word."""
    KEY = "key"
    """Any value of some length is secret."""
    CODE = "code"
    """A few digits are secret: a PIN, a code for one login."""
    TOKEN = "token"
    """Only what looks random is secret: in this trade most tokens are pieces of text."""
    HEADER = "header"
    """The rest of the line belongs to it, the scheme word apart."""


_CAMEL: Final = deferred(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDING: Final = r"(?:_?\d{1,3}|_(?:prod|production|dev|test|staging|value|plain|text|raw|data|b64|base64|primary|secondary|old|new))?$"
_PASSWORD: Final = deferred(
    r"(?:^|_|[a-z0-9])(?:passwords?|passw0rd|passwd|passphrase|passcode|pwd)"
    + _ENDING
    + r"|(?:^|_)(?:pass|requirepass|pw)$"
)
_KEY: Final = deferred(
    r"(?:^|_|[a-z0-9])(?:"
    r"secrets?|(?:secret|private|(?:^|_)ssh|access|api|account|encryption|decryption|signing|subscription|license|licence|shared|"
    r"shared_access|master|deploy|client|session|ingest|instrumentation|wandb|comet|neptune|auth|"
    r"kaggle|openai|anthropic|azure|functions|webhook|hmac|cookie|consumer|fernet|jwt)_?keys?(?:_id|_data)?"
    r"|(?:ssh|pg|key|store)pass|(?<![a-z])psk|redis_auth|(?:csrf|xsrf)|secret_(?:string|binary)|secret_?id|session_?id|sas|connection_?strings?|shared_access_signature|credentials?"
    r"|(?:auth|access|refresh|bearer|session|security|hf|hub|hugging_?face|huggingfacehub|github|gh|gitlab|slack|api|vault|consul|bot|npm|pypi|"
    r"service|account|push|secret|private|csrf|xsrf|registry|identity|oauth2?|wandb|neptune|databricks|replicate|kaggle|personal|deploy|"
    r"user|admin|dev|web|device|telegram|discord|sentry|aws|azure|gcp|google|mlflow|tracking|clearml|comet|modal|dagshub|jwt|login)_?tokens?"
    r")" + _ENDING + r"|^_?auth$|^ocp_apim_subscription_key$"
)
_CODE: Final = deferred(
    r"(?:^|_)(?:pin|otp|totp|cvv|cvc)$|(?:^|_)(?:pin|otp|totp|mfa|2fa|one_time|verification|security|access|login)_?(?:code|pin)$"
)
_HEADER: Final = deferred(r"(?:^|_)(?:authorization|cookies?)$")
_TOKEN: Final = deferred(r"(?:^|[_a-z0-9])token" + _ENDING + r"|(?:^|_)jwt$")
_TEXT_TOKEN: Final = deferred(
    r"(?:^|_)(?:pad|eos|bos|unk|sep|mask|cls|special|image|audio|video|vision|stop|end|start|begin|first|last|prev|previous|cur|current|"
    r"think|im|fim|decoder|new|next|generated|predicted|target|input|output|prompt|label|word|sub|per|by|vocab|added|extra|unexpected|"
    r"invalid|illegal|unknown|expected|bad|eot|eom|eod|bom|padding|blank|separator|delimiter|prefix|suffix|middle|language|task|box|"
    r"object|newline|control|tool|system|assistant|reserved|modality|patch|register|class|null|num|max|min|total)_?token$"
)


@lru_cache(maxsize=4096)
def kind_of(name: str) -> Kind | None:
    """Return how a value under this name is treated, or None where the name does not speak of a secret."""
    flat = _CAMEL.sub("_", name[-120:]).lower().replace("-", "_").replace(".", "_").strip("_") if name else ""
    if name.startswith("_") and flat == "auth":
        return Kind.KEY
    if _PASSWORD.search(flat):
        return Kind.PASSWORD
    if _CODE.search(flat):
        return Kind.CODE
    if _HEADER.search(flat):
        return Kind.HEADER
    if _KEY.search(flat):
        return Kind.KEY
    if _TOKEN.search(flat) and not _TEXT_TOKEN.search(flat):
        return Kind.TOKEN
    return None


def looks_random(value: str) -> bool:
    """Say whether a value is long and mixed enough to be a token rather than a word or a number."""
    if len(value) < 12 or not any(map(str.isdigit, value)) or not any(map(str.isalpha, value)):
        return False
    try:
        float(value)
    except ValueError:
        return not value.startswith(("/", "./", "~/", "<", "../"))
    return False


def looks_issued(value: str) -> bool:
    """Say whether a value changes between digits and letters of both cases so often that nobody chose it, as names are chosen."""
    if len(value) < 20 or not looks_random(value):
        return False
    sorts = ["0" if mark.isdigit() else "A" if mark.isupper() else "a" for mark in value]
    return sum(one != other for one, other in pairwise(sorts)) * 4 >= len(value)
