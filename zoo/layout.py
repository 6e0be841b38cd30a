"""Where programs, recordings and environments lie, and what describes a program."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ZOO = Path(__file__).resolve().parent
PROGRAMS = ZOO / "programs"
RECORDINGS = ZOO / "recordings"
REQUIREMENTS = ZOO / "requirements"
SERVICES = ZOO / "services"
DESCRIPTIONS = ("program.toml", "truth.json")


class ZooError(Exception):
    """A program, its description or its recording is not what it claims to be."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the program is denied; sizes are bytes, or strings such as ``2m`` for tmpfs."""

    address_space: int | None = None
    file_size: int | None = None
    open_files: int | None = None
    stack: int | None = None
    core: int | None = None
    cgroup_memory: int | None = None
    cgroup_pids: int | None = None
    tmpfs: dict[str, str] = field(default_factory=dict[str, str])
    shm: str | None = None
    readonly: tuple[str, ...] = ()
    unprivileged: bool = False


@dataclass(frozen=True, slots=True)
class Signal:
    """A signal sent once a line of output matches ``after``."""

    after: str
    name: str
    to: str = "main"
    delay: float = 0.0


@dataclass(frozen=True, slots=True)
class Program:
    """One ``program.toml`` and the folder it describes."""

    folder: Path
    command: str
    venv: str = "torch"
    script: str = "train.py"
    nproc: int = 1
    timeout: float = 120.0
    ends: str = "exit"
    streams: str = "merged"
    setup: str = ""
    log: str = "train.log"
    last_step: str = ""
    kernel_log: bool = False
    service: str = ""
    keep: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict[str, str])
    limits: Limits = Limits()
    signal: Signal | None = None

    @property
    def name(self) -> str:
        """The folder's name: unique in the zoo."""
        return self.folder.name

    @property
    def truth(self) -> dict[str, Any]:
        """The declared truth, root patterns unresolved."""
        return json.loads((self.folder / "truth.json").read_text(encoding="utf-8"))


def venvs_folder() -> Path:
    """The folder of the zoo's environments: ``$ZOO_VENVS``, else ``.zoo-venvs`` beside the zoo."""
    return Path(os.environ.get("ZOO_VENVS") or ZOO.parent / ".zoo-venvs").resolve()


def load_program(folder: Path) -> Program:
    """Read one program's description; unknown keys are errors."""
    raw = tomllib.loads((folder / "program.toml").read_text(encoding="utf-8"))
    limits = raw.pop("limits", {})
    signal = raw.pop("signal", None)
    if "readonly" in limits:
        limits["readonly"] = tuple(limits["readonly"])
    raw["keep"] = tuple(raw.get("keep", ()))
    try:
        return Program(
            folder=folder,
            limits=Limits(**limits),
            signal=Signal(**signal) if signal else None,
            **raw,
        )
    except TypeError as error:
        raise ZooError(f"{folder.name}/program.toml: {error}") from error


def programs() -> dict[str, Program]:
    """Every program by name, in order of name; a name used twice is an error."""
    found: dict[str, Program] = {}
    for path in sorted(PROGRAMS.glob("*/*/program.toml"), key=lambda path: path.parent.name):
        program = load_program(path.parent)
        if program.name in found:
            raise ZooError(f"two programs are named {program.name}")
        found[program.name] = program
    return found
