"""What is wrong with what the user typed, or with the thing behind it."""

from __future__ import annotations

from typing import Final

USAGE: Final = 2
NOT_FOUND: Final = 3
NO_ACCESS: Final = 4
NOTHING_TO_JUDGE: Final = 5


class TargetError(Exception):
    """A target that cannot be diagnosed. The message is one line that names the way out; `code` is the exit code it calls for."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code
