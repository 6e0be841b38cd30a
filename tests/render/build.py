"""A report as a literal."""

from __future__ import annotations

from msgspec import convert

from runtriage.model.report import (
    CitationModel,
    Coverage,
    Culprit,
    EvidenceModel,
    LastProgress,
    PlanStep,
    ReadModel,
    Report,
    RootCause,
    RuledOutModel,
    Tool,
)


def report(**changes: object) -> Report:
    place = CitationModel(artifact="logs/rank37.err", first_line=88412, last_line=88412)
    content: dict[str, object] = {
        "tool": Tool(version="1.2.3"),
        "target": "outputs/run-17",
        "run_id": "r1",
        "timestamp": "2026-01-02T03:04:05+00:00",
        "duration_seconds": 0.25,
        "run_status": "crashed",
        "framework": "PyTorch FSDP",
        "primary_cause": "oom",
        "failure_mode": "oom/gpu-alloc",
        "workload_category": "OOM_KILLED",
        "confidence_score": 0.94,
        "confidence": "high",
        "decision": "NO-GO",
        "summary": "Crashed after step 18432: the GPU ran out of memory (rank 37).",
        "root_cause": RootCause(
            proximate="p", root="Rank 37 ran out of GPU memory.", contributing=["eval had just started"]
        ),
        "root_evidence": place,
        "culprit": Culprit(rank=37, node="gpu-09"),
        "last_progress": LastProgress(step=18432),
        "attempts": 2,
        "evidence": [
            EvidenceModel(
                id="e1",
                claim="rank 37 asked for 2.50 GiB with 1.12 GiB free",
                citation=place,
                excerpt="CUDA out of memory",
                role="root",
                time="08:14:02",
                rank=37,
            )
        ],
        "ruled_out": [RuledOutModel(cause="nccl-distributed", because="explained by rank 37, which left first")],
        "plan": [
            PlanStep(
                action="Halve the eval batch",
                risk="needs-approval",
                expected_impact="fits",
                time_to_try="10 min",
                validate_="eval ends",
                proceeds=True,
            )
        ],
        "next_commands": ["sed -n '88392,88432p' outputs/run-17/logs/rank37.err"],
        "coverage": Coverage(
            files=1,
            bytes=3_100_000_000,
            artifacts=[ReadModel(artifact="logs/rank37.err", kind="log", bytes=3_100_000_000)],
            not_seen=["scheduler record"],
        ),
    }
    return convert({**content, **changes}, Report)


def of_workload(words: str = "container was killed", **changes: object) -> Report:
    """Return a report about a workload of a platform, with `words` in its texts."""
    workload = {
        "id": "w-1",
        "name": "train-llm",
        "phase": "Failed",
        "project": "ml",
        "cluster": "c-1",
        "category": "OOM_KILLED",
        "evidence": [{"text": words, "source": "get_events"}],
        "gaps": [f"no logs: {words}"],
        "occurrences": 3,
        "recurring": True,
        "until": "2026-01-02",
        "window": "24h",
        "recommendations": [f"Ask for more memory: {words}"],
        "recovery_owner": "user",
    }
    return report(extension={"workload": workload}, **changes)
