"""A thread's stack in one form, whichever program printed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from runtriage.model.pattern import deferred
from runtriage.model.place import Citation

FRAMES: Final = 60
"""Innermost frames that are kept of a stack; what a thread waits for is among them."""
_PARTS: Final = 4
_PACKAGES: Final = deferred(r".*/(?:site|dist)-packages/|.*/lib/python3\.\d+/")


class Frame(NamedTuple):
    """One call: `function` without its class, `file` without the folder that Python's own or an installed package lies in."""

    function: str
    file: str
    line: int
    installed: bool

    def __str__(self) -> str:
        return f"{self.function} ({self.file}:{self.line})"


class Thread(Struct):
    """One thread, innermost frame first."""

    name: str
    citation: Citation
    frames: list[Frame] = field(default_factory=list[Frame])
    main: bool = False


class Process(Struct):
    """The threads of one process; `rank` where the dump or its name tells it."""

    pid: int | None
    rank: int | None
    threads: list[Thread] = field(default_factory=list[Thread])

    def main(self) -> Thread | None:
        """Return the main thread, or None where it cannot be told."""
        named = next((thread for thread in self.threads if thread.main), None)
        return named or (self.threads[0] if len(self.threads) == 1 else None)


def frame(function: str, path: str, line: int) -> Frame:
    """Return a frame; long paths keep their last four parts."""
    path = path.replace("\\", "/")
    short = _PACKAGES.sub("", path)
    parts = short.split("/")
    installed = short != path or _library(parts[0], path)
    return Frame(
        function.rpartition(".")[2][:80] or "?", _shown(parts) if short == path else "/".join(parts), line, installed
    )


def _shown(parts: list[str]) -> str:
    """Return the end of a long path; one that has no more folders than that, whole, with the slash in front."""
    return "/".join(parts if len(parts) <= _PARTS + 1 and not parts[0] else parts[-_PARTS:])


def _library(first: str, path: str) -> bool:
    """Tell whether a path that a dump has shortened is one of a well-known package or of Python itself."""
    return first in _KNOWN and not path.startswith("/")


_KNOWN: Final = frozenset(
    [
        "torch",
        "deepspeed",
        "accelerate",
        "transformers",
        "lightning",
        "pytorch_lightning",
        "megatron",
        "horovod",
        "jax",
        "tensorflow",
        "triton",
        "wandb",
        "mlflow",
        "requests",
        "urllib3",
        "datasets",
        "huggingface_hub",
        "fsspec",
        "s3fs",
        "gcsfs",
        "multiprocessing",
        "concurrent",
        "asyncio",
        "importlib",
        "threading.py",
        "queue.py",
        "socket.py",
        "ssl.py",
        "selectors.py",
        "subprocess.py",
        "filelock",
        "numpy",
        "pandas",
        "PIL",
        "cv2",
        "safetensors",
        "pyarrow",
        "h5py",
    ]
)


def joined(frames: Sequence[Frame]) -> str:
    """Return a stack as one line, innermost first."""
    return " < ".join(map(str, frames[:FRAMES]))
