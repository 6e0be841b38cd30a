"""Metric files in formats of their own: named for the reader, so that their silence is not taken for health."""

from __future__ import annotations

from runtriage.model.artifact import Artifact
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the file is an event file of TensorBoard or an offline run of Weights & Biases."""
    return artifact.kind == "metrics" and _title(artifact) is not None


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Name the file."""
    return Parsed(left_out=f"{_title(artifact)}, a binary format that is not read")


def _title(artifact: Artifact) -> str | None:
    name = artifact.path.rpartition("/")[2]
    if name.startswith("events.out.tfevents."):
        return "a TensorBoard event file"
    return "an offline W&B run" if name.endswith(".wandb") else None


PARSERS = (Parser(id="metrics-binary", claims=claims, read=read),)
