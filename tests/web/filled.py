"""A history of many diagnoses, made without diagnosing."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from runtriage.store.history import History
from runtriage.store.history_entry import Entry
from tests.render.large import full
from tests.store.entries import PLAIN

CAUSES = {
    "oom": ("oom/gpu-alloc", "The GPU ran out of memory"),
    "nccl-distributed": ("nccl/watchdog-timeout", "A collective timed out"),
    "data-pipeline": ("data/corrupt-parquet", "A Parquet or Arrow file is not whole"),
    "io-checkpoint": ("ckpt/truncated", "A checkpoint is cut off"),
    "cuda-runtime": ("gpu/ecc-uncorrectable", "A GPU reported an uncorrectable memory error"),
    "nan-inf": ("nan/loss-nonfinite", "The loss became NaN"),
}


def filled(place: Path, count: int, reports: int = 3) -> list[str]:
    """Keep so many diagnoses, of which the last few have a report; returns the ids of those."""
    chance = random.Random(7)
    start = datetime(2026, 3, 1, tzinfo=UTC)
    document = full().to_json().encode()
    with History(place) as history:
        run = history.database.rows
        with history.database.transaction():
            for number in range(count):
                entry = _entry(number, start + timedelta(hours=number * 4_000 / count), chance)
                names = list(Entry._fields)
                run(
                    f"INSERT INTO diagnoses ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
                    [getattr(entry, name) for name in names],
                )
        ids = [f"{number:032x}" for number in range(count - reports, count)]
        for identity in ids:
            history.save(history.starting(identity)[0], document, b"{}", [("node", "gpu-09")])
    return ids


def _entry(number: int, when: datetime, chance: random.Random) -> Entry:
    cause = chance.choices(list(CAUSES), weights=[6, 5, 3, 2, 2, 1])[0]
    mode, words = CAUSES[cause]
    completed = chance.random() < 0.3
    node = f"gpu-{chance.randrange(40):02}" if chance.random() < 0.85 else "gpu-09"
    changed = {
        "id": f"{number:032x}",
        "seen_at": when.isoformat(timespec="seconds"),
        "happened_at": when.isoformat(timespec="seconds"),
        "target": f"outputs/run-{number}",
        "run_key": f"k{number}",
        "step": chance.randrange(50_000),
        "rank": chance.randrange(64),
        "hours": round(chance.expovariate(0.2), 2),
    }
    if completed:
        nothing = {"primary_cause": None, "failure_mode": None, "fingerprint": None, "node": None, "rank": None}
        return PLAIN._replace(run_status="completed", summary="Completed.", **(changed | nothing))
    return PLAIN._replace(
        primary_cause=cause,
        failure_mode=mode,
        fingerprint=f"{mode}-{chance.randrange(200)}"[:16],
        node=node,
        summary=f"Crashed after step {changed['step']:,}: {words}.",
        run_status=chance.choice(["crashed", "crashed", "hung", "degraded"]),
        **changed,
    )
