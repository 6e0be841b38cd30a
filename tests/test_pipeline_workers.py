"""Documents that workers read are those that one process reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import pytest

from runtriage import pipeline as module
from runtriage.model.artifact import Artifact, Collected, Outcome, Request, Skipped, Unavailable
from runtriage.model.options import Options
from runtriage.pipeline import Diagnosis, Pipeline
from runtriage.redact import DEFAULT
from runtriage.scan.tail import Memory
from runtriage.signatures import load

CATALOGUE = load()


class OnDisk(Memory):
    local = True


class Tracked:
    """Files in memory that are found at once, as a store of a tracker gives them; one that is None is refused."""

    label = "run"

    def __init__(self, files: dict[str, bytes | None]) -> None:
        self.files = files

    def first_requests(self) -> Sequence[Request]:
        return [Request(kind="all")]

    def collect(self, request: Request) -> Outcome:
        if request.kind != "all":
            return Skipped(request, "there is no more")
        told = (
            Artifact(path=name, kind="metrics" if "/metrics/" in name else "record", size=len(content or b""))
            for name, content in self.files.items()
        )
        return Collected(request, tuple(told))

    def open(self, artifact: Artifact) -> Memory:
        content = self.files[artifact.path]
        if content is None:
            raise PermissionError(13, "Permission denied")
        return OnDisk(content)


def tracked() -> Tracked:
    run = "mlruns/7/0123456789abcdef0123456789abcdef"
    files: dict[str, bytes | None] = {
        f"{run}/metrics/head{each}/loss": b"".join(
            f"{1_700_000_000_000 + step} {each + 1 / (step + 1)} {step}\n".encode() for step in range(3_000)
        )
        for each in range(9)
    }
    files[f"{run}/metrics/closed"] = None
    files[f"{run}/meta.yaml"] = b"run_id: 0123456789abcdef0123456789abcdef\nstatus: 4\n"
    files[f"{run}/metrics/last"] = b"1700000000000 nan 4\n"
    return Tracked(files)


def diagnosis(target: Tracked, workers: int) -> Diagnosis:
    return Pipeline(target, CATALOGUE, Options(workers=workers), policy=DEFAULT).run()


def test_metrics_read_by_workers_say_what_one_process_reads_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    processes, started = module.forked, list[int]()

    def forked(do: Callable[[Artifact], object], workers: int) -> AbstractContextManager[Callable[..., object]]:
        started.append(workers)
        return processes(do, workers)

    monkeypatch.setattr(module, "forked", forked)
    # A thread that another test has left in this process would forbid workers.
    monkeypatch.setattr(module, "may_fork", lambda: True)
    alone = diagnosis(tracked(), workers=2)
    assert started == []
    monkeypatch.setattr("runtriage.scan.workers.WORTH", 1000)
    together = diagnosis(tracked(), workers=2)
    assert started == [2]
    assert repr(together) == repr(alone)
    assert sum(series.total for series in together.facts.series) == 27_001
    assert [type(each) for each in together.facts.outcomes][:2] == [Collected, Unavailable]
