"""Entries of a history as literals."""

from __future__ import annotations

from runtriage.store.history_entry import Entry

PLAIN = Entry(
    id="0",
    seen_at="2026-01-02T03:04:05+00:00",
    happened_at="2026-01-02T02:00:00+00:00",
    target="run-0",
    place="/runs/run-0",
    run_key="k0",
    bytes=1000,
    mtime=1_000.0,
    run_status="crashed",
    primary_cause="oom",
    failure_mode="oom/gpu-alloc",
    framework="PyTorch",
    confidence=0.9,
    fingerprint="f" * 16,
    mechanism="oom/gpu-alloc asked for <n> gib",
    node="gpu-09",
    rank=3,
    step=400,
    hours=2.0,
    summary="Crashed after step 400: the GPU ran out of memory.",
    version="1.2.3",
)


def entry(number: int, **changes: object) -> Entry:
    """Return the entry of another run, a day later for each number."""
    values: dict[str, object] = {
        "id": f"{number:032x}",
        "seen_at": f"2026-01-{number + 1:02}T03:04:05+00:00",
        "happened_at": f"2026-01-{number + 1:02}T02:00:00+00:00",
        "target": f"run-{number}",
        "place": f"/runs/run-{number}",
        "run_key": f"k{number}",
        "mtime": 1_000.0 + number,
        **changes,
    }
    return Entry(**{**PLAIN._asdict(), **values})
