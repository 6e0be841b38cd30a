"""The folder a run is kept in, and the log that grows there."""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

RECORD: Final = "run.json"
SCHEMA: Final = "runtriage.run/1"
_PLAIN: Final = re.compile(r"[^\w.-]+")
_KEPT: Final = 50
"""How many runs without a name are kept; the oldest go first."""
_LOOK: Final = 64 << 20
_SPARED: Final = 1 << 30
"""Free bytes that a log leaves to the run, which may want to save a checkpoint there; looked at every 64 MiB."""


def home() -> Path:
    """Return the folder that runs are kept in: `RUNTRIAGE_RUNS`, else one among the user's state."""
    if given := os.environ.get("RUNTRIAGE_RUNS"):
        return Path(given)
    from runtriage.store.folders import user_folder

    return user_folder("state") / "runs"


def plain(name: str) -> str:
    """Return a name that is safe as one part of a path."""
    return _PLAIN.sub("-", name).strip(".-")[:80] or "run"


def new_folder(name: str | None) -> Path:
    """Make the folder of a new run, for this user alone. Raises OSError."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    top = home()
    top.mkdir(parents=True, exist_ok=True, mode=0o700)
    _prune(top)
    wanted = f"{plain(name)}-{stamp}" if name else f"run-{stamp}"
    for attempt in range(1000):
        folder = top / (wanted if attempt == 0 else f"{wanted}-{attempt}")
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            return folder
    raise FileExistsError(17, "too many runs of one name", str(top / wanted))


def _prune(top: Path) -> None:
    import shutil

    with suppress(OSError):
        unnamed = sorted(path for path in top.iterdir() if re.fullmatch(r"run-\d{8}-\d{6}(?:-\d+)?", path.name))
        for path in unnamed[:-_KEPT]:
            shutil.rmtree(path, ignore_errors=True)


class Log:
    """What was printed, one file a stream and none for a silent one; a full disk ends the log and not the run.

    Standard output that is no terminal comes late, in blocks: mixed with errors it would seem to follow them.
    """

    def __init__(self, folder: Path, prefix: str = "") -> None:
        self.problem: str | None = None
        self._folder = folder
        self._prefix = prefix
        self._open: dict[str, int] = {}
        self._room = _LOOK

    def take(self, stream: str, piece: bytes) -> None:
        """Keep what a stream printed."""
        if self.problem is not None:
            return
        try:
            if stream not in self._open:
                path = self._folder / f"{self._prefix}{stream}.log"
                self._open[stream] = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            view = memoryview(piece)
            while view:
                view = view[os.write(self._open[stream], view) :]
            self._room -= len(piece)
            if self._room <= 0:
                self._spare()
        except OSError as error:
            self.problem = (error.strerror or "cannot be written").lower()

    def _spare(self) -> None:
        """Keep no more where the disk is nearly full: the run needs the rest itself."""
        space = os.statvfs(self._folder)
        self._room = _LOOK
        if space.f_bavail * space.f_frsize < _SPARED:
            self.problem = "less than 1 GiB is free there, which is left to the run"

    def close(self) -> None:
        """Let go of the files."""
        for descriptor in self._open.values():
            os.close(descriptor)
        self._open.clear()


def write_record(folder: Path, record: dict[str, object]) -> None:
    """Write what is known of the run beside its log; where that fails, the log alone must do."""
    with suppress(OSError):
        draft = folder / f".{RECORD}"
        draft.write_text(json.dumps({"schema": SCHEMA, **record}, indent=1) + "\n", encoding="utf-8")
        draft.replace(folder / RECORD)
