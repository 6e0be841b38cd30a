"""Whether a command starts a run. A command that a client gives for a safe step may be anything; one that deletes or installs is no start."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

_INTERPRETER: Final = re.compile(r"python[\d.]*|bash|sh")
_STARTERS: Final = frozenset(
    {
        "accelerate",
        "axolotl",
        "colossalai",
        "deepspeed",
        "fairseq-train",
        "lightning",
        "llamafactory-cli",
        "sbatch",
        "torchrun",
        "tune",
    }
)
_BEFORE: Final = frozenset(
    {"env", "horovodrun", "mpiexec", "mpirun", "nohup", "numactl", "ray", "srun", "timeout", "uv"}
)
"""Programs that start another one, which is looked for behind them."""
_PLAIN: Final = re.compile(r"-[beilquvxBEIOS]+|-[WX]\S+")
"""Options of interpreters that take no word after them and no program."""
_NO_PYTHON: Final = re.compile(r"--no[-_]python(?:=.*)?")
"""Has torchrun and its like start any program."""


def starts_a_run(words: Sequence[str]) -> bool:
    """Tell whether the words start a script or a launcher of training, and no program that is written out in the command itself.

    What stands in braces is a checkpoint, never a script.
    """
    at = next((place for place, word in enumerate(words) if _starter(word)), None)
    if at is None or (at and not _leads_to_it(words[:at])):
        return False
    if any(_NO_PYTHON.fullmatch(word) for word in words):
        return False
    return _INTERPRETER.fullmatch(_name(words[at])) is None or _is_a_script(words[at + 1 :])


def _name(word: str) -> str:
    return PurePosixPath(word).name


def _starter(word: str) -> bool:
    return _name(word) in _STARTERS or _INTERPRETER.fullmatch(_name(word)) is not None


def _leads_to_it(before: Sequence[str]) -> bool:
    """Tell whether what stands before the starter can only be programs that start another, with their options and settings."""
    if _name(before[0]) not in _BEFORE:
        return False
    takes_options = all(_name(word) != "env" for word in before)
    return all(
        takes_options
        if word.startswith("-")
        else _name(word) in _BEFORE or (not re.search(r"\s", word) and shutil.which(word) is None)
        for word in before
    )


def _is_a_script(rest: Sequence[str]) -> bool:
    first = next((word for word in rest if not _PLAIN.fullmatch(word)), "-")
    return first == "-m" or not first.startswith(("-", "{"))
