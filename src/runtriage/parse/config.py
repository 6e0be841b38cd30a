"""Configuration files of trainings: JSON, YAML, printed arguments. They never name a cause; they say what a cause met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.model.artifact import Artifact
from runtriage.model.place import Citation
from runtriage.model.raw import RawSetting, RawText
from runtriage.model.target import ByteStream
from runtriage.parse import k8s, packages
from runtriage.parse.config_lines import line_scalars
from runtriage.parse.config_roles import role_of
from runtriage.parse.config_tree import Scalar, scalars
from runtriage.parse.document import Parsed, Parser, read_all

_LIMIT = 1 << 20
_VALUE = 200
_MOST = 400
_TREES = (".json", ".yaml", ".yml")
_TEXTS = (".txt", ".toml", ".ini", ".cfg", ".conf", ".args")
_PROSE = (".txt", ".args")
"""Texts of which any line may be prose: only settings whose meaning is known are taken from them."""
_OTHER = ("tokenizer.", "generation_config", ".env")


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the artifact is a configuration file of a kind that is read."""
    name = artifact.path.rpartition("/")[2].lower()
    named = artifact.kind == "config" and name.endswith((*_TREES, *_TEXTS)) and not name.startswith(_OTHER)
    return named and not packages.claims(artifact, head) and not k8s.claims(artifact, head)


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the settings, each with its line; where there are many, those whose meaning is known first."""
    content, cut = read_all(stream, _LIMIT)
    if cut:
        return Parsed(bytes_read=len(content))
    found = list(scalars(content) if artifact.path.lower().endswith(_TREES) else line_scalars(content))
    return Parsed(
        settings=list(_settings(artifact.path, found))[:_MOST],
        frameworks=_frameworks(found),
        bytes_read=len(content),
    )


def _settings(path: str, found: Sequence[Scalar]) -> Iterator[RawSetting]:
    known = [(item, role_of(item.name, item.text)) for item in found if len(item.text) <= _VALUE]
    prose = path.lower().endswith(_PROSE)
    others = [] if prose else [pair for pair in known if pair[1] is None and not _says_nothing(pair[0])]
    for item, role in (*(pair for pair in known if pair[1] is not None), *others):
        yield RawSetting(
            name=item.name,
            value=RawText(item.text),
            citation=Citation(artifact=path, first_line=item.line, last_line=item.line),
            role=role,
        )


def _says_nothing(item: Scalar) -> bool:
    """Tell whether a tracker wrote a value for itself."""
    return item.name.startswith("_wandb") or (item.name.endswith(".desc") and item.text == "null")


def _frameworks(found: Sequence[Scalar]) -> list[str]:
    names = {item.name for item in found}
    if "train_micro_batch_size_per_gpu" in names or any(name.startswith("zero_optimization.") for name in names):
        return ["deepspeed"]
    told = {item.text.upper() for item in found if item.name == "distributed_type"}
    return ["fsdp"] if "FSDP" in told else ["deepspeed"] if "DEEPSPEED" in told else []


PARSERS = (Parser(id="config", claims=claims, read=read),)
