"""A managed SkyPilot job: its row in the queue, what it printed, and what its controller printed."""

from __future__ import annotations

import json
from typing import Final, cast

from runtriage.model.artifact import Request
from runtriage.model.pattern import deferred
from runtriage.targets.errors import NO_ACCESS, NOT_FOUND, USAGE, TargetError
from runtriage.targets.fetched import Shelf
from runtriage.targets.fetching import Fetch, Fetching, Got
from runtriage.targets.grammar import Spec
from runtriage.targets.http_client import Refused
from runtriage.targets.sky import Answer
from runtriage.targets.sky_reads import SkyReads, sky_reads

_JOB: Final = deferred(r"[0-9]{1,12}")


def open_target(spec: Spec) -> Fetching:
    """Return the target of `sky:JOB_ID`. Raises `TargetError` without the command, without an answer, or without such a job."""
    if not _JOB.fullmatch(spec.rest):
        raise TargetError("sky: needs the id of a managed job, such as sky:12; sky jobs queue lists them", USAGE)
    sky = sky_reads()
    if not sky.present:
        text = "the sky command is not installed and no API server is known; give its saved output as files instead"
        raise TargetError(f"sky: {text}", NO_ACCESS)
    rows = _rows(sky, spec.rest)
    shelf = Shelf()

    def queue(request: Request) -> Got:
        return Got([shelf.keep("queue.json", rows, kind="record", source=request.kind)])

    def log(request: Request) -> Got:
        return _log(shelf, request, sky.stage_log(spec.rest, "", waits=_waits(rows)), "job.log")

    def controller(request: Request) -> Got:
        return _log(shelf, request, sky.controller_log(spec.rest), "controller.log")

    fetchers: dict[str, Fetch] = {"sky-queue": queue, "sky-log": log, "sky-controller": controller}
    first = [Request(kind=kind, args={"job": spec.rest}, reason="what was given") for kind in fetchers]
    return Fetching(spec.text, shelf, fetchers, first)


def _rows(sky: SkyReads, job_id: str) -> bytes:
    """Return the rows of one job out of the queue, which cannot be asked for one."""
    answer = sky.queue()
    if not answer.ok:
        raise TargetError(f"sky: the queue cannot be read: {answer.said}", NO_ACCESS)
    text = answer.out.decode("utf-8", "replace")
    try:
        found: object = json.loads(text[min(text.find(mark) for mark in "[{" if mark in text) :])
        listed = cast("dict[str, object]", found).get("jobs") if isinstance(found, dict) else found
        jobs = [dict(row) for row in cast("list[dict[str, object]]", listed)] if isinstance(listed, list) else []
    except (ValueError, TypeError):
        raise TargetError("sky: the queue is no list of jobs as JSON", NO_ACCESS) from None
    rows = [row for row in jobs if str(row.get("job_id")) == job_id]
    if not rows:
        raise TargetError(f"sky: no job {job_id} among those of this identity; others may have it", NOT_FOUND)
    return json.dumps(rows, indent=1).encode()


def _waits(rows: bytes) -> bool:
    """Tell whether no task of the job has started."""
    words = [str(row.get("status")).rpartition(".")[2] for row in cast("list[dict[str, object]]", json.loads(rows))]
    return all(word in ("PENDING", "STARTING", "SUBMITTED") for word in words)


def _log(shelf: Shelf, request: Request, answer: Answer, path: str) -> Got:
    if not answer.ok:
        raise Refused(answer.said)
    return Got([shelf.keep(path, answer.out, kind="log", source=request.kind)])
