"""checkpoints(): what a folder holds to go on from, without loading any of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from runtriage.api.sections import listed
from runtriage.model.artifact import Artifact, Collected
from runtriage.model.facts import Checkpoint
from runtriage.model.report import CheckpointModel
from runtriage.model.target import Seekable, Target
from runtriage.parse import HEAD, Piece, assemble, recognise
from runtriage.parse.checkpoint_piece import broken
from runtriage.plan.resume import newest_whole
from runtriage.redact import clean
from runtriage.targets import resolve

_KIND: Final = "checkpoint"
_NAMED: Final = 3


class Inventory(NamedTuple):
    """The checkpoints by step, the last good one marked; `unread` names files that could not be read, with the reason."""

    checkpoints: tuple[CheckpointModel, ...]
    unread: tuple[tuple[str, str], ...]

    @property
    def last_good(self) -> CheckpointModel | None:
        """The newest whole checkpoint a run can go on from."""
        return next((item for item in self.checkpoints if item.last_good), None)


def checkpoints(target: str | Sequence[str], *, deep: bool = False) -> Inventory:
    """List the checkpoints of a folder or of files, by their headers, directories and sizes.

    `deep` also reads the weights of safetensors and torch files and counts values that are not finite as damage; it needs numpy and raises
    ImportError without it. Raises `runtriage.targets.TargetError` where there is nothing of a run.
    """
    pieces: list[Piece] = []
    unread: list[tuple[str, str]] = []
    with resolve([target] if isinstance(target, str) else list(target), accept=frozenset({_KIND})) as opened:
        for artifact in _artifacts(opened):
            try:
                pieces += _pieces(opened, artifact, deep=deep)
            except OSError as error:
                unread.append((clean(artifact.path), (error.strerror or type(error).__name__).lower()))
    found = [_clean(item) for item in assemble(pieces, {})]
    return Inventory(tuple(listed(found, newest_whole(found))), tuple(unread))


def _artifacts(opened: Target) -> list[Artifact]:
    outcomes = [opened.collect(request) for request in opened.first_requests()]
    return [
        artifact
        for outcome in outcomes
        if isinstance(outcome, Collected)
        for artifact in outcome.artifacts
        if artifact.kind == _KIND
    ]


def _pieces(opened: Target, artifact: Artifact, *, deep: bool) -> list[Piece]:
    with opened.open(artifact) as stream:
        head = bytearray(HEAD)
        count = stream.readinto(memoryview(head))
    parser = recognise(artifact, bytes(head[:count]))
    if parser is None:
        return []
    with opened.open(artifact) as stream:
        pieces = parser.read(artifact, stream).pieces
    if not deep or artifact.encoding is not None:
        return list(pieces)
    with opened.open(artifact) as stream:
        return [_looked_into(piece, stream) if isinstance(stream, Seekable) else piece for piece in pieces]


def _looked_into(piece: Piece, stream: Seekable) -> Piece:
    from runtriage.parse.checkpoint_deep import look_deep

    weights = look_deep(stream, piece.format, piece.size) if piece.verdict.valid else None
    if weights is None or not weights.spoilt:
        return piece
    bad = sum(count for _, count in weights.spoilt)
    names = ", ".join(name for name, _ in weights.spoilt[:_NAMED])
    more = f" and {len(weights.spoilt) - _NAMED} more" if len(weights.spoilt) > _NAMED else ""
    return replace(
        piece, verdict=broken(f"{bad:,} of {weights.numbers:,} weights are NaN or infinite, in {names}{more}")
    )


def _clean(item: Checkpoint) -> Checkpoint:
    return replace(item, path=clean(item.path), problem=clean(item.problem) if item.problem else None)
