"""How much is taken out."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from runtriage.redact.pseudonyms import Pseudonyms

VERSION: Final = "3"
"""Changes whenever other text would come out; part of the key of what is cached."""


class Policy(Struct, frozen=True):
    """Secrets always go. With `names`, users, hosts, addresses and paths are replaced too, the same way all through one run."""

    names: Pseudonyms | None = None


DEFAULT: Final = Policy()


def strict() -> Policy:
    """Return the policy of `--redact strict` for one run."""
    return Policy(Pseudonyms())
