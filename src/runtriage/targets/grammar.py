"""The target grammar: everything a user can hand over is one string."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.offered import offered

PATH: Final = "path"
STDIN: Final = "stdin"
GLOB: Final = "glob"
SCHEMES: Final = {
    "file": "a file or folder",
    "ssh": "a file or folder on another machine (ssh:[user@]host:/path)",
    "s3": "an object or prefix in S3",
    "gs": "an object or prefix in Google Cloud Storage",
    "az": "a blob or prefix in Azure Storage",
    "pid": "a running process",
    "proc": "a running process, by name",
    "mlflow": "an MLflow run",
    "wandb": "a Weights & Biases run",
    "vertex": "a Vertex AI pipeline job",
    "slurm": "a Slurm job",
    "ray": "a Ray job",
    "sky": "a SkyPilot job",
    "k8s": "a Kubernetes object (k8s:CONTEXT/NAMESPACE/KIND/NAME)",
    "runai": "a Run:ai workload (runai:CLUSTER/WORKLOAD)",
    "workflow": "a failed workflow run",
}
"""Every scheme of the grammar and what it names."""

_SCHEME: Final = deferred(r"([A-Za-z][A-Za-z0-9+-]{1,20}):(?:\/\/)?(.*)", re.DOTALL)
_REMOTE: Final = deferred(r"[\w.-]+@[\w.\[\]:-]+:.*|[A-Za-z][\w.-]+:(?:/(?!/)|~).*", re.DOTALL)
_MAGIC: Final = deferred(r"[*?\[]")


class Spec(Struct, frozen=True):
    """A parsed target: `scheme` is `path`, `glob`, `stdin`, a key of `SCHEMES`, or a scheme that a package offers; `text` is what was typed."""

    scheme: str
    rest: str
    text: str


def parse(text: str, exists: Callable[[str], bool] = os.path.lexists) -> Spec:
    """Return what a target string names. An existing path wins, then a scheme, then `user@host:/path`, then a path.

    Raises `TargetError` for an empty string and for a scheme nobody knows.
    """
    if not text or "\0" in text:
        raise TargetError("a target is empty; give a path, a folder, or - for standard input", USAGE)
    if text == "-":
        return Spec(STDIN, "", text)
    if exists(text):
        return Spec(PATH, text, text)
    scheme = _SCHEME.fullmatch(text)
    if scheme and scheme[1].lower() in SCHEMES:
        name = scheme[1].lower()
        return Spec(PATH if name == "file" else name, _rest(name, text, scheme[2]), text)
    if scheme and _unknown(scheme[1], scheme[2]) and offered(scheme[1]) is not None:
        return Spec(scheme[1].lower(), scheme[2], text)
    if _REMOTE.fullmatch(text):
        return Spec("ssh", text, text)
    if scheme and _unknown(scheme[1], scheme[2]):
        raise TargetError(_unknown_scheme(scheme[1]), USAGE)
    return Spec(GLOB if _MAGIC.search(text) else PATH, text, text)


def _rest(scheme: str, text: str, rest: str) -> str:
    if scheme == "file" and text[len("file:") :].startswith("//"):
        return "/" + rest.partition("/")[2] if rest.startswith("localhost/") else rest
    return rest


def _unknown(name: str, rest: str) -> bool:
    """A path may hold a colon; only what is written like a scheme is taken for one."""
    return name.isalpha() and len(name) > 1 and bool(rest) and "/" not in name


def _unknown_scheme(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), SCHEMES, n=1)
    hint = f"did you mean {near[0]}:? " if near else ""
    return f"no such file, and {name}: is no target scheme; {hint}known are {', '.join(SCHEMES)}"
