"""Memory that grew steadily until an allocation failed: a leak, rather than a batch that is too large."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.claims import evidence
from runtriage.detect.curve import finite, fired, of_role
from runtriage.detect.engine import Detector
from runtriage.detect.growth import grew, of_host
from runtriage.detect.signatures import last_matched
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.taxonomy import modes

_GPU, _HOST = "oom/gpu-leak-growth", "oom/host-leak-workers"
_ENDS = {
    _GPU: ("oom/gpu-alloc", "oom/hip", "oom/tf-gpu", "oom/jax-hbm", "oom/cublas-alloc", "oom/cudnn-alloc"),
    _HOST: ("oom/host-", "oom/k8s-oomkilled", "oom/slurm-step", "oom/batch-memlimit", "oom/ray-memory-monitor"),
}
_FIXES = {_GPU: ("detach-kept-tensors",), _HOST: ("bound-host-memory",)}


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each series of memory that grew to the end of a run that ran out of it."""
    for series in of_role(facts, "memory"):
        mode = _HOST if of_host(series) else _GPU
        ended = last_matched(facts, _ENDS[mode])
        if ended is None or not grew(series):
            continue
        points = finite(series)
        start = points[0]
        claim = (
            f"{series.name} grew from {start.value:g} at step {start.step:g} to {points[-1].value:g} at step "
            f"{points[-1].step:g} without levelling off"
        )
        yield fired(
            "memory-growth",
            mode,
            series,
            start,
            claim,
            fixes=_FIXES[mode],
            numbers={"from": start.value, "to": points[-1].value},
            also=(evidence(ended, modes()[ended.name.partition(".")[0]].title),),
            title="Memory grew from step to step",
        )


DETECTORS = (Detector(id="memory-growth", modes=(), find=find, remedies=lambda: _FIXES),)
