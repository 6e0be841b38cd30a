"""Words of a shell."""

from __future__ import annotations

import os
import shlex


def quoted(path: str) -> str:
    """Return a path as one word for bash; a name that cannot be shown is spelt by its bytes."""
    path = f"./{path}" if path.startswith("-") else path
    if path.isprintable():
        return shlex.quote(path)
    plain = (chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\x{byte:02x}" for byte in os.fsencode(path))
    return f"$'{''.join(plain)}'"
