"""A prompt of a shell at which somebody asks how a command ended that only looks at something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import ASKED
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.draft import Draft
from runtriage.scan.traceback_rows import Rows

CUE: Final = r"(?:^|[\w)~\]])[$#%] [^\n]{1,300}\$\?"
_PROMPT: Final = deferred(
    r"^(?:[\w.-]{1,40}@)?[\w.:~/\[\] -]{0,80}[$#%] (?P<command>\S[^\n]{0,300}?)(?:;|&&|\|\|)\s*(?:echo|printf)\b[^\n]{0,60}\$\?"
)
_WORKS: Final = deferred(
    r"(?<![\w-])(?:python[\d.]*|torchrun|accelerate|deepspeed|mpirun|mpiexec|srun|sbatch|horovodrun|bash|sh|\S+\.(?:sh|py)|make|ray|lightning|uv run|docker run|julia|Rscript|tune|nohup|timeout|wait|sky|dvc|snakemake|nextflow|kfp|argo)(?![\w-])"
)
"""What may be the run itself, or start it."""


def read_asked(cue: str, rows: Iterator[Row]) -> Reading:
    """Read one prompt line that asks for the exit code of a command which is no program that trains, nor starts one."""
    line = Rows(rows).take()
    found = _PROMPT.search(line.text) if line is not None else None
    if line is None or found is None or _WORKS.search(found["command"]) is not None:
        return Reading()
    return Reading([Draft(kind=STATEMENT, name=ASKED, start=line.start, end=line.end)])
