"""What the path of a log says about who wrote it."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred


class PathFacts(Struct, frozen=True, kw_only=True):
    """Facts a file's path states; None where it says nothing. `rank` is global, `local_rank` within its node."""

    rank: int | None = None
    local_rank: int | None = None
    attempt: int | None = None
    node: str | None = None
    stream: str | None = None


_STREAM = deferred(
    r"(?:^|[._-])(stdout|stderr)(?:$|[._-])|\.(out|err)(?:\.(?:log|txt|gz|zst|\d{1,4}))*$", re.IGNORECASE
)
_ELASTIC = deferred(r"(?:^|/)attempt_(\d{1,4})/(\d{1,6})/(stdout|stderr)\.log$")
_GLOBAL = deferred(r"(?:^|[._/-])(?:global[_-]?)?rank[_-]?(\d{1,6})(?=$|[._/-])", re.IGNORECASE)
_LOCAL = deferred(r"(?:^|[._/-])local[_-]?rank[_-]?(\d{1,6})(?=$|[._/-])", re.IGNORECASE)
_WORKER = deferred(
    r"(?:^|[._/-])(?:worker|proc|process|task|trainer)[_-]?(\d{1,6})\.(?:log|out|err|txt)(?:\.|$)", re.IGNORECASE
)
_SLURM = deferred(r"(?:^|/)[\w.-]*?slurm[-_]\d+(?:_\d+)?(?:\.\d+)?_(\d{1,6})\.(?:out|err|log)$", re.IGNORECASE)
_SUBMITIT = deferred(r"(?:^|/)\d{1,12}(?:_\d{1,6})?_(\d{1,6})_log\.(?:out|err)$")
"""Job, task of its array, task within the job: how submitit names what each task printed."""
_NUMBERED = deferred(r"(?:^|/)(?:log|stdout|stderr|out|err)[._-](\d{1,2})$|(?:^|/)(\d{1,2})\.(?:log|out|err)$")
_SHELVED = deferred(r"(?:^|/)(?:ranks?|workers?|logs?|procs?)/([1-9]\d{2,5})\.(?:log|out|err)$", re.IGNORECASE)
_ATTEMPT = deferred(r"(?:^|[._/-])(?:attempt|restart|try)[_-]?(\d{1,4})(?=$|[._/-])", re.IGNORECASE)
_NODE_WORD = deferred(r"(?:^|[._/-])(?:node|host)[_-]?(\d{1,3}(?:\.\d{1,3}){3}|\d{1,5})(?=$|[._/-])", re.IGNORECASE)
_NODE_FOLDER = deferred(r"^[a-z][a-z0-9]*(?:-[a-z0-9]+)*-?\d{1,5}[a-z]?$", re.IGNORECASE)
_NOT_NODES: Final = deferred(
    r"(?i)(?:attempt|rank|run|exp|epoch|step|checkpoint|ckpt|version|fold|trial|stage|try|seed|job|iter|v|log|global|worker|output|model|pod|restart)s?[-_]?\d"
)


def read_path(path: str) -> PathFacts:
    """Read rank, attempt, node and stream from an artifact's path (`/` between folders).

    torchelastic numbers its folders by local rank; `log.3` counts only as a whole file name, and a number of three or more digits only in a
    folder of ranks or logs: elsewhere it is a job's or a serial number.
    """
    if elastic := _ELASTIC.search(path):
        return PathFacts(
            attempt=int(elastic[1]), local_rank=int(elastic[2]), stream=elastic[3], node=_node(path[: elastic.start()])
        )
    name = path.rsplit("/", 1)[-1]
    local, attempt = _LOCAL.search(path), _ATTEMPT.search(path)
    return PathFacts(
        rank=_rank(path, name),
        local_rank=int(local[1]) if local else None,
        attempt=int(attempt[1]) if attempt else None,
        node=_node(path.rpartition("/")[0]) or _node_in_name(name),
        stream=_stream(name),
    )


def _rank(path: str, name: str) -> int | None:
    bare = _LOCAL.sub("/", path)
    named = ((_SLURM, name), (_SUBMITIT, name), (_WORKER, name), (_NUMBERED, name))
    for pattern, text in ((_GLOBAL, bare), *named, (_SHELVED, path)):
        found = list(pattern.finditer(text))
        if found:
            return int(next(group for group in found[-1].groups() if group is not None))
    return None


def _stream(name: str) -> str | None:
    found = _STREAM.search(name)
    return None if found is None else {"out": "stdout", "err": "stderr"}[(found[1] or found[2]).lower()[-3:]]


def _node_in_name(name: str) -> str | None:
    found = _NODE_WORD.search(name)
    return found[1] if found else None


def _node(folders: str) -> str | None:
    for folder in reversed(folders.split("/")):
        if _NODE_FOLDER.match(folder) and not _NOT_NODES.match(folder):
            return folder
    return None
