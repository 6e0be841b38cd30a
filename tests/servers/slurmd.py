"""A real Slurm on this machine without accounting: one node, its own keys and ports, stopped at the end."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

NEEDED = ("munged", "slurmctld", "slurmd", "scontrol", "sbatch")


def missing() -> list[str]:
    """The programs that are not here; Slurm's daemons want to be started by root."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin"
    return [name for name in NEEDED if shutil.which(name, path=path) is None] + (["root"] if os.geteuid() else [])


@dataclass
class Slurm:
    """The running cluster: `conf` is what `SLURM_CONF` must name."""

    folder: Path
    conf: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def submit(self, script: str, *options: str) -> str:
        """Submit a script that writes into the folder and return its id."""
        path = self.folder / "work" / "job.sh"
        path.write_text(f"#!/bin/sh\n{script}\n")
        told = self.run("sbatch", "--parsable", f"--chdir={path.parent}", *options, str(path))
        return told.strip()

    def wait(self, job: str, *states: str) -> str:
        """Wait until the controller shows the job in one of the states and return it."""
        state = ""
        for _ in range(300):
            found = re.search(r"JobState=(\w+)", self.run("scontrol", "show", "job", job))
            state = found[1] if found else ""
            if state in states:
                return state
            time.sleep(0.2)
        raise AssertionError(f"job {job} is {state or 'unknown'}")

    def run(self, *words: str) -> str:
        done = subprocess.run(
            words,
            env={**os.environ, "SLURM_CONF": str(self.conf)},
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
        )
        return done.stdout


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


@contextmanager
def slurm(folder: Path) -> Generator[Slurm]:
    """Run the cluster for as long as the `with` lasts."""
    cluster = Slurm(folder, folder / "slurm.conf")
    try:
        _start(cluster)
        yield cluster
    finally:
        for process in reversed(cluster.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _start(cluster: Slurm) -> None:
    folder, host = cluster.folder, socket.gethostname().partition(".")[0]
    for name in ("state", "spool", "work", "munge"):
        (folder / name).mkdir()
    folder.chmod(0o755)
    controller, node = free_port(), free_port()
    munge = folder / "munge"
    (munge / "key").write_bytes(os.urandom(128))
    (munge / "key").chmod(0o400)
    _daemon(
        cluster, "munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
        f"--pid-file={munge}/pid", f"--seed-file={munge}/seed", f"--log-file={munge}/log",
    )  # fmt: skip
    auth = f"AuthType=auth/munge\nAuthInfo=socket={munge}/socket\n"
    (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
    cluster.conf.write_text(
        f"ClusterName=tests\nSlurmctldHost={host}(127.0.0.1)\n{auth}SlurmUser=root\nSlurmdUser=root\nSlurmctldPort={controller}\n"
        f"SlurmdPort={node}\nStateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\nSlurmctldPidFile={folder}/ctld.pid\n"
        f"SlurmdPidFile={folder}/slurmd.pid\nSlurmctldLogFile={folder}/ctld.log\nSlurmdLogFile={folder}/slurmd.log\n"
        "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/linux\n"
        "JobAcctGatherFrequency=1\nJobAcctGatherParams=OverMemoryKill,UsePss\nSelectType=select/cons_tres\n"
        "SelectTypeParameters=CR_Core_Memory\nSchedulerType=sched/backfill\nSchedulerParameters=sched_interval=1,bf_interval=1\n"
        "AccountingStorageType=accounting_storage/none\n"
        "MpiDefault=none\nReturnToService=2\nKillWait=2\nOverTimeLimit=0\nMinJobAge=3600\n"
        f"NodeName={host} NodeAddr=127.0.0.1 Port={node} CPUs=2 RealMemory=1000 State=UNKNOWN\n"
        "PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=100\n"
    )
    _daemon(cluster, "slurmctld", "-D")
    _daemon(cluster, "slurmd", "-D", "-N", host)
    _until(lambda: "idle" in cluster.run("sinfo", "-h", "-o", "%T"))


def _daemon(cluster: Slurm, *words: str) -> None:
    binary = shutil.which(words[0], path=f"/usr/sbin:{os.environ.get('PATH', '')}")
    log = (cluster.folder / f"{words[0]}.out").open("wb")
    cluster.processes.append(
        subprocess.Popen(
            [words[0], *words[1:]],
            executable=binary,
            env={**os.environ, "SLURM_CONF": str(cluster.conf)},
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
        )
    )
    log.close()


def _until(ready) -> None:
    for _ in range(300):
        if ready():
            return
        time.sleep(0.2)
    raise AssertionError("a daemon of Slurm did not come up")
