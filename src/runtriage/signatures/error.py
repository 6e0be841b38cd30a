"""What goes wrong with a signature file."""

from __future__ import annotations


class SignatureError(ValueError):
    """One line that names the file, the key and what is wrong with it."""

    def __init__(self, file: str, key: str, problem: str) -> None:
        self.file = file
        self.key = key
        self.problem = problem
        super().__init__(f"{file}: {key}: {problem}" if key else f"{file}: {problem}")


class SignatureWarning(UserWarning):
    """One line about files of signatures that were left out, because they cannot be used."""
