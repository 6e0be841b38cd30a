"""The durable state of a run, from its manifest and its ledger."""

from __future__ import annotations

from typing import Final

from runtriage.judge.workflow_norm import family, stage_word
from runtriage.model.workflow import Ledger, Manifest, RunRecords, Wave
from runtriage.model.workflow_state import TERMINAL, Lifecycle

MANIFEST: Final = "authoritative_manifest"
LEDGER: Final = "durable_runtime_ledger"
LEGACY: Final = "legacy_manifest"
INCONSISTENT: Final = "EVIDENCE_INCONSISTENT"
_OPEN: Final = frozenset({"PLANNED", "SUBMITTED", "RUNNING"})
_KNOWN: Final = _OPEN | TERMINAL


def lifecycle(records: RunRecords) -> Lifecycle | None:
    """Return the run's durable state, or None when no document tells one."""
    manifest, ledger = records.manifest, records.ledger
    if manifest is None and ledger is None:
        return None
    told = _manifest_word(manifest) if manifest is not None else ""
    run = _ledger_word(ledger) if ledger is not None else ""
    word, source, problem = _together(told, run, manifest, ledger)
    if not problem and word == "SUCCEEDED" and ledger is not None and _latest_failed(ledger):
        word, problem = (
            INCONSISTENT,
            "the run is recorded as succeeded, but the latest attempt of a wave is recorded as failed",
        )
    outcomes = {each for each in (told, run) if each in TERMINAL}
    return Lifecycle(
        word=word,
        source=source,
        updated_at=_when(source, manifest, ledger),
        manifest_status=told,
        manifest_raw=manifest.status if manifest else "",
        manifest_updated_at=manifest.updated_at if manifest else "",
        runtime_status=ledger.status if ledger else "",
        completion_recorded=outcomes == {"SUCCEEDED"} and word == "SUCCEEDED",
        problem=problem,
    )


def current_waves(ledger: Ledger) -> list[Wave]:
    """Return the latest attempt of each wave, in the order of the plan."""
    latest: dict[str, Wave] = {}
    for wave in sorted(ledger.waves, key=lambda each: (each.attempt, each.position)):
        latest[wave.key] = wave
    return sorted(latest.values(), key=lambda each: (each.key.partition("|")[0].zfill(9), each.position))


def _together(told: str, run: str, manifest: Manifest | None, ledger: Ledger | None) -> tuple[str, str, str]:
    source = LEGACY if manifest is not None and manifest.legacy else MANIFEST
    for word, raw, what in ((told, manifest, "manifest"), (run, ledger, "runtime ledger")):
        if raw is not None and word not in _KNOWN:
            return "UNKNOWN", source if what == "manifest" else LEDGER, _invalid(raw.status, what)
    if told in TERMINAL and run in TERMINAL:
        if told != run:
            return INCONSISTENT, source, f"the manifest says {told}, the runtime ledger {run}"
        return told, source, ""
    if told in TERMINAL:
        return told, source, ""
    if run:
        return run, LEDGER, ""
    return told, source, ""


def _invalid(status: str, what: str) -> str:
    return f"the {what} holds no valid state: {status[:40]!r}" if status else f"the {what} holds no state"


def _manifest_word(manifest: Manifest) -> str:
    word = manifest.status.strip().upper()
    if manifest.legacy and not word:
        return _of_stages([step.status for step in manifest.steps])
    return {"COMPLETED": "SUCCEEDED", "CANCELED": "CANCELLED"}.get(word, word)


def _ledger_word(ledger: Ledger) -> str:
    word = ledger.status.strip().upper()
    return "CANCELLED" if word == "CANCELED" else word


def _of_stages(statuses: list[str]) -> str:
    """Return the state of a run of the older layout, which keeps none of its own."""
    words = [stage_word(status) for status in statuses if status]
    if any(family(word) == "FAILED" for word in words):
        return "FAILED"
    if any(word == "CANCELLED" for word in words):
        return "CANCELLED"
    if words and len(words) == len(statuses) and all(word == "SUCCEEDED" for word in words):
        return "SUCCEEDED"
    return "RUNNING" if words else "SUBMITTED"


def _latest_failed(ledger: Ledger) -> bool:
    return any(family(wave.status) in ("FAILED", "CANCELLED") for wave in current_waves(ledger))


def _when(source: str, manifest: Manifest | None, ledger: Ledger | None) -> str:
    if source == LEDGER:
        return ledger.updated_at if ledger else ""
    return manifest.updated_at if manifest else ""
