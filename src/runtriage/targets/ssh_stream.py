"""The bytes of a file on another machine, from any offset, up to the size it had when it was looked at."""

from __future__ import annotations

import os
import subprocess
from types import TracebackType
from typing import Final, Self

from runtriage.targets.ssh_client import Ssh, Unanswered

_WAIT: Final = 5


class RemoteStream:
    """Reads with one command there, and starts another one where it is told to go on elsewhere."""

    local = False

    def __init__(self, ssh: Ssh, path: str, size: int) -> None:
        self.size: int | None = size
        self._ssh = ssh
        self._path = path
        self._end = size
        self._at = 0
        self._process: subprocess.Popen[bytes] | None = None

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end. Raises OSError where the connection breaks."""
        view = buffer[: max(self._end - self._at, 0)]
        if not len(view):
            return 0
        process = self._process or self._begin()
        content = b"" if process.stdout is None else os.read(process.stdout.fileno(), len(view))
        count = len(content)
        view[:count] = content
        if not count:
            raise OSError(f"the connection was cut after {self._at:,} of {self._end:,} bytes")
        self._at += count
        return count

    def seek(self, offset: int) -> None:
        """Go on from an absolute offset."""
        if offset != self._at:
            self.close()
            self._at = offset

    def count_lines(self, stop: int) -> int:
        """Return how many lines end before an offset, counted there. Raises OSError."""
        try:
            return self._ssh.lines_before(self._path, stop)
        except (Unanswered, ValueError) as error:
            raise OSError(f"lines could not be counted there: {error}") from None

    def close(self) -> None:
        """End the command."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate(timeout=_WAIT)
            self._process = None

    def _begin(self) -> subprocess.Popen[bytes]:
        self._process = self._ssh.start(("tail", "-c", f"+{self._at + 1}", "--", self._path))
        return self._process

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()
