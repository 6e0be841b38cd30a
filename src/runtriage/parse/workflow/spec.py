"""The submitted spec of a workflow run."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.model.workflow import PlannedStage, WorkflowSpec
from runtriage.parse.pointer import Node, load_yaml
from runtriage.parse.workflow.manifest import plain, told, whole

API: Final = "npa.workflow/"
_LIMIT: Final = 4 << 20
_TOKEN: Final = deferred(r"\{\{\s*([\w.]+)\s*\}\}")
_ROUNDS: Final = 4
"""How often a value may name another value before what is left stays as it is."""


def workflow_spec(content: bytes, path: str, run_id: str) -> WorkflowSpec | None:
    """Return the spec a document holds, or None when it is not one."""
    root = load_yaml(content, path) if len(content) <= _LIMIT else None
    if root is None or not root.text("apiVersion").startswith(API):
        return None
    settings = {f"config.{name}": told(value) for name, value in root.get("config").members()} | {"run.id": run_id}
    settings = {name: _resolved(value, settings) for name, value in settings.items()}
    return WorkflowSpec(
        path=path,
        name=root.text("metadata", "name"),
        digest=sha256(content).hexdigest(),
        stages=tuple(_stage(root, name, settings) for name in _planned(root)),
        bucket=settings.get("config.bucket", ""),
        settings=settings,
    )


def _planned(root: Node) -> list[str]:
    """Return the states in the order in which the plan comes to them, then those that only a decision leads to."""
    states = dict(root.get("states").members())
    order: dict[str, None] = {}
    open_ends = [*reversed(states), root.text("initial")]
    while open_ends:
        name = open_ends.pop()
        if name in states and name not in order:
            order[name] = None
            open_ends.extend(reversed(_following(states[name])))
    return list(order)


def _following(state: Node) -> list[str]:
    listed = [each.value for group in ("sequence", "parallel") for each in state.get(group).items()]
    goes = [each.text("goto") for each in state.get("transitions").items()]
    names = [name for name in listed if isinstance(name, str)]
    return [*names, *([state.text("next")] if state.text("next") else []), *goes]


def _stage(root: Node, name: str, settings: dict[str, str]) -> PlannedStage:
    state = root.get("states", name)
    profile = root.get("resources", state.text("resources"))
    return PlannedStage(
        name=name,
        outputs=tuple(_resolved(uri, settings) for uri in _addresses(state, "outputs")),
        inputs=tuple(_resolved(uri, settings) for uri in _addresses(state, "inputs")),
        accelerators=told(profile.get("accelerators")),
        nodes=whole(profile.get("num_nodes")) or 1,
        image=_resolved(_image(profile, state), settings),
        profile=plain(profile),
    )


def _image(profile: Node, state: Node) -> str:
    return state.text("image") or profile.text("image") or profile.text("image_id").removeprefix("docker:")


def _addresses(state: Node, name: str) -> list[str]:
    return [each.text("uri") for each in state.get(name).items() if each.text("uri")]


def _resolved(text: str, settings: dict[str, str]) -> str:
    for _ in range(_ROUNDS):
        filled = _TOKEN.sub(lambda found: settings.get(found[1], found[0]), text)
        if filled == text or len(filled) > 4096:
            break
        text = filled
    return text
