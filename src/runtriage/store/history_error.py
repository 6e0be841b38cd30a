"""What the history says when it cannot be used."""

from __future__ import annotations


class HistoryError(Exception):
    """The history cannot be read or written; one line that says where and why. No report depends on it."""
