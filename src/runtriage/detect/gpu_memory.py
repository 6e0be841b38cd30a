"""Why an allocator found no block on a GPU: another process holds it, pieces are too small to be used, or memory grew."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from runtriage.detect.curve import finite, of_role
from runtriage.detect.engine import Detector
from runtriage.detect.growth import grew, of_host
from runtriage.model.amount import quantity, sampled
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred
from runtriage.model.series import Series

_PLAIN = "oom/gpu-alloc"
_SHARED, _JAX = "oom/tf-gpu", "oom/jax-hbm.xla"
OTHER, PIECES, GROWTH = "oom/gpu-other-process", "oom/gpu-fragmentation", "oom/gpu-leak-growth"
_FIXES = {
    OTHER: ("free-gpu-of-other-processes", "list-gpu-processes"),
    PIECES: ("use-expandable-segments", "reduce-micro-batch"),
    GROWTH: ("detach-kept-tensors", "measure-memory", "reduce-micro-batch"),
}
_TITLES = {
    OTHER: "Another process holds the memory of the GPU",
    PIECES: "GPU memory is reserved in pieces too small to be used",
    GROWTH: "GPU memory grew from step to step until an allocation failed",
}
_SIZE = r"([\d.]{1,24} (?:[KMGT]iB|bytes))"
_PROCESS = deferred(rf"\bProcess (\d{{1,10}}) has {_SIZE} memory in use")
_ITSELF = deferred(r"\bthis process has [\d.]{1,24} (?:[KMGT]iB|bytes) memory in use")
_ALLOCATED = deferred(rf"{_SIZE} (?:is allocated by PyTorch|already allocated)")
_UNUSED = deferred(rf"{_SIZE} is reserved by PyTorch but unallocated")
_RESERVED = deferred(rf"{_SIZE} reserved in total by PyTorch")
HELD = 0.25
"""Share of the capacity that other processes must hold: contexts of a few hundred MiB stand on many GPUs."""
UNUSED = 0.1
"""Share of the capacity that must be reserved but not allocated: some rounding is part of every allocator."""
_REACHED = 0.5
"""Share of the capacity that a series must have reached to be the memory of this GPU."""
_STEP = 0.9
"""How far into the run a series must reach: a later rise is not seen otherwise."""
_SCALES = tuple(base**power for base in (1000.0, 1024.0) for power in range(4))
"""From bytes up to GB and GiB: what a series of memory is printed in is seldom said."""


class _Said(Struct, frozen=True):
    """Amounts of one message, in bytes."""

    asked: float
    total: float
    unused: float
    others: tuple[tuple[str, float], ...]


def told(found: Match, event: Event, grown: Sequence[Series]) -> Match:
    """Return a match of a refused allocation under the mode that its own numbers, or the series that grew up to it, prove."""
    said = _read(event) if found.mode == _PLAIN and found.role == "cause" else None
    if said is None:
        return found
    held = sum(amount for _, amount in said.others)
    missing = f"{sampled(said.asked)} more found no room"
    if held > said.asked and held > HELD * said.total:
        who = f"process{'es' if len(said.others) > 1 else ''} {', '.join(pid for pid, _ in said.others)}"
        verb = "hold" if len(said.others) > 1 else "holds"
        claim = f"{_TITLES[OTHER]}: {who} {verb} {sampled(held)} of its {sampled(said.total)}, and {missing}"
        return _as(found, OTHER, claim, {"holders": who})
    if said.unused >= said.asked and said.unused >= UNUSED * said.total:
        claim = f"{_TITLES[PIECES]}: {sampled(said.unused)} of {sampled(said.total)} is reserved but not allocated, and {missing}"
        return _as(found, PIECES, claim, {})
    series = next((one for one in grown if _up_to(one, event, said.total)), None)
    if series is None:
        return found
    return _as(found, GROWTH, f"{found.evidence[0].claim}, after {series.name} had grown from step to step", {})


def of_jax(found: Match, facts: Facts, catalogue: Catalogue) -> Match:
    """Return a match of XLA's allocator, whose words TensorFlow and JAX share, under JAX where that alone was seen at work."""
    jax = catalogue.signatures.get(_JAX)
    if found.mode != _SHARED or jax is None or "jax" not in facts.frameworks or "tensorflow" in facts.frameworks:
        return found
    claim = found.evidence[0].claim.replace("TensorFlow", "XLA")
    proof = (replace(found.evidence[0], claim=claim), *found.evidence[1:])
    title = found.title.replace("TensorFlow", "XLA")
    role = "symptom" if found.role == "cause" else found.role  # an exception follows where nothing catches it
    return replace(found, mode=jax.mode, role=role, title=title, evidence=proof, fixes=jax.fixes)


def growing(facts: Facts) -> tuple[Series, ...]:
    """Return the series of GPU memory that grew without levelling off."""
    return tuple(series for series in of_role(facts, "memory") if not of_host(series) and grew(series))


def _as(found: Match, mode: str, claim: str, captures: dict[str, str]) -> Match:
    proof = (replace(found.evidence[0], claim=claim), *found.evidence[1:])
    return replace(
        found,
        mode=mode,
        title=_TITLES[mode],
        evidence=proof,
        fixes=_FIXES[mode],
        captures={**found.captures, **captures},
    )


def _read(event: Event) -> _Said | None:
    asked, total = (_bytes(event.captures.get(key, "")) for key in ("asked", "total"))
    if asked is None or not total:
        return None
    allocated, unused, reserved = (_amount(pattern, event.excerpt) for pattern in (_ALLOCATED, _UNUSED, _RESERVED))
    if unused is None:
        unused = max((reserved or 0.0) - (allocated or 0.0), 0.0)
    own = None if allocated is None else allocated + unused
    return _Said(asked, total, unused, _others(event.excerpt, total, own))


def _others(text: str, total: float, own: float | None) -> tuple[tuple[str, float], ...]:
    """Return the processes that are not the one that speaks, with what they hold.

    In a container the driver's process numbers are those of the host, so PyTorch lists itself as one of the others and says
    nothing of "this process": the smallest that holds all that PyTorch allocated and reserved is it. A driver that cannot
    tell gives more than there is.
    """
    named = [(found[1], _bytes(found[2]) or 0.0) for found in _PROCESS.finditer(text)]
    named = [(pid, amount) for pid, amount in named if 0 < amount <= total]
    if _ITSELF.search(text) is None:
        itself = min((one for one in named if own is not None and one[1] >= own), key=lambda one: one[1], default=None)
        named = [] if itself is None else [one for one in named if one is not itself]
    return tuple(named)


def _amount(pattern: re.Pattern[str], text: str) -> float | None:
    found = pattern.search(text)
    return None if found is None else _bytes(found[1])


def _bytes(text: str) -> float | None:
    """Return an amount as PyTorch prints it, `31.02 GiB` or `512 bytes`, in bytes."""
    number, _, unit = text.partition(" ")
    return quantity(f"{number}{'' if unit == 'bytes' else unit.removesuffix('B')}")


def _up_to(series: Series, event: Event, total: float) -> bool:
    """Tell whether a series is the memory of the GPU that ran out, and was still read when it did."""
    points = finite(series)
    first, last = points[0], points[-1]
    whose = series.subject.attempt == event.subject.attempt and series.subject.rank in (None, event.subject.rank)
    lasted = event.step is None or last.step - first.step >= _STEP * (event.step - first.step)
    return whose and lasted and any(_REACHED <= last.value * scale / total <= 1.0 for scale in _SCALES)


DETECTORS = (Detector(id="gpu-memory", modes=(), find=lambda facts, catalogue: (), remedies=lambda: _FIXES),)
"""What it names are matches of the catalogue, which `told` is asked about as they are made; it adds none."""
