"""Lists of installed packages and dumps of an environment that a run leaves in its folder: what it ran on, never why it failed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.raw import RawSetting, RawText
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all

PACKAGE: Final = "package "
"""What the name of a package's setting starts with."""
_LIMIT: Final = 1 << 20
_LINES: Final = 5_000
_MOST: Final = 1_000
_NAMED: Final = deferred(
    r"(?:requirements|environment|conda[-_]?env(?:ironment)?|conda[-_]?list|pip[-_]?(?:freeze|list)|freeze|packages|printenv|environ|env|collect[-_]?env)"
    r"[\w-]*\.(?:txt|ya?ml)\Z",
    re.IGNORECASE,
)
_PINNED: Final = deferred(
    r"\s*(?:-\s+|\[pip3?\] )?([A-Za-z0-9][\w.-]{0,80})(?:\[[\w,. -]*\])?\s*(?:===?|@)\s*(\S{1,160})"
)
_CONDA: Final = deferred(r"\s*-\s+([a-z0-9_][\w.-]{0,80})=([\w.!*]{1,60})(?:=\S*)?\s*\Z")
_TABLE: Final = deferred(r"([A-Za-z0-9_][\w.-]{0,80})\s{1,60}(\d[\w.!+-]{0,60})(?:\s+\S+){0,3}\s*\Z")
_VARIABLE: Final = deferred(
    r"(?:export )?((?:CUDA|NCCL|TORCH|PYTORCH|NVIDIA|OMP|MKL|HF|TRANSFORMERS|SLURM|XLA|JAX|TF|LD|PYTHON|GLOO|UCX|FI|HOROVOD|DEEPSPEED|ACCELERATE)_[A-Z0-9_]{1,60}"
    r"|PYTHONPATH|PYTHONHASHSEED|WORLD_SIZE|MASTER_PORT|CONDA_DEFAULT_ENV)=(.{1,200})"
)
_TOLD: Final = deferred(
    r"((?:PyTorch version|Is debug build|CUDA used to build PyTorch|OS|GCC version|Python version|Python platform|Is CUDA available|CUDA runtime version"
    r"|Nvidia driver version|cuDNN version|GPU \d{1,3}|Libc version)):\s+(.{1,160})"
)
_HEADS: Final = frozenset({"package", "name", "version"})


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether a file is named like a list of packages or a dump of an environment."""
    return artifact.kind == "config" and bool(_NAMED.match(artifact.path.rpartition("/")[2]))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return each package with its version, and the variables that steer libraries; no others, since any may hold a secret."""
    content, cut = read_all(stream, _LIMIT)
    found: dict[str, RawSetting] = {}
    for number, name, value in _settings(content):
        if len(found) < _MOST:
            place = Citation(artifact=artifact.path, first_line=number, last_line=number)
            found.setdefault(name, RawSetting(name=name, value=RawText(value), citation=place))
    reason = f"only the first {_LIMIT >> 20} MiB were read" if cut else None
    return Parsed(settings=list(found.values()), bytes_read=len(content), cut=reason)


def _settings(content: bytes) -> Iterator[tuple[int, str, str]]:
    for number, whole in enumerate(content.decode("utf-8", "replace").split("\n")[:_LINES], 1):
        line = whole[:400].rstrip()
        if told := (_VARIABLE.match(line) or _TOLD.match(line)):
            yield number, told[1], told[2].strip()
        elif packed := (_PINNED.match(line) or _CONDA.match(line) or _TABLE.match(line)):
            name = re.sub(r"[-_.]+", "-", packed[1]).lower()
            if name not in _HEADS:
                yield number, f"{PACKAGE}{name}", packed[2].rstrip(";,")


PARSERS = (Parser(id="packages", claims=claims, read=read),)
