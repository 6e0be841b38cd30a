"""DeepSpeed's batch sizes, checked against the number of ranks when the log says that they do not fit."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import SIGNATURE
from runtriage.model.facts import Facts, Setting
from runtriage.model.finding import Evidence, Match

_MODE = "cfg/ds-batch-triangle"
_TOTAL, _MICRO, _STEPS = "train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"
_FIXES = ("check-world-size", "fix-batch-arithmetic")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a confirmation when global batch, micro batch and accumulation allow no number of ranks, or not the one that ran."""
    if facts.options.framework not in (None, "deepspeed"):
        return
    event = next((event for event in facts.events if event.kind == SIGNATURE and event.name.startswith(_MODE)), None)
    total, micro, steps = (_of(facts, name) for name in (_TOTAL, _MICRO, _STEPS))
    if event is None or total is None or micro is None:
        return
    each = int(micro.value) * (int(steps.value) if steps else 1)
    ranks = facts.world_size
    fits = each > 0 and int(total.value) % each == 0 and (ranks is None or each * ranks == int(total.value))
    if fits:
        return
    product = f"{micro.value} per GPU x {steps.value if steps else 1} accumulation steps"
    claim = f"train_batch_size is {total.value}, but {product} give {each} a rank" + (
        f" on {ranks} ranks" if ranks else ""
    )
    yield Match(
        rule="config/deepspeed-batch",
        mode=_MODE,
        role="confirmation",
        maturity="stable",
        tier="config",
        evidence=(
            Evidence(claim=claim, citation=event.citation, excerpt=event.excerpt),
            *(
                Evidence(claim=f"{item.name} is {item.value}", citation=item.citation)
                for item in (total, micro, steps)
                if item
            ),
        ),
        subject=event.subject,
        start=event.when,
        fixes=_FIXES,
        title="The batch sizes of DeepSpeed's configuration do not fit the run",
    )


def _of(facts: Facts, name: str) -> Setting | None:
    """Return the setting of that name at the top of a document with DeepSpeed's own keys, when it is a whole number."""
    own = {item.citation.artifact for item in facts.settings if item.name in (_MICRO, "zero_optimization.stage")}
    return next(
        (
            item
            for item in facts.settings
            if item.name == name and item.citation.artifact in own and item.value.isascii() and item.value.isdigit()
        ),
        None,
    )


DETECTORS = (Detector(id="config-deepspeed", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
