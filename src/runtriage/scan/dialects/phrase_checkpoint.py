"""Lines about writing and loading checkpoints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runtriage.model.event import CHECKPOINT
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.words import said

_STEP = deferred(
    r"(?:global[_ ]?step|checkpoint[-_]|step[s_ =:-]{0,3}|(?<!best )iteration[s_ =:]{0,12}|iter[_ =:-]{0,3}|model_|ckpt[-_])(?P<step>\d{1,9})(?![\d.]*[\d]?[eE%])",
    re.IGNORECASE,
)
_EPOCH = deferred(r"epoch[s_ =:-]{0,3}(?P<epoch>\d{1,6})|(?:at|after) (?P<count>\d{1,6}) epochs", re.IGNORECASE)
_TOKEN = deferred(r"[^\s'\"`(),;<>|\[\]]{3,400}")
_ROOTED = deferred(r"(?:/|\./|\.\./|~/|[a-z0-9]{1,8}://|[A-Za-z]:\\)[^\s]*[\w-]")
_NAMED = deferred(
    r"[^\s]*\.(?:pt|pth|bin|ckpt|safetensors|keras|h5|hdf5|npz|pkl|msgpack|distcp|tar|json|txt|model|pdparams|onnx)"
    r"|(?:[\w.=+-]+/)+[\w.=+-]+|(?:checkpoint-|global_step|step_|epoch_)\d+"
)
_SAVING = deferred(
    r"\b(?:sav(?:ed|ing)|wrote|written|writing|dump(?:ed|ing)|stored|storing)\b|Checkpoint \S{1,200} is (?:ready|begin|about)",
    re.IGNORECASE,
)
_SAVED = deferred(r"\b(?:saved|wrote|written|dumped|stored)\b|is ready now|finished saving", re.IGNORECASE)
_SENDS = deferred(
    r"(?<!async )(?<!background )\b(?:uploading|copying|transferring|syncing|sending|moving|mirroring|pushing)\b(?!.{0,60}\b(?:background|async\w*|thread|later|queued?)\b)",
    re.IGNORECASE,
)
"""What a rank goes on with once a file is written, and its peers wait for."""
_LOADING = deferred(
    r"\b(?:loaded|loading|restored|restoring|resum(?:ed|ing)|continuing training from checkpoint)\b", re.IGNORECASE
)
_LOADED = deferred(
    r"\b(?:loaded|restored|resumed|finished loading)\b|resuming (?:from|at|training)|continuing training from checkpoint",
    re.IGNORECASE,
)
_OBJECT = deferred(
    r"checkpoint|ckpt|\bmodel|weights|state|\boptimi[sz]er|\bmomentum|\bscheduler|\bema\b|\bsnapshot|\bpolicy\b|\bfrom step\b|\.(?:pt|pth|bin|ckpt|safetensors|keras|h5|pdparams)\b",
    re.IGNORECASE,
)
_NOT = deferred(
    r"fail|error|unable|cannot|could not|n't|not saved|will be|would|\bevery\b|interval|saved locally|W&B|wandb|artifact|%\||"
    r"missing|unexpected|tokenizer|newly initialized",
    re.IGNORECASE,
)


def read_checkpoint(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line about writing or loading a checkpoint: which, where, at which step."""
    line = said(rows)
    if line is None:
        return Reading()
    name = _name(line.words)
    if not name or not _OBJECT.search(line.words) or _NOT.search(line.words[:240]):
        return Reading()
    draft = line.draft(CHECKPOINT, name)
    if (path := _path(line.words)) is not None:
        draft.captures["path"] = path
    for counted in (_STEP.search(line.words), _EPOCH.search(line.words)):
        for key, value in counted.groupdict().items() if counted else ():
            if value:
                draft.numbers["epoch" if key == "count" else key] = float(value)
    if name == "saved" and (found := _SENDS.search(line.words)) is not None:
        to = _path(line.words[found.end() :]) or draft.captures.get("path", "")
        return Reading([draft, line.draft(CHECKPOINT, "saving", sends="yes", to=to)])
    return Reading([draft])


def _name(words: str) -> str:
    if _LOADING.search(words):
        return "loaded" if _LOADED.search(words) else "loading"
    if _SAVING.search(words):
        return "saved" if _SAVED.search(words) else "saving"
    return ""


def _path(words: str) -> str | None:
    tokens = [token.rstrip(".:!") for token in _TOKEN.findall(words[:800])]
    for shape in (_ROOTED, _NAMED):
        for token in tokens:
            if shape.fullmatch(token):
                return token
    return None
