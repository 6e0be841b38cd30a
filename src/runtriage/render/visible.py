"""Text as a terminal may show it."""

from __future__ import annotations


def visible(text: str, stays: str = "\n\t") -> str:
    """Return text in which U+FFFD takes the place of each character a terminal would act on; those of `stays` are left."""
    return "".join(char if char.isprintable() or char in stays else "\ufffd" for char in text)
