"""What the record of a Slurm job points at: the files its output went to, and its node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runtriage.model.artifact import Request
from runtriage.model.pattern import deferred

_BAD_END = deferred(r"NODE_FAIL|BOOT_FAIL|FAILED|OUT_OF_ME|CANCELLED|TIMEOUT")
_ONE_NODE = deferred(r"[A-Za-z0-9][\w.-]{0,100}")
_EMPTY = frozenset({"", "(null)", "None", "/dev/null", "Unknown"})
_WHY = "what the job printed"


def of_shown(fields: Mapping[str, str]) -> Iterator[Request]:
    """Yield what a job that the controller still knows points at."""
    for name in ("StdOut", "StdErr"):
        if fields.get(name, "") not in _EMPTY:
            yield Request(kind="slurm-output", args={"path": fields[name]}, reason=_WHY)
    nodes = fields.get("NodeList", "")
    if _ONE_NODE.fullmatch(nodes) and nodes not in _EMPTY and _BAD_END.match(fields.get("JobState", "")):
        yield Request(kind="slurm-node", args={"node": nodes}, reason="the state of the node the job ended on")


def of_row(fields: Mapping[str, str]) -> Iterator[Request]:
    """Yield what a row of accounting points at: files it names, else the usual name in the job's folder."""
    job = fields.get("JobIDRaw") or fields.get("JobID", "")
    named = fields.get("JobID") or job
    told = [fields.get(name, "") for name in ("StdOut", "StdErr")]
    paths = [path for path in dict.fromkeys(told) if path not in _EMPTY and "%" not in path]
    folder = fields.get("WorkDir", "")
    if not paths and folder.startswith("/"):
        paths = [f"{folder}/slurm-{named if '_' in named else job}.out"]
    for path in paths:
        yield Request(kind="slurm-output", args={"path": path}, reason=_WHY)
