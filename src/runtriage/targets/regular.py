"""Opens regular files only, and says why a file cannot be had."""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path
from typing import Final

from runtriage.model.target import ByteStream
from runtriage.targets.streams import encoding_of, unpacked
from runtriage.targets.utf16 import UTF16, AsUtf8, utf16_of

HEAD: Final = 4096
"""How many bytes are looked at to tell text from binary."""

SOCKET: Final = "a socket"
_SPECIAL: Final = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, SOCKET),
)


def open_regular(path: Path) -> io.FileIO:
    """Open a regular file for reading. Raises OSError, also where something else lies there by now; never waits for a pipe."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return io.FileIO(descriptor, "r", closefd=True)


def read_as(file: ByteStream, encoding: str | None) -> ByteStream:
    """Return the stream unpacked, or read as UTF-8, as the encoding of its artifact says."""
    return AsUtf8(file, encoding) if encoding in UTF16 else unpacked(file, encoding)


def encoding_told(head: bytes) -> str | None:
    """Return `gzip`, `zstd` or one of `UTF16` when the first bytes say so."""
    return utf16_of(head) or encoding_of(head)


def special(mode: int) -> str | None:
    """Return what a thing that is neither file nor folder is called, None for files and folders."""
    return next((title for test, title in _SPECIAL if test(mode)), None)


def read_head(path: Path) -> bytes:
    """Return the first bytes of a file as stored. Raises OSError."""
    with open_regular(path) as file:
        return file.read(HEAD) or b""


def why(error: OSError) -> str:
    """Return an error in lower-case words, without the path."""
    return (error.strerror or str(error) or type(error).__name__).lower()


def denied(error: OSError) -> bool:
    """Say whether rights are what is missing."""
    return error.errno in {errno.EACCES, errno.EPERM}
