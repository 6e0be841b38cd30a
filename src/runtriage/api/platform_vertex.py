"""How a report speaks of a pipeline on Vertex AI."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts

_JOB = "vertex/job"
_TASK = "vertex/task"
_WAITING = "vertex/untriggered"


def pipeline_of(facts: Facts) -> Event | None:
    """Return the state of the pipeline, None where no pipeline was read."""
    found = (event for event in facts.events if event.kind == STATE and event.name == _JOB)
    return next((event for event in found if event.captures.get("pipeline")), None)


def pipeline_state(facts: Facts) -> str | None:
    """Return the state of the pipeline in Vertex AI's own word, None where no pipeline was read."""
    job = pipeline_of(facts)
    return None if job is None else job.captures.get("state", "UNSPECIFIED")


def vertex_lines(facts: Facts) -> Iterator[str]:
    """Yield name, state and failed tasks of the pipeline, then how many tasks are in which state."""
    job = pipeline_of(facts)
    if job is None:
        return
    yield f"Pipeline: {job.captures['pipeline']}"
    yield f"Pipeline state: {pipeline_state(facts)}"
    yield f"Failed tasks: {','.join(failed_tasks(facts)) or 'none'}"
    tally = job.captures.get("tally")
    if tally:
        yield f"Tasks: {tally}"
    if job.captures.get("last_good"):
        yield f"Last succeeded task: {job.captures['last_good']}"
    failed = failed_tasks(facts)
    waiting = next((event for event in facts.events if event.name == _WAITING), None)
    if failed:
        blocked = _behind(int(waiting.numbers["count"])) if waiting else ""
        yield f"First failing task: {failed[0]}{blocked}"


def _behind(count: int) -> str:
    return f"; {count} tasks behind it were never triggered" if count > 1 else "; 1 task behind it was never triggered"


def failed_tasks(facts: Facts) -> list[str]:
    """Return the names of failed tasks, the first to fail first."""
    found = [event for event in facts.events if event.kind == STATE and event.name == _TASK]
    return [event.captures["task"] for event in found if event.captures.get("task")]


def framework(facts: Facts) -> str | None:
    """Return how the component that failed first is named as a framework, None for other runs."""
    if pipeline_of(facts) is None:
        return None
    failed = failed_tasks(facts)
    return f"Vertex AI Pipeline component ({failed[0]})" if failed else "Vertex AI Pipeline"


def commands(facts: Facts) -> list[str]:
    """Return the commands that show this pipeline and the errors of its log."""
    job = pipeline_of(facts)
    if job is None:
        return []
    parts = job.captures["pipeline"].split("/")
    if len(parts) != 6 or any(
        not part.replace("-", "").replace(":", "").replace(".", "").replace("_", "").isalnum() for part in parts
    ):
        return []
    project, region, name = parts[1], parts[3], parts[5]
    found = [f"gcloud ai pipeline-jobs describe {name} --project={project} --region={region}"]
    start, end = job.captures.get("start", ""), job.captures.get("end", "")
    bounds = "".join(f' AND timestamp{sign}\\"{when}\\"' for sign, when in ((">=", start), ("<=", end)) if when)
    custom = next((event.captures["custom_job"] for event in facts.events if event.captures.get("custom_job")), "")
    labels = [f"resource.labels.pipeline_job_id={name}"]
    labels += [f"resource.labels.job_id={custom}"] if custom.isdecimal() else []
    found += [
        f'gcloud logging read "{label} AND severity>=ERROR{bounds}" --project={project} --limit=50' for label in labels
    ]
    return found
