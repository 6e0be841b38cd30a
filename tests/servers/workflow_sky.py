"""A stand-in for the `sky` command: it prints what was recorded, and notes how it was called."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_SCRIPT = """#!/bin/sh
printf '%s\\n' "$*" >> "{folder}/calls"
env > "{folder}/environment"
case "$*" in
  "jobs queue"*) [ -e "{folder}/later" ] && cat "{folder}/second" || cat "{folder}/queue"; : > "{folder}/later"; cat "{folder}/errors" >&2; exit $(cat "{folder}/code") ;;
  "jobs logs --controller"*) cat "{folder}/controller" ;;
  "jobs logs"*) sleep "$(cat "{folder}/log-seconds")" >/dev/null 2>&1; cat "{folder}/log"; exit $(cat "{folder}/log-code") ;;
  "show-gpus"*) cat "{folder}/gpus" ;;
  *) echo "not a question" >&2; exit 64 ;;
esac
"""
GPUS = """\
Kubernetes GPUs
GPU   REQUESTABLE_QTY_PER_NODE  UTILIZATION
H100  1, 2, 4, 8                0 of 8 free
L40S  1                         1 of 1 free

Kubernetes per-node GPU availability
NODE  GPU   UTILIZATION
n1    H100  0 of 8 free
"""


@dataclass
class SkyStandIn:
    """Its folder, and what it prints."""

    folder: Path
    queue: Sequence[dict[str, Any]] | str = ()
    second: Sequence[dict[str, Any]] | None = None
    log: str = ""
    controller: str = ""
    gpus: str = GPUS
    errors: str = ""
    code: int = 0
    log_code: int = 0
    log_seconds: float = 0

    def install(self) -> Path:
        """Write the command and return its path."""
        self.folder.mkdir(parents=True, exist_ok=True)
        queue = self.queue if isinstance(self.queue, str) else json.dumps(list(self.queue))
        texts = {
            "queue": queue,
            "second": queue if self.second is None else json.dumps(list(self.second)),
            "log": self.log,
            "controller": self.controller,
            "gpus": self.gpus,
            "errors": self.errors,
            "code": str(self.code),
            "log-code": str(self.log_code),
            "log-seconds": str(self.log_seconds),
        }
        for name, text in texts.items():
            (self.folder / name).write_text(text, "utf-8")
        program = self.folder / "sky"
        program.write_text(_SCRIPT.format(folder=self.folder), "utf-8")
        program.chmod(0o755)
        return program

    @property
    def calls(self) -> list[str]:
        """How it was called, in order."""
        path = self.folder / "calls"
        return path.read_text("utf-8").splitlines() if path.exists() else []

    @property
    def environment(self) -> str:
        """The variables of the last call."""
        return (self.folder / "environment").read_text("utf-8")
