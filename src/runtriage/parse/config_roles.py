"""What the name of a setting means to a diagnosis."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

_FLAGS = frozenset({"fp16", "bf16", "amp", "half", "fp16.enabled", "bf16.enabled", "bfloat16.enabled"})
_OFF = frozenset({"false", "no", "off", "0", "none", "null", ""})
_LEFT_OPEN = frozenset({"auto", "none", "null", "~", ""})


@cache
def _table() -> dict[str, str]:
    text = Path(__file__).with_name("config_roles.csv").read_text(encoding="utf-8")
    return {row["name"]: row["role"] for row in csv.DictReader(text.splitlines())}


def role_of(name: str, value: str) -> str | None:
    """Return the role of a setting by its dotted name, or None when it has none or the value leaves it open."""
    parts = name.lower().replace("-", "_").split(".")
    for known in (".".join(parts[-2:]), parts[-1]):
        if (role := _table().get(known)) is not None:
            off = value.lower() in (_OFF if known in _FLAGS else _LEFT_OPEN)
            return None if off else role
    return None
