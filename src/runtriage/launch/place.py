"""Which process of a larger job this one is, as its launcher says in the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from runtriage.launch.keep import home, plain

_LAUNCHERS: Final = (
    ("RANK", "WORLD_SIZE", ("TORCHELASTIC_RUN_ID", "SLURM_JOB_ID", "MASTER_PORT")),
    ("SLURM_PROCID", "SLURM_NTASKS", ("SLURM_JOB_ID",)),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", ("PMIX_NAMESPACE", "OMPI_MCA_orte_hnp_uri", "SLURM_JOB_ID")),
    ("PMI_RANK", "PMI_SIZE", ("PMI_JOBID", "SLURM_JOB_ID")),
)


class Place(Struct, frozen=True):
    """One rank of a job of several processes: `job` is the same for all ranks of one attempt."""

    rank: int
    size: int
    job: str


def place(environment: Mapping[str, str]) -> Place | None:
    """Return the place of this process, or None when it is alone."""
    for rank, size, ids in _LAUNCHERS:
        if not (environment.get(rank, "").isdigit() and environment.get(size, "").isdigit()):
            continue
        if int(environment[size]) < 2:
            return None
        names = [environment[name] for name in ids if environment.get(name) and environment[name] != "none"]
        step = environment.get("SLURM_STEP_ID", "") if rank == "SLURM_PROCID" else ""
        attempt = environment.get("TORCHELASTIC_RESTART_COUNT", "0")
        address = f"{environment.get('MASTER_ADDR', '')}-{environment.get('MASTER_PORT', '')}"
        job = "-".join(filter(None, [*names, step, address.strip("-")])) or str(os.getppid())
        return Place(int(environment[rank]), int(environment[size]), plain(f"{job}-attempt{attempt}"))
    return None


def shared_folder(where: Place, name: str | None) -> Path:
    """Return the folder that all ranks of the job on this file system share. Raises OSError."""
    folder = home() / (f"{plain(name)}-{where.job}" if name else f"job-{where.job}")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def speaks(folder: Path, rank: int) -> bool:
    """Tell whether this rank is the first to fail: one line a job, whoever comes later is silent."""
    with suppress(FileExistsError):
        os.close(os.open(folder / ".spoken", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        (folder / ".spoken").write_text(f"{rank}\n", encoding="ascii")
        return True
    return False
