"""What is wrong with what the user typed, or with the thing behind it."""

from __future__ import annotations

from runtriage.model.exit_code import ABSTAINED, NO_ACCESS, NOT_FOUND, USAGE

__all__ = ["ABSTAINED", "NOT_FOUND", "NO_ACCESS", "USAGE", "TargetError"]


class TargetError(Exception):
    """A target that cannot be diagnosed. The message is one line that names the way out; `code` is the exit code it calls for."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code
