"""What stands where a secret stood."""

from __future__ import annotations

from typing import Final

MARKER: Final = "[redacted]"

# fmt: off
_MEANINGLESS: Final = frozenset(
    {
        "none", "null", "nil", "true", "false", "yes", "no", "on", "off", "undefined", "unset", "empty", "required",
        "missing", "invalid", "optional", "wrong", "incorrect", "expired", "str", "string", "bytes", "int", "float",
        "bool", "dict", "list", "any", "object", "unknown", "default", "disabled", "enabled", "changeme", "redacted",
        "hidden", "masked", "needed", "set",
    }
)
# fmt: on


def is_placeholder(value: str) -> bool:
    """Say whether a value cannot be a secret: empty, a constant, a mask, a reference to where the secret is kept."""
    bare = value.strip("\"'`")
    if not bare or bare.startswith(
        (MARKER, "${", "$(", "{{", "<", "%(", "os.environ", "os.getenv", "env.", "getenv", "secrets.")
    ):
        return True
    if bare[0] == "$" and bare[1:].replace("_", "").isalnum() and bare.isupper():
        return True
    word = bare.rstrip(".,;:)").lower()
    return word in _MEANINGLESS or not word.strip("*x.#-_•")
