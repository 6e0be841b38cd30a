"""The durable manifest of a workflow run, in both its layouts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Final

from msgspec.structs import replace

from runtriage.model.workflow import Manifest, Step
from runtriage.parse.pointer import Node, load_json

SCHEMA: Final = "npa.workflow.run.v1"
_LARGEST: Final = 2**53
_TEXT: Final = 2000
_MEMBERS: Final = 20


def manifest(content: bytes, path: str) -> Manifest | None:
    """Return the manifest a document holds, or None when it is not one."""
    root = load_json(content, path)
    if root is None:
        return None
    steps = root.get("steps")
    if root.text("schema_version") == SCHEMA and root.text("workflow") and isinstance(steps.value, list):
        return Manifest(
            path=path,
            run_id=root.text("run_id"),
            workflow=root.text("workflow"),
            status=root.text("status"),
            updated_at=root.text("updated_at"),
            prefix=root.text("run_prefix_uri"),
            job_id=told(root.get("sky_job_id")),
            steps=tuple(_step(each) for each in steps.items() if each.text("state")),
        )
    if root.get("schema_version").value == 1 and isinstance(root.get("stages").value, dict):
        return _legacy(root, path)
    return None


def with_stage_status(known: Manifest, documents: Mapping[str, bytes]) -> Manifest:
    """Return a legacy manifest whose steps carry the state that each stage's own status document tells."""
    steps = [_with_status(step, documents.get(step.state)) for step in known.steps]
    return replace(known, steps=tuple(steps))


def told(node: Node) -> str:
    """Return a word or a number as text; anything else is nothing."""
    value = node.value
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def whole(node: Node) -> int | None:
    """Return a number as a whole one, or None for anything else; documents may hold numbers that no machine counts with."""
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if -_LARGEST < value < _LARGEST else None


def number(node: Node) -> float | None:
    """Return a finite number of moderate size, or None."""
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if -_LARGEST < value < _LARGEST else None


def plain(node: Node) -> dict[str, str]:
    """Return the members of an object that are words or numbers, as text."""
    found = ((name, told(value)) for name, value in node.members())
    return dict(islice(((name, value) for name, value in found if value), _MEMBERS))


def uris(node: Node) -> tuple[str, ...]:
    """Return the addresses of a list whose items are addresses or objects that hold one."""
    found = [each.value if isinstance(each.value, str) else each.text("uri") for each in node.items()]
    return tuple(dict.fromkeys(uri for uri in found if uri))


def _step(step: Node) -> Step:
    return Step(
        state=step.text("state"),
        place=step.pointer,
        iteration=told(step.get("iteration")),
        status=step.text("status"),
        job_id=told(step.get("job_id")),
        job_name=step.text("job_name"),
        sky_status=step.text("sky_status"),
        error=step.text("error")[:_TEXT],
        attempt=whole(step.get("attempt")) or 0,
        outputs=uris(step.get("outputs")),
        inputs=uris(step.get("inputs")),
        accelerators=told(step.get("resources_profile", "accelerators")),
        profile=plain(step.get("resources_profile")),
    )


def _legacy(root: Node, path: str) -> Manifest | None:
    if not root.text("workflow_name"):
        return None
    steps = [
        Step(
            state=name,
            place=stage.pointer,
            job_id=told(stage.get("sky_job_id")),
        )
        for name, stage in root.get("stages").members()
    ]
    return Manifest(
        path=path,
        run_id=root.text("run_id"),
        workflow=root.text("workflow_name"),
        status=root.text("status"),
        updated_at=root.text("updated_at") or root.text("pod_written_at"),
        prefix=root.text("run_prefix_uri"),
        job_id=told(root.get("sky_job_id")),
        legacy=True,
        steps=tuple(steps),
    )


def _with_status(step: Step, content: bytes | None) -> Step:
    root = load_json(content, "") if content is not None else None
    if root is None:
        return step
    return replace(
        step,
        status=root.text("state"),
        error=root.text("error_summary"),
        job_id=step.job_id or told(root.get("sky_job_id")),
    )
