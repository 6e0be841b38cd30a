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
