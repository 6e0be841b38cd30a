"""Keys and tokens that carry the name of the service that issued them."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.redact.marker import MARKER


class Rule(Struct, frozen=True):
    """A secret known by its form: a line without `literal` is not searched; group `keep` stays, so that the kind can be told."""

    literal: str
    pattern: re.Pattern[str]
    mixed: bool = False
    """The match must hold a letter and a digit, which words of prose and names of packages rarely do."""

    def apply(self, text: str) -> str:
        """Replace every occurrence, leaving the telling prefix."""
        return self.pattern.sub(self._masked, text) if self.literal in text else text

    def _masked(self, found: re.Match[str]) -> str:
        whole = found[0]
        if self.mixed and not (any(map(str.isdigit, whole)) and any(map(str.isalpha, whole))):
            return whole
        return found["keep"] + MARKER


def _issued(prefix: str, body: str, *, mixed: bool = False, literal: str = "") -> Rule:
    return Rule(literal or prefix, deferred(rf"(?<![A-Za-z0-9])(?P<keep>{re.escape(prefix)})(?:{body})"), mixed)


def _shaped(literal: str, pattern: str) -> Rule:
    return Rule(literal, deferred(pattern))


_RUN: Final = deferred(r"[A-Za-z0-9_-]{14}")
"""Every token, also one that was cut, holds such a run; most lines of a log do not."""
_WORD: Final = r"[A-Za-z0-9]{12,}"
_DASHED: Final = r"[A-Za-z0-9_-]{12,}"
_HEX: Final = r"[0-9a-fA-F]{16,}"

# Sources: the token formats that each service documents, and its own published secret-scanning patterns. Bodies are given
# shorter minimum lengths than real tokens have, because excerpts may cut them.
RULES: Final = (
    *(
        Rule(name, deferred(rf"(?<![A-Za-z0-9+/])(?P<keep>{name})[A-Z0-9]{{10,}}(?![a-z])"), mixed=True)
        for name in ("AKIA", "ASIA", "ABIA", "ACCA", "AROA", "AIDA")
    ),
    _issued("ABSK", r"[A-Za-z0-9+/]{30,}={0,2}"),
    _issued("AIza", r"[A-Za-z0-9_-]{16,}"),
    _issued("ya29.", r"[A-Za-z0-9_.-]{12,}"),
    _issued("GOCSPX-", _DASHED),
    _shaped("1//0", r"(?<![\w./])(?P<keep>1//0)[A-Za-z0-9_-]{20,}"),
    _shaped("Q~", r"(?<![A-Za-z0-9_~.-])(?P<keep>)[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{20,}"),
    _issued("sk-ant-", _DASHED),
    _issued("sk-proj-", _DASHED),
    _issued("sk-", r"[A-Za-z0-9_-]{16,}", mixed=True),
    _issued("sk_", r"(?:live|test)_[A-Za-z0-9]{8,}|(?<=sk_)[0-9a-f]{40,}"),
    _issued("rk_", r"(?:live|test)_[A-Za-z0-9]{8,}"),
    _issued("whsec_", r"[A-Za-z0-9+/=]{12,}"),
    _issued("hf_", r"(?!hub|transfer)[A-Za-z0-9]{16,}"),
    _issued("api_org_", r"[A-Za-z0-9]{16,}"),
    _issued("wandb_v1_", r"[A-Za-z0-9_]{12,}"),
    *(_issued(f"gh{kind}_", r"[A-Za-z0-9]{16,}") for kind in "pousr"),
    _issued("github_pat_", r"[A-Za-z0-9_]{16,}"),
    *(
        _issued(f"gl{kind}-", r"[A-Za-z0-9_.-]{12,}")
        for kind in ("pat", "dt", "rt", "cbt", "ptt", "ft", "soat", "imt", "agent", "oas", "ffct")
    ),
    _issued("ATBB", r"[A-Za-z0-9]{20,}", mixed=True),
    _issued("ATATT3", r"[A-Za-z0-9_=-]{20,}"),
    *(_issued(f"xox{kind}-", r"[A-Za-z0-9-]{8,}") for kind in "abeoprs"),
    _issued("xapp-", r"[A-Za-z0-9-]{12,}", mixed=True),
    _issued("xoxe.", r"xox[bp]-[A-Za-z0-9-]{8,}"),
    _shaped("hooks.slack.com/", r"(?P<keep>hooks\.slack\.com/(?:services|workflows|triggers)/)[A-Za-z0-9_/-]{8,}"),
    _shaped("/api/webhooks/", r"(?P<keep>/api/webhooks/)\d{1,24}/[A-Za-z0-9_-]{8,}"),
    _shaped("webhook.office.com/", r"(?P<keep>webhook\.office\.com/)[A-Za-z0-9@/_-]{12,}"),
    _issued("npm_", r"[A-Za-z0-9]{20,}"),
    _issued("pypi-", r"AgE[A-Za-z0-9_-]{12,}"),
    _issued("dapi", r"[0-9a-f]{24,}(?:-\d)?"),
    _issued("dkea", r"[0-9a-f]{24,}"),
    _issued("dose", r"[0-9a-f]{24,}"),
    _issued("dckr_pat_", _DASHED),
    _issued("dckr_oat_", _DASHED),
    *(_issued(f"hv{kind}.", r"[A-Za-z0-9_-]{16,}") for kind in "sbr"),
    _shaped("SG.", r"(?<![\w.])(?P<keep>SG\.)[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{8,}"),
    _shaped("SK", r"(?<![A-Za-z0-9])(?P<keep>SK)[0-9a-f]{32}(?![0-9A-Za-z])"),
    _shaped(":AA", r"(?<!\d)(?P<keep>\d{8,12}:)AA[A-Za-z0-9_-]{28,}"),
    _shaped("/t/", r"(?P<keep>/t/)(?:[a-z]{2}-)?(?=[A-Za-z]{0,40}\d)[A-Za-z0-9-]{20,}(?=/)"),
    _shaped("/bot", r"(?P<keep>/bot\d{6,12}:)[A-Za-z0-9_-]{16,}"),
    _shaped("key-", r"(?<![A-Za-z0-9_-])(?P<keep>key-)[0-9a-f]{32}(?![0-9A-Za-z])"),
    _shaped("-us", r"(?<![A-Za-z0-9])(?P<keep>)[0-9a-f]{32}-us\d{1,2}(?!\w)"),
    *(_issued(f"shp{kind}_", _HEX) for kind in ("at", "ca", "pa", "ss")),
    _issued("sq0", r"(?:atp|csp)-[A-Za-z0-9_-]{12,}"),
    *(_issued(f"do{kind}_v1_", _HEX) for kind in "opr"),
    _issued("HRKU-", _DASHED),
    _issued("lin_api_", _WORD),
    _issued("ntn_", r"[A-Za-z0-9]{30,}"),
    _issued("figd_", _DASHED),
    _issued("PMAK-", r"[0-9a-f-]{20,}"),
    _issued("NRAK-", _WORD),
    _issued("NRII-", _DASHED),
    _issued("glsa_", r"[A-Za-z0-9_]{16,}"),
    _issued("glc_", r"[A-Za-z0-9+/=]{30,}"),
    _issued("sntrys_", r"[A-Za-z0-9_=+/-]{16,}"),
    _issued("sntryu_", _HEX),
    _issued("r8_", r"[A-Za-z0-9]{24,}"),
    _issued("gsk_", r"[A-Za-z0-9]{24,}"),
    _issued("pplx-", r"[A-Za-z0-9]{20,}", mixed=True),
    _issued("tgp_v1_", _DASHED),
    _issued("xai-", r"[A-Za-z0-9]{30,}"),
    _issued("fw_", r"[A-Za-z0-9]{20,}", mixed=True),
    _issued("nvapi-", r"[A-Za-z0-9_-]{20,}"),
    _issued("lsv2_", r"(?:pt|sk)_[A-Za-z0-9_]{16,}"),
    _issued("pcsk_", r"[A-Za-z0-9_]{16,}"),
    _issued("rpa_", r"[A-Z0-9]{24,}[a-z0-9]{0,8}"),
    _issued("tskey-", r"[A-Za-z0-9-]{12,}", mixed=True),
    _issued("fm2_", r"[A-Za-z0-9+/=_-]{20,}"),
    _issued("sbp_", _HEX),
    _issued("pscale_", r"(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{12,}"),
    _issued("dp.", r"(?:pt|st|ct|scim|audit)\.[A-Za-z0-9_.-]{16,}"),
    _issued("pul-", r"[0-9a-f]{20,}"),
    _shaped(".atlasv1.", r"(?P<keep>)(?<![A-Za-z0-9])[A-Za-z0-9]{8,20}\.atlasv1\.[A-Za-z0-9_=-]{16,}"),
    _issued("AGE-SECRET-KEY-1", r"[A-Z0-9]{16,}"),
    _issued("AKCp", r"[A-Za-z0-9]{16,}"),
    _issued("KGAT_", r"[0-9a-f]{16,}"),
    _issued("CCIPAT_", _DASHED),
    _issued("bkua_", _HEX),
    _issued("rubygems_", _HEX),
    _issued("secret_", r"[A-Za-z0-9]{30,}", mixed=True),
    _issued("EAAC", r"[A-Za-z0-9]{40,}", mixed=True),
    _issued("neptune_pat_", _DASHED),
    # Headers and private keys in base64: `Authorization`, `authorization`, `Bearer `, `Basic `, `-----BEGIN`.
    *(
        _shaped(start, rf"(?<![A-Za-z0-9+/])(?P<keep>){start}[A-Za-z0-9+/_-]{{8,}}={{0,2}}")
        for start in ("QXV0aG9yaXph", "YXV0aG9yaXph", "QmVhcmVyI", "QmFzaWMg", "LS0tLS1CRUdJTi")
    ),
    # A JSON web token, whole or cut: a header that starts with `{"`, then its further parts.
    _shaped("eyJ", r"(?<![A-Za-z0-9_-])(?P<keep>)eyJ[A-Za-z0-9_-]{12,}(?:\.[A-Za-z0-9_-]{0,8000}){0,4}={0,2}"),
)


def without_tokens(text: str) -> str:
    """Return the text with every token of a known form replaced."""
    if _RUN.search(text) is None:
        return text
    for rule in RULES:
        if rule.literal in text:
            text = rule.apply(text)
    return text
