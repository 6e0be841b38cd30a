"""The job of Slurm that a run was."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.facts import Facts
from runtriage.model.pattern import deferred
from runtriage.model.verdict import Verdict

_NAME = deferred(r"(?:^|/)slurm-(\d{1,10}(?:_\d{1,7})?)\.(?:out|err|log)(?:\.\w+)?$")
"""`sbatch` writes to `slurm-%j.out`, of an array to `slurm-%A_%a.out`, unless it is told otherwise."""
_SAID = deferred(
    r"(?:StepId|JobId)=(\d{1,10}(?:_\d{1,7})?)(?![\d_])"
    r"|slurmstepd: error: \*\*\* (?:JOB|STEP) (\d{1,10})(?![\d])"
    r"|/slurmd?/job(\d{1,10})/slurm_script\b"
)
"""How slurmstepd and slurmctld name a job, and where slurmd keeps its script."""
_SETTING = deferred(r"(?:.*\.)?slurm_job_?id$")


_BY_SLURM = deferred(r"(?:^|[\s\]:])(?:slurmstepd|slurmctld|srun|slurmd): ")
_ENDED_BY_IT = frozenset({"process-crash", "pipeline-orchestration"})
"""Of a process that ended without a reason of its own the scheduler's record tells who ended it."""


def job_command(verdict: Verdict, facts: Facts) -> Iterator[str]:
    """Yield the command that reads the job's record, where Slurm had a word in its end."""
    number = job(verdict, facts)
    spoke = any(_BY_SLURM.search(item.excerpt) for item in verdict.evidence)
    if number is not None and (spoke or verdict.primary_class in _ENDED_BY_IT):
        yield f"sacct -j {number} -o JobID,State,ExitCode,Start,End,Timelimit,MaxRSS,NodeList"


def job(verdict: Verdict, facts: Facts) -> str | None:
    """Return the number by which `sacct -j` knows the job, if the failure's own log or the settings tell one and no other."""
    root = verdict.root
    names = (read.artifact.path for read in facts.reads) if root is None else (root.artifact,)
    found = {match[1] for name in names if (match := _NAME.search(name))} or set(_said(verdict, facts))
    return found.pop() if len(found) == 1 else None


def _said(verdict: Verdict, facts: Facts) -> Iterator[str]:
    for item in verdict.evidence:
        yield from (next(filter(None, match.groups())) for match in _SAID.finditer(item.excerpt))
    for setting in facts.settings:
        if _SETTING.match(setting.name.lower()) and setting.value.isdigit():
            yield setting.value
