"""The stages together, on a target in memory, under the guard that stops every way to change something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from runtriage import pipeline as module
from runtriage.model.artifact import Artifact, Collected, Failed, Outcome, Request, Unavailable
from runtriage.model.options import Options
from runtriage.parse import Parsed
from runtriage.parse.document import Parser
from runtriage.pipeline import Diagnosis, Pipeline
from runtriage.redact import DEFAULT
from runtriage.scan.tail import Memory
from runtriage.signatures import load
from runtriage.store.memory import MemoryCache

pytestmark = pytest.mark.usefixtures("untouched_world")

CATALOGUE = load()
CACHE = MemoryCache()
LOG = b"""step 1 loss=2.5
step 2 loss=2.4
Traceback (most recent call last):
  File "train.py", line 40, in <module>
    save(model)
OSError: [Errno 28] No space left on device: '/ckpt/step-2.pt'
"""
KILLED = b"step 1 loss=2.5\nstep 2 loss=2.4\n/bin/bash: line 1:  4411 Killed                  python train.py\n"


class Folder:
    """Files in memory; a kind of request it does not know, or a file that is None, is refused."""

    label = "run"

    def __init__(self, files: Mapping[str, bytes | None], kinds: Mapping[str, str] | None = None) -> None:
        self.files = files
        self.kinds = kinds or {}
        self.asked: list[Request] = []

    def first_requests(self) -> Sequence[Request]:
        return [Request(kind="file", args={"path": name}) for name in self.files]

    def collect(self, request: Request) -> Outcome:
        self.asked.append(request)
        name = request.args.get("path", "")
        content = self.files.get(name)
        if content is None:
            raise PermissionError(13, "Permission denied")
        artifact = Artifact(path=name, kind=self.kinds.get(name, "log"), size=len(content))
        return Collected(request, (artifact,))

    def open(self, artifact: Artifact) -> Memory:
        content = self.files[artifact.path]
        assert content is not None
        return Memory(content)


def _diagnosis(target: Folder) -> Diagnosis:
    return Pipeline(target, CATALOGUE, Options(), policy=DEFAULT, cache=CACHE).run()


def test_a_diagnosis_from_log_to_plan_changes_nothing() -> None:
    verdict = _diagnosis(Folder({"train.log": LOG})).verdict
    assert (verdict.run_status, verdict.primary_class) == ("crashed", "io-checkpoint")
    assert verdict.root is not None
    assert (verdict.root.artifact, verdict.root.last_line) == ("train.log", 6)


def test_a_document_that_breaks_its_parser_is_a_value_beside_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(artifact: Artifact, stream: object) -> Parsed:
        raise ZeroDivisionError(artifact.path, stream)

    breaking = Parser(id="breaking", claims=lambda artifact, head: True, read=broken)
    recognise = module.recognise
    monkeypatch.setattr(
        module, "recognise", lambda artifact, head: breaking if artifact.kind == "config" else recognise(artifact, head)
    )
    found = _diagnosis(Folder({"train.log": LOG, "run.yaml": b"lr: 1"}, {"run.yaml": "config"}))
    assert found.verdict.primary_class == "io-checkpoint"
    assert [item.error for item in found.facts.outcomes if isinstance(item, Failed)] == [
        "ZeroDivisionError while reading"
    ]


def test_a_log_that_may_not_be_read_is_no_run_without_a_failure() -> None:
    found = _diagnosis(Folder({"train.log": None}))
    assert (found.verdict.run_status, found.verdict.primary_class) == ("unknown", None)
    assert found.verdict.abstained
    assert isinstance(found.facts.outcomes[0], Unavailable)


def test_what_would_settle_the_verdict_is_asked_for_once_and_else_reported_missing() -> None:
    target = Folder({"train.log": KILLED})
    found = _diagnosis(target)
    assert [request.kind for request in target.asked] == ["file", "kernel", "scheduler"]
    assert [request.kind for request in found.verdict.missing] == ["kernel", "scheduler"]


def test_an_event_that_cannot_be_made_clean_is_dropped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Folder({"train.log": LOG})
    kept = len(_diagnosis(target).facts.events)
    monkeypatch.setattr(module, "redact", lambda event, policy: None)
    facts = _diagnosis(target).facts
    assert (facts.events, sum(read.dropped for read in facts.reads)) == ((), kept)
    assert kept > 0
