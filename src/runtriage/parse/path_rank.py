"""What the path of a metric file says about who wrote it and what for."""

from __future__ import annotations

import re

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.subject import NOBODY, Subject

_RANK = deferred(r"(?:^|[._/-])(?:global[_-]?)?rank[_-]?(\d{1,6})(?=$|[._/-])", re.IGNORECASE)
_EVALUATION = deferred(r"(?:^|/)(?:eval(?:uation)?|val(?:id(?:ation)?)?|test|dev)/[^/]+\Z", re.IGNORECASE)


def subject_of(artifact: Artifact) -> Subject:
    """Return the rank whose file it is, where the artifact or its path says one."""
    found = list(_RANK.finditer(artifact.path))
    rank = int(found[-1][1]) if found else artifact.rank
    return NOBODY if rank is None and artifact.node is None else Subject(rank=rank, node=artifact.node)


def evaluates(path: str) -> bool:
    """Tell whether the folder of a file says that its metrics are those of an evaluation."""
    return _EVALUATION.search(path) is not None
