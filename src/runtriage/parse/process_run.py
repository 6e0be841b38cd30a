"""The record that `runtriage run` leaves beside the log of a command."""

from __future__ import annotations

import shlex

from runtriage.model.artifact import Artifact
from runtriage.model.event import COMMAND, EXIT
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent, RawText
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, load_json
from runtriage.parse.tables import state

_LIMIT = 4 << 20
_SCHEMA = deferred(rb'"schema"\s*:\s*"runtriage\.run/')


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a record."""
    return bool(_SCHEMA.search(head[:200]))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return how the command ended, and what became of its memory."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events = [] if root is None else [*_command(root), *_end(root), *_memory(root)]
    return Parsed(events=events, bytes_read=len(content), cut="longer than 4 MiB" if cut else None)


def _command(root: Node) -> list[RawEvent]:
    text = root.text("command")
    if not text:
        return []
    where = root.get("command").cite()
    return [
        RawEvent(kind=COMMAND, name="run", citation=where, excerpt=RawText(text), captures={"command": RawText(text)})
    ]


def _end(root: Node) -> list[RawEvent]:
    code, ended = root.number("exit_code"), root.number("signal")
    if code is None:
        return []
    numbers = {"code": code} if ended is None else {"code": -ended, "signal": ended}
    shown = f"exit code {code:.0f}" if ended is None else f"ended by signal {ended:.0f}"
    return [
        RawEvent(
            kind=EXIT,
            name="exit-code" if ended is None else "signal",
            citation=root.get("exit_code" if ended is None else "signal").cite(),
            excerpt=RawText(shown),
            captures={"by": RawText("launcher")} | _refused(root),
            numbers=numbers,
        )
    ]


def _refused(root: Node) -> dict[str, RawText]:
    """Return which program could not be started and why, where the record says so: without its arguments, as whoever looks it up needs it."""
    problem, command = root.text("problem"), root.text("command")
    if not problem or not command:
        return {}
    return {"program": RawText(_program(command)), "problem": RawText(problem)}


def _program(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    return words[0] if words else command


def _memory(root: Node) -> list[RawEvent]:
    kills = root.number("oom_kills")
    if not kills or root.number("exit_code") in (0.0, None):
        return []
    return [
        state(
            "run/oom-kill",
            root.get("oom_kills").cite(),
            numbers={"count": kills, "limit": root.number("memory_limit_bytes")},
            message=f"{kills:.0f} processes of its memory group were killed for lack of memory while it ran",
        )
    ]


PARSERS = (Parser(id="process-run", claims=claims, read=read),)
