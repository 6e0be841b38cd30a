"""Who may reach a server of ours: this machine alone, or those who hold a token."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

TOKEN_LENGTH: Final = 16
"""Characters that a token has at least."""
LOCAL: Final = ("127.0.0.1", "localhost", "[::1]")
"""Names under which only this machine asks, as a request writes them."""


class ExposedError(Exception):
    """The server would answer strangers; one line that says what it needs."""


def check(host: str, token: str | None) -> None:
    """Raise `ExposedError` for an address beyond loopback without a token, and for a token that can be guessed."""
    if token is None and not loopback(host):
        raise ExposedError(
            f"{host} can be reached from other machines; a token of {TOKEN_LENGTH} characters or more must stand in the variable that --token-env names"
        )
    if token is not None and len(token) < TOKEN_LENGTH:
        raise ExposedError(f"the token is shorter than {TOKEN_LENGTH} characters")


def loopback(host: str) -> bool:
    """Tell whether an address is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
