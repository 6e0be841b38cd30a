"""Whether the spec that a run keeps is the one its attempts were made from, as far as what is stored can tell.

The fingerprint of a plan covers the commands that the workflow tool's own catalogue gives to each state. That catalogue is not stored with a run, so
the fingerprint cannot be computed again; states, addresses of outputs and recorded hashes can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.judge.workflow_lifecycle import current_waves
from runtriage.model.workflow import PlannedStage, RunRecords, Wave
from runtriage.model.workflow_state import PlanDifference, Source

_NAMED: Final = 5
_OPERATOR: Final = "operator_authorized_"
"""How the recorded decision of an attempt begins that an operator let go on."""
_RECOVERED: Final = "operator_recovery"


def plan_differences(records: RunRecords) -> tuple[PlanDifference, ...]:
    """Return what of the recorded attempts does not fit the spec the run keeps; nothing where either is missing."""
    ledger, spec = records.ledger, records.spec
    if ledger is None:
        return ()
    waves = current_waves(ledger)
    found = list(_hashes(waves, ledger.waves, ledger.path))
    if spec is not None:
        planned = {stage.name: stage for stage in spec.stages}
        for wave in waves:
            if len(found) >= _NAMED:
                break
            found += _of_wave(wave, planned, Source(artifact=ledger.path, pointer=wave.place))
    return tuple(found[:_NAMED])


def _of_wave(wave: Wave, planned: dict[str, PlannedStage], at: Source) -> Iterator[PlanDifference]:
    for name, iteration in wave.members:
        stage = planned.get(name)
        if stage is None:
            yield PlanDifference(text=f"an attempt of {name} is recorded, which the kept spec does not have", source=at)
        elif len(wave.members) == 1 and not iteration and _moved(wave.outputs, stage.outputs):
            text = f"the recorded outputs of {name} are not those of the kept spec"
            yield PlanDifference(text=text, source=Source(artifact=at.artifact, pointer=f"{at.pointer}/outputs"))


def _moved(recorded: tuple[str, ...], planned: tuple[str, ...]) -> bool:
    """Tell whether two lists of outputs differ; an address with a place that is filled in later says nothing."""
    if not recorded or not planned or any("{{" in uri for uri in (*recorded, *planned)):
        return False
    return {uri.rstrip("/") for uri in recorded} != {uri.rstrip("/") for uri in planned}


def authorized(records: RunRecords) -> Wave | None:
    """Return the last attempt that an operator let go on by an act of their own, as its record says, or None."""
    waves = records.ledger.waves if records.ledger else ()
    return next((wave for wave in reversed(waves) if _by_operator(wave)), None)


def _by_operator(wave: Wave) -> bool:
    return wave.decision.startswith(_OPERATOR) or wave.category == _RECOVERED


def _hashes(waves: list[Wave], history: Sequence[Wave], path: str) -> Iterator[PlanDifference]:
    """Yield that the latest attempts of two waves were made from different specs; a hash that an operator's own act brought in is no change."""
    known = [wave for wave in waves if wave.identity.get("workflow_sha256")]
    allowed = {wave.identity.get("workflow_sha256") for wave in (*known[:1], *filter(_by_operator, history))}
    for wave in known[1:]:
        if wave.identity["workflow_sha256"] not in allowed:
            at = Source(artifact=path, pointer=f"{wave.place}/immutable_identity/workflow_sha256")
            yield PlanDifference(
                text="the latest attempts of two waves carry different hashes of the workflow", source=at
            )
            return
