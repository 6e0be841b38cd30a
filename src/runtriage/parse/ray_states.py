"""What Ray's state API answers of actors that died, tasks that failed and nodes that are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, is_document, load_json
from runtriage.parse.tables import state

_LIMIT = 64 << 20
_KIND = deferred(rb'\A\s*\{\s*"ray_(?:actors|tasks|nodes)"\s*:')
_ADVICE = deferred(
    r"(?:Some common causes include|If the process was killed by the kernel|To troubleshoot|You may want to|Refer to the documentation)\b",
    re.IGNORECASE,
)
"""Where what is known of an end turns into what it might have been and what could be tried."""
_ASKED = frozenset({"INTENDED_USER_EXIT", "INTENDED_SYSTEM_EXIT"})
_ENDED_BY_REQUEST = deferred(
    r"ray\.kill\(\)|out of scope|all references|owner (?:has )?died|job (?:has )?finished|INTENDED", re.IGNORECASE
)


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such an answer."""
    return is_document(head) and bool(_KIND.match(head))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return one state for each that ended badly; an actor that was ended on purpose is none."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    parsed = Parsed(bytes_read=len(content), cut="longer than 64 MiB" if cut else None)
    if root is not None:
        parsed.events = [*_actors(root), *_tasks(root), *_nodes(root)]
    return parsed


def _actors(root: Node) -> Iterator[RawEvent]:
    for actor in root.get("ray_actors").items():
        cause = actor.get("death_cause")
        why = next((node.text("error_message") for _, node in cause.members() if node.text("error_message")), "")
        why = _ADVICE.split(why, maxsplit=1)[0].rstrip()
        if why and not _ENDED_BY_REQUEST.search(why):
            yield state(
                "ray/actor",
                actor.get("death_cause").cite(),
                _at(actor),
                state=actor.text("state"),
                message=why,
                object=actor.text("class_name"),
            )


def _tasks(root: Node) -> Iterator[RawEvent]:
    for task in root.get("ray_tasks").items():
        message = _ADVICE.split(task.text("error_message"), maxsplit=1)[0].rstrip()
        if message and task.text("error_type") not in _ASKED:
            yield state(
                "ray/task",
                task.get("error_message").cite(),
                _at(task),
                state=task.text("state"),
                reason=task.text("error_type"),
                message=message,
                object=task.text("name"),
            )


def _nodes(root: Node) -> Iterator[RawEvent]:
    for node in root.get("ray_nodes").items():
        message = node.text("state_message")
        yield state(
            "ray/node",
            node.get("state").cite(),
            Subject(node=node.text("node_ip") or node.text("node_id")),
            state=node.text("state"),
            message=message or "no reason was recorded",
        )


def _at(node: Node) -> Subject:
    pid = node.number("pid") or node.number("worker_pid")
    return Subject(pid=int(pid)) if pid else NOBODY


PARSERS = (Parser(id="ray-states", claims=claims, read=read),)
