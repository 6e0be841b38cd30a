"""The ledger of a workflow run as part of a run's story: how its latest attempt ended."""

from __future__ import annotations

from runtriage.model.artifact import Artifact
from runtriage.model.place import Citation
from runtriage.model.raw import RawEvent
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.tables import state

_LIMIT = 32 << 20
_SCHEMA = b'"npa.workflow.runtime.v1"'


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a ledger."""
    return _SCHEMA in head


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return how the last attempt of the first failed wave ended, or of the last wave of a run that succeeded."""
    from runtriage.parse.workflow.ledger import ledger

    content, cut = read_all(stream, _LIMIT)
    found = ledger(content, artifact.path)
    latest = {wave.key: wave for wave in sorted(found.waves, key=lambda wave: wave.attempt)} if found else {}
    ended = [wave for wave in latest.values() if wave.status.lower() == "failed"]
    if found is not None and found.status == "succeeded" and not ended:
        ended = list(latest.values())[-1:]
    else:
        ended = [wave for wave in ended if wave.sky_status != "SUCCEEDED"]
    events: list[RawEvent] = [
        state(
            "sky/job",
            Citation(artifact=artifact.path, pointer=f"{wave.place}/{'error' if wave.error else 'sky_status'}"),
            state=wave.sky_status,
            message=wave.error,
            job=wave.job_name,
        )
        for wave in ended[:1]
        if wave.sky_status
    ]
    return Parsed(events=events, bytes_read=len(content), cut="longer than 32 MiB" if cut else None)


PARSERS = (Parser(id="workflow", claims=claims, read=read),)
