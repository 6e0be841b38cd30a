"""Whether an error is about a checkpoint being loaded: the same text means damaged data elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runtriage.model.catalogue import Catalogue, Signature
from runtriage.model.event import CHECKPOINT, Event
from runtriage.model.facts import Facts
from runtriage.model.pattern import deferred
from runtriage.model.place import line_of

_LINES = 4
"""How many lines below "loading checkpoint ..." a traceback may begin and still be about that file."""
_READERS = deferred(
    r"(?<!utils/)checkpoint|ckpt|torch/serialization|load_weights|load_model|load_state|keras/src/(?:legacy/)?saving"
    r"|orbax|flax/serialization|safetensors",
    re.IGNORECASE,
)
_SAVED = deferred(r"pretrain|check_?point|ckpt|(?<!class_)(?<!sample_)weights", re.IGNORECASE)
"""What the path of a file that holds a model is called, wherever it lies."""
_RESUMING = deferred(r"\b(?:resuming|restoring|continuing|loading)\b", re.IGNORECASE)
WRITES = deferred(
    r"\bopen\(.{0,200},\s*(?:mode\s*=\s*)?['\"]b?[wax]|\.to_(?:csv|json|parquet|pickle|feather|hdf|excel)\(|\.savefig\("
    r"|\bnp\.save\w*\(|\b(?:pickle|json|yaml|joblib|torch)\.(?:dump|save)\(|\.save(?:_\w+)?\(|FileHandler\(|SummaryWriter\("
)
"""A line of code that makes a file: what is missing is the folder it shall lie in."""
_MISSING, _ABSENT, _SAMPLE = "data/file-missing", "ckpt/not-found", "data/file-missing.main"
_NOT_READ = {"data/file-missing": "io/unhandled-exception", "cfg/config-file-missing": "io/unhandled-exception"}
_OF_A_CHECKPOINT = {
    "data/corrupt-array": "ckpt/corrupt-zip",
    "data/corrupt-gzip": "ckpt/corrupt-zip",
    "data/corrupt-hdf5": "ckpt/corrupt-zip",
    "data/decode-error": "ckpt/corrupt-zip",
    "data/truncated-tar": "ckpt/corrupt-zip",
    "data/file-missing": "ckpt/not-found",
}


def loads_of(facts: Facts) -> tuple[Event, ...]:
    """Return the lines that say that a checkpoint is being loaded."""
    return tuple(event for event in facts.events if event.kind == CHECKPOINT and _begins(event))


def _begins(event: Event) -> bool:
    """Tell whether a line announces the loading; "resuming from x" is printed before it as often as after."""
    return event.name == "loading" or (
        event.name == "loaded" and bool(event.captures.get("path")) and _RESUMING.search(event.excerpt) is not None
    )


def while_loading(event: Event, loads: Sequence[Event]) -> bool:
    """Tell whether the traceback of an exception begins right below a line that says that a checkpoint is being loaded."""
    first = event.numbers.get("first_line", line_of(event.citation))
    return event.step is None and any(
        load.citation.artifact == event.citation.artifact and 0 < first - line_of(load.citation) <= _LINES
        for load in loads
    )


def mode_while_writing(mode: str, exception: Event | None) -> str:
    """Return what a mode of a missing file is called where the line that failed was about to write it."""
    other = _NOT_READ.get(mode)
    writes = other is not None and exception is not None and WRITES.search(exception.captures.get("source", ""))
    return other if other is not None and writes else mode


def while_fetching(signature: Signature, exception: Event | None, catalogue: Catalogue) -> Signature:
    """Return what says of a sample that it is missing, where a missing checkpoint is named by what fetches samples: tensors are data, too."""
    fetches = exception is not None and exception.captures.get("fetches")
    return catalogue.signatures.get(_SAMPLE, signature) if fetches and signature.mode == _ABSENT else signature


def mode_while_loading(mode: str, exception: Event | None, loads: Sequence[Event]) -> str:
    """Return what a mode of damaged data is called when the file that was read is a checkpoint."""
    other = _OF_A_CHECKPOINT.get(mode)
    if other is None or exception is None or (mode == _MISSING and exception.captures.get("fetches")):
        return mode
    places = " ".join(
        exception.captures.get(key, "") for key in ("user_frame", "user_function", "raised_in", "function")
    )
    known = bool(exception.captures.get("loads")) or _READERS.search(places) is not None
    if mode == "data/file-missing":
        known = known or _SAVED.search(exception.captures.get("message", "")) is not None
    return other if known or while_loading(exception, loads) else mode
