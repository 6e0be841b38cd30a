"""Puts the files of checkpoints together and says of each checkpoint whether it is whole."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec.structs import replace

from runtriage.model.facts import Checkpoint
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.parse.checkpoint_names import (
    UNFINISHED,
    beside_weights,
    folder_of,
    has_optimizer,
    has_rng,
    is_folder,
    ranked,
    sharded,
    speaks_of_checkpoint,
    step_of,
)
from runtriage.parse.checkpoint_orbax import lacks, root_of
from runtriage.parse.checkpoint_piece import Piece

_ORDER = (
    "dcp",
    "orbax",
    "safetensors",
    "torch",
    "keras",
    "hdf5",
    "numpy",
    "pickle",
    "zip",
    "packed",
    "index",
    "unknown",
)
_DIGITS = deferred(r"\d{2,}|(?<=[-_=])\d+")


def assemble(pieces: Sequence[Piece], saved: Mapping[str, int]) -> tuple[Checkpoint, ...]:
    """Return the checkpoints the pieces make up, by step, then by path. `saved` maps last parts of paths to printed steps."""
    units = _units([piece for piece in pieces if piece.points_to is None])
    found = [_checkpoint(path, unit, saved) for path, unit in units.items() if _counts(path, unit)]
    found = _compared(found, units)
    damaged = {item.path for item in found if item.valid is False}
    found += _dangling([piece for piece in pieces if piece.points_to is not None], pieces, damaged)
    return tuple(sorted(found, key=lambda item: (item.step if item.step is not None else -1, item.path)))


def _units(pieces: Sequence[Piece]) -> dict[str, list[Piece]]:
    together = {
        _parent(piece.path)
        for piece in pieces
        if _parent(piece.path) and (piece.needs or piece.format == "dcp" or _beside(piece.path))
    }
    units: dict[str, list[Piece]] = {}
    for piece in pieces:
        parent = _parent(piece.path)
        shard = sharded(piece.path.rpartition("/")[2])
        alone = f"{parent}/{shard[0]}".lstrip("/") if shard else piece.path
        key = folder_of(piece.path) or root_of(piece.path) or (parent if parent in together else alone)
        units.setdefault(key, []).append(piece)
    return units


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _beside(path: str) -> bool:
    return beside_weights(path.rpartition("/")[2])


def _counts(path: str, unit: Sequence[Piece]) -> bool:
    """Tell whether files are a checkpoint: what only lies beside weights, or a lone list of shards at the top, is none."""
    return is_folder(path) or any(not _beside(piece.path) and piece.format != "index" for piece in unit)


def _checkpoint(path: str, unit: Sequence[Piece], saved: Mapping[str, int]) -> Checkpoint:
    problem = next(_problems(path, unit), None)
    announced = saved.get(path.rpartition("/")[2])
    step = step_of(path, announced)
    formats = {piece.format for piece in unit if not _beside(piece.path)} or {piece.format for piece in unit}
    is_dcp = any(piece.path.endswith(".metadata") for piece in unit)
    whole = is_dcp or any(piece.verdict.valid for piece in unit)
    return Checkpoint(
        path=path,
        step=step,
        mtime=max((piece.mtime for piece in unit if piece.mtime is not None), default=None),
        size=sum(piece.size for piece in unit),
        format=next((form for form in _ORDER if form in formats), "unknown"),
        valid=False if problem else True if whole else None,
        problem=problem,
        citation=Citation(artifact=_worst(unit).path, byte_start=0),
        resumable=_resumable(path, unit, step is not None or announced is not None),
        optimizer=_told([True if has_optimizer(piece.path) else piece.optimizer for piece in unit]),
        rng=_told([True if has_rng(piece.path) else piece.rng for piece in unit]),
    )


def _told(each: Sequence[bool | None]) -> bool | None:
    """Return True where one file has it, False where all files say that they do not, else None."""
    return True if True in each else None if None in each else False


def _worst(unit: Sequence[Piece]) -> Piece:
    return next((piece for piece in unit if piece.verdict.problem), unit[0])


def _resumable(path: str, unit: Sequence[Piece], known: bool) -> bool | None:
    if is_folder(path):
        return True if any(has_optimizer(piece.path) for piece in unit) else None
    return True if unit[0].optimizer else None if known or speaks_of_checkpoint(path) else False


def _problems(path: str, unit: Sequence[Piece]) -> Iterator[str]:
    if UNFINISHED.search(path):
        yield "still has the name it is given until it is finished"
    for piece in unit:
        if piece.verdict.problem:
            name = piece.path.removeprefix(path).strip("/")
            yield f"{name}: {piece.verdict.problem}" if name else piece.verdict.problem
    present = {piece.path for piece in unit}
    for piece in unit:
        lacking = [name for name in piece.needs if f"{_parent(piece.path)}/{name}".lstrip("/") not in present]
        if lacking:
            yield f"{_some(lacking)} is missing, named in {piece.path.rpartition('/')[2]}"
    yield from lacks(unit)
    yield from _gaps([piece.path.rpartition("/")[2] for piece in unit])
    if any(name.endswith(".distcp") for name in present) and not any(name.endswith(".metadata") for name in present):
        yield "its .metadata, which is written last, is missing"


def _gaps(names: Sequence[str]) -> Iterator[str]:
    sets: dict[tuple[str, int], set[int]] = {}
    for name in names:
        if shard := sharded(name):
            sets.setdefault((shard[0], shard[2]), set()).add(shard[1])
    for (name, total), numbers in sets.items():
        if len(numbers) < total:
            yield f"{total - len(numbers)} of the {total} parts of {name} are missing"
    ranks: dict[str, set[int]] = {}
    for name in names:
        if part := ranked(name):
            ranks.setdefault(part[0], set()).add(part[1])
    for name, have in ranks.items():
        if len(have) <= max(have):
            lost = sorted(set(range(max(have))) - have)
            yield f"{name} of rank {', '.join(map(str, lost[:4]))} is missing"


def _some(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _compared(found: list[Checkpoint], units: Mapping[str, Sequence[Piece]]) -> list[Checkpoint]:
    """The newest checkpoint of a series that lacks files all its predecessors have was cut while being written."""
    series: dict[str, list[Checkpoint]] = {}
    for item in found:
        if is_folder(item.path) and item.step is not None:
            series.setdefault(_DIGITS.sub("#", item.path), []).append(item)
    for group in series.values():
        newest = max(group, key=lambda item: item.step or 0)
        others = [_names(units[item.path], item.path) for item in group if item is not newest and item.valid]
        shared = others[0].intersection(*others[1:]) if others else set[str]()
        lacking = sorted(shared - _names(units[newest.path], newest.path))
        if lacking and newest.valid is not False:
            said = f"{_some(lacking)} is missing, which its predecessors have"
            found[found.index(newest)] = _with(newest, said)
    return found


def _names(unit: Sequence[Piece], path: str) -> set[str]:
    return {_DIGITS.sub("#", name) if "step" in name else name for name in _inside(unit, path)}


def _inside(unit: Sequence[Piece], path: str) -> list[str]:
    return [piece.path.removeprefix(path).strip("/") for piece in unit]


def _with(item: Checkpoint, problem: str) -> Checkpoint:
    return replace(item, valid=False, problem=problem)


def _dangling(pointers: Sequence[Piece], pieces: Sequence[Piece], damaged: Set[str]) -> Iterator[Checkpoint]:
    """Yield an entry for each pointer whose target is not there, or not whole."""
    paths = sorted(piece.path for piece in pieces if piece.points_to is None)
    for pointer in pointers:
        target = f"{_parent(pointer.path)}/{(pointer.points_to or '').rpartition('/')[2]}".lstrip("/")
        lost = not _there(target, paths)
        if lost or target in damaged:
            yield Checkpoint(
                path=pointer.path,
                step=step_of(target),
                mtime=pointer.mtime,
                size=pointer.size,
                format="pointer",
                valid=False,
                problem=f"names {pointer.points_to}, which is {'not there' if lost else 'not whole'}",
                citation=Citation(artifact=pointer.path, first_line=1, last_line=1),
                resumable=False,
            )


def _there(target: str, paths: Sequence[str]) -> bool:
    """Tell whether a file, a folder or the first part of a file's name is among the sorted paths."""
    for name in (f"{target}/", f"{target}.", target):
        at = bisect_left(paths, name)
        if at < len(paths) and paths[at].startswith(name) and (name != target or paths[at] == target):
            return True
    return False
