"""Files of checkpoints, looked at without loading them: headers, directories and lists of shards."""

from __future__ import annotations

import json
import re
from typing import cast

from msgspec.structs import replace

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.target import ByteStream, Seekable
from runtriage.parse import checkpoint_orbax
from runtriage.parse.checkpoint_header import HDF5, inspect_hdf5, inspect_safetensors
from runtriage.parse.checkpoint_pickle import tell
from runtriage.parse.checkpoint_piece import UNTOLD, Piece, Verdict, broken, read_at
from runtriage.parse.checkpoint_zip import data_offset, entries, inspect_zip
from runtriage.parse.document import Parsed, Parser, read_all

_HEAD = 4096
_INDEX = 32 << 20
_NAME = 300
_PICKLE = 4 << 20
_POINTERS = ("latest", "latest_checkpointed_iteration.txt", "checkpoint")
_TF_POINTER = deferred(r'^model_checkpoint_path: "([^"\n]{1,300})"', re.MULTILINE)
_ZERO_SAYS = (".pt", ".pth", ".ckpt", ".bin", ".safetensors", ".h5", ".hdf5", ".keras", ".npz", ".distcp")
"""Formats none of which begins with zero bytes."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the artifact is a file of a checkpoint."""
    return artifact.kind == "checkpoint"


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the file as a piece of a checkpoint; of weights only headers and directories are read."""
    name = artifact.path.rpartition("/")[2]
    if name in _POINTERS or name.endswith(".index.json"):
        content, cut = read_all(stream, _INDEX if name.endswith(".json") else _HEAD)
        piece = _index(artifact, content, cut=cut) if name.endswith(".json") else _pointer(artifact, name, content)
        if piece is not None:
            return Parsed(pieces=[piece], bytes_read=len(content))
        head = content
    elif checkpoint_orbax.root_of(artifact.path) is not None:
        head, cut = read_all(stream, _INDEX if name.endswith("METADATA") else _HEAD)
        verdict = checkpoint_orbax.inspect(name, head, artifact.size or 0, cut=cut)
        found = [] if verdict is None else [_piece(artifact, checkpoint_orbax.FORMAT, verdict)]
        return Parsed(pieces=found, bytes_read=len(head))
    else:
        head, _ = read_all(stream, _HEAD)
    form, verdict = _weights(artifact, head, stream)
    piece = _piece(artifact, form, verdict)
    if form == "torch" and isinstance(stream, Seekable):
        piece = _with_state(piece, stream)
    return Parsed(pieces=[piece], bytes_read=len(head))


def _with_state(piece: Piece, stream: Seekable) -> Piece:
    """Return a torch file with what its pickle names, where that is small enough to be looked at."""
    for entry in entries(stream, piece.size):
        if entry.name.endswith("/data.pkl") and entry.method == 0 and entry.size <= _PICKLE:
            at = data_offset(stream, entry)
            told = tell(read_at(stream, at, entry.size)) if at is not None else None
            return replace(piece, optimizer=told.optimizer, rng=told.rng) if told and told.whole else piece
    return piece


def _piece(
    artifact: Artifact,
    form: str,
    verdict: Verdict = UNTOLD,
    needs: tuple[str, ...] = (),
    points_to: str | None = None,
) -> Piece:
    return Piece(
        path=artifact.path,
        size=artifact.size or 0,
        mtime=artifact.mtime,
        format=form,
        verdict=verdict,
        needs=needs,
        points_to=points_to,
    )


def _weights(artifact: Artifact, head: bytes, stream: ByteStream) -> tuple[str, Verdict]:
    name = artifact.path.lower()
    form = "safetensors" if name.endswith(".safetensors") else "dcp" if name.endswith((".distcp", "/.metadata")) else ""
    if not head:
        return form or "unknown", broken("is empty")
    if artifact.encoding is not None or not isinstance(stream, Seekable):
        return form or "packed", UNTOLD
    if head.count(0) == len(head) and name.endswith(_ZERO_SAYS):
        return form or "unknown", broken("holds zero bytes where its header should be")
    size = artifact.size or 0
    if form == "dcp":
        return form, UNTOLD
    if form == "safetensors":
        return form, inspect_safetensors(stream, size)
    if head.startswith(b"PK\x03\x04"):
        return inspect_zip(stream, size)
    if head.startswith(HDF5):
        return "hdf5", inspect_hdf5(stream, size)
    if head[:1] == b"\x80" and 2 <= head[1] <= 5:
        return "pickle", UNTOLD
    return "unknown", UNTOLD


def _index(artifact: Artifact, content: bytes, *, cut: bool) -> Piece:
    if cut:
        return _piece(artifact, "index")
    try:
        document = cast("object", json.loads(content))
    except (ValueError, RecursionError):
        return _piece(artifact, "index", broken("is no whole JSON document"))
    shards = cast("dict[str, object]", document).get("weight_map") if isinstance(document, dict) else None
    named = cast("dict[str, object]", shards).values() if isinstance(shards, dict) else ()
    needs = sorted({shard for shard in named if isinstance(shard, str)})
    return _piece(artifact, "index", needs=tuple(needs))


def _pointer(artifact: Artifact, name: str, content: bytes) -> Piece | None:
    """Return the pointer a small text is, or None for weights under such a name."""
    text = content.decode("utf-8", "replace").strip().strip("\0")
    named = _TF_POINTER.search(text)
    if name == "checkpoint" and named:
        return _piece(artifact, "pointer", points_to=named[1])
    if name.endswith(".txt") and text.isascii() and text.isdigit():
        return _piece(artifact, "pointer", points_to=f"iter_{int(text):07d}")
    plain = name == "latest" and 0 < len(text) < _NAME and "\n" not in text and text.isprintable()
    return _piece(artifact, "pointer", points_to=text) if plain else None


PARSERS = (Parser(id="checkpoint", claims=claims, read=read),)
