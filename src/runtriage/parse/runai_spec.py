"""What was submitted: image, command, memory, mounts and restart policy out of the spec of a Run:ai workload."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.raw import RawEvent
from runtriage.parse.pointer import Node
from runtriage.parse.tables import state

_VOLUMES = ("claimName", "path", "repository", "bucket", "name")
_STORAGE = ("storage", "mounts", "datasources", "volumes")


def text_of(node: Node) -> str:
    """Return a setting as text: the API writes some plainly and some as `{"value": ...}`."""
    value = node.get("value").value if isinstance(node.value, dict) else node.value
    if isinstance(value, bool) or value is None:
        return ""
    return str(value) if isinstance(value, str | int | float) else ""


def spec(root: Node) -> RawEvent:
    """Return the state that says what was submitted; what the spec does not tell is left out."""
    told = root.get("spec")
    compute = told.get("compute")
    memory = compute.get("cpuMemory")
    submitted = told.get("annotations", "items", "runai-submit-command")
    if submitted.value is None:
        submitted = told.get("annotations", "runai-submit-command")
    return state(
        "runai/spec",
        told.cite(),
        image=text_of(told.get("image")),
        command=text_of(told.get("command")),
        submitted=text_of(submitted),
        request=text_of(memory.get("request")) or text_of(compute.get("cpuMemoryRequest")),
        limit=text_of(memory.get("limit")) or text_of(compute.get("cpuMemoryLimit")),
        restart=text_of(told.get("restartPolicy")),
        mounts=", ".join(_mounts(told)),
    )


def _mounts(told: Node) -> Iterator[str]:
    for key in _STORAGE:
        for place in _places(told.get(key)):
            name = next((text_of(place.get(name)) for name in _VOLUMES if text_of(place.get(name))), "")
            if name:
                yield name


def _places(storage: Node) -> Iterator[Node]:
    """Yield the entries of a list of mounts, or of a mapping of such lists; each may be wrapped in `items` and `value`."""
    yield from map(_plain, storage.items())
    for key, group in storage.members():
        if key != "items":
            yield from map(_plain, group.items())
        for _, entry in group.get("items").members() if key != "items" else group.members():
            yield _plain(entry)


def _plain(entry: Node) -> Node:
    return entry.get("value") if isinstance(entry.get("value").value, dict) else entry
