"""The record of a run in an MLflow folder: `meta.yaml`, and one file for each parameter."""

from __future__ import annotations

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.raw import RawSetting, RawText
from runtriage.model.target import ByteStream
from runtriage.parse.config_roles import role_of
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import load_yaml
from runtriage.parse.tables import state
from runtriage.parse.tracker_mlflow import milliseconds, status_name

_META = deferred(r"(?:^|.*/)[0-9a-f]{32}/meta\.yaml\Z")
_PARAM = deferred(r"(?:^|.*/)[0-9a-f]{32}/params/(.+)\Z")
_LIMIT = 64 << 10
_VALUE = 200


def claims_meta(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the file is the record of a run."""
    return _META.match(artifact.path) is not None


def read_meta(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the state of the run, which the file tells as a number."""
    content, _ = read_all(stream, _LIMIT)
    root = load_yaml(content, artifact.path)
    parsed = Parsed(bytes_read=len(content))
    if root is not None:
        parsed.events.append(
            state(
                "mlflow/run",
                root.get("status").cite(),
                when=milliseconds(root, "end_time") or milliseconds(root, "start_time"),
                state=status_name(root.get("status").value),
                run=root.text("run_name") or root.text("run_id"),
            )
        )
    return parsed


def claims_param(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the file is one parameter of a run."""
    return artifact.kind == "config" and _PARAM.match(artifact.path) is not None


def read_param(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the parameter where its name has a known meaning."""
    content, _ = read_all(stream, _LIMIT)
    named = _PARAM.match(artifact.path)
    name, value = (named[1] if named else ""), content.decode("utf-8", "replace").strip()
    role = role_of(name, value)
    parsed = Parsed(bytes_read=len(content))
    if role is not None and len(value) <= _VALUE:
        where = Citation(artifact=artifact.path, first_line=1, last_line=1)
        parsed.settings.append(RawSetting(name=name, value=RawText(value), citation=where, role=role))
    return parsed


PARSERS = (
    Parser(id="a-run-of-mlflow", claims=claims_meta, read=read_meta),
    Parser(id="a-setting-of-mlflow", claims=claims_param, read=read_param),
)
"""Their ids come before that of configuration files, which would take both."""
