"""What the job of one stage printed, asked of `sky` while the run is diagnosed."""

from __future__ import annotations

from typing import Final

from runtriage.model.artifact import Request
from runtriage.targets.fetched import Shelf
from runtriage.targets.fetching import Fetching, Got
from runtriage.targets.http_client import Refused
from runtriage.targets.sky_reads import SkyReads

STAGE_LOG: Final = "stage-log"
"""Request kind: the log of one stage."""


def stage_logs(sky: SkyReads, stage: str, job_id: str, *, controller: bool) -> Fetching:
    """Return a target that answers with the log of a stage, or of its controller where the stage never started."""
    shelf = Shelf()
    name = f"sky/{stage}{'.controller' if controller else ''}.log"

    def fetch(request: Request) -> Got:
        answer = sky.controller_log(job_id) if controller else sky.stage_log(job_id, stage)
        if not answer.ok:
            raise Refused(answer.said)
        if not answer.out.strip():
            return Got([])
        return Got([shelf.keep(name, answer.out, kind="log", source=request.kind)])

    first = [Request(kind=STAGE_LOG, args={"path": name}, reason=f"what job {job_id} of stage {stage} printed")]
    return Fetching(name, shelf, {STAGE_LOG: fetch}, first)
