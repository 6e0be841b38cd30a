"""Checkpoints of Orbax: folders whose parts say by header and length, and by JSON, whether they were written to the end."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from typing import Final, cast

from runtriage.model.pattern import deferred
from runtriage.parse.checkpoint_piece import UNTOLD, WHOLE, Piece, Verdict, broken

FORMAT: Final = "orbax"
_PART = deferred(
    r"(?P<root>.+?)/(?:ocdbt\.process_\d{1,6}/)?(?:d/[0-9a-f]{32}|manifest\.ocdbt|_METADATA|_CHECKPOINT_METADATA|commit_success\.txt)"
)
_MAGIC: Final = b"\x0c\xdb\x3a\x2a"
"""How a manifest of OCDBT begins; its whole length stands behind it."""
_TREE, _ABOUT, _MANIFEST = "_METADATA", "_CHECKPOINT_METADATA", "manifest.ocdbt"


def root_of(path: str) -> str | None:
    """Return the folder that a file is a part of, where it is one of an Orbax checkpoint."""
    found = _PART.fullmatch(path)
    return found["root"] if found is not None else None


def inspect(name: str, head: bytes, size: int, *, cut: bool) -> Verdict | None:
    """Return the verdict on a part by its last name; None for a file that only bears the name of one."""
    if name == _MANIFEST:
        return _manifest(head, size)
    if name in (_TREE, _ABOUT):
        return _document(name, head, cut=cut)
    return UNTOLD if size or name == "commit_success.txt" else broken("is empty")


def _manifest(head: bytes, size: int) -> Verdict:
    if len(head) < 12 or not head.startswith(_MAGIC):
        return broken("does not begin as a manifest does")
    (length,) = struct.unpack("<Q", head[4:12])
    return WHOLE if length == size else broken(f"is {size:,} bytes long, and says {length:,}")


def _document(name: str, head: bytes, *, cut: bool) -> Verdict | None:
    if not head.lstrip().startswith(b"{"):
        return broken("is empty") if name == _ABOUT and not head else None
    if cut:
        return UNTOLD
    try:
        said = cast("dict[str, object]", json.loads(head))
    except (ValueError, RecursionError):
        return broken("is no whole JSON document")
    if name == _ABOUT and "commit_timestamp_nsecs" in said and not said["commit_timestamp_nsecs"]:
        return broken("says that it was never committed")
    return WHOLE


def lacks(unit: Sequence[Piece]) -> Iterator[str]:
    """Yield what a checkpoint lacks: the list of its arrays is written after them, the manifest that joins the processes last."""
    parts = [piece.path for piece in unit if piece.format == FORMAT]
    if not parts:
        return
    roots = {root_of(path) for path in parts} - {None}
    for root in sorted(cast("set[str]", roots)):
        below = {path.removeprefix(f"{root}/") for path in parts if path.startswith(f"{root}/")}
        stored = any(path.startswith(("ocdbt.process_", "d/")) for path in below)
        for name in (_TREE, _MANIFEST):
            if stored and name not in below:
                yield f"its {name}, which is written last, is missing"
