"""A real Slurm on this machine: one node, its own keys and ports, with a database of its own where that is asked for, stopped at the end."""

from __future__ import annotations

import os
import random
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
ACCOUNTING = ("mariadbd", "mariadb-install-db", "slurmdbd", "sacctmgr", "sacct")
_MEMORY = Path("/sys/fs/cgroup/memory")
_KILL_WAIT = 3
"""Seconds after which jobs that were cancelled are gone; else they would outlive the cluster."""
_POLLING = (
    "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/linux\n"
    "JobAcctGatherParams=OverMemoryKill,UsePss\n"
)
_CGROUPS = (
    "ProctrackType=proctrack/cgroup\nTaskPlugin=task/cgroup\nJobAcctGatherType=jobacct_gather/cgroup\n"
    "JobAcctGatherParams=NoOverMemoryKill\n"
)


def missing(more: tuple[str, ...] = ()) -> list[str]:
    """The programs that are not here; Slurm's daemons want to be started by root."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin"
    wanted = (*NEEDED, *more)
    return [name for name in wanted if shutil.which(name, path=path) is None] + (["root"] if os.geteuid() else [])


def cgroups_missing() -> bool:
    """Tell whether memory cannot be bounded by control groups of the first version, which this release's plugin asks for here."""
    return not (_MEMORY / "tasks").exists() or not os.access(_MEMORY, os.W_OK)


@dataclass
class Slurm:
    """The running cluster: `conf` is what `SLURM_CONF` must name."""

    folder: Path
    conf: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    daemons: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def bound_by_cgroups(self) -> None:
        """Start the controller and the node again, with memory bounded by control groups instead of by polling."""
        for name in ("slurmd", "slurmctld"):
            process = self.daemons.pop(name)
            self.processes.remove(process)
            process.terminate()
            process.wait(20)
        self.conf.write_text(self.conf.read_text().replace(_POLLING, _CGROUPS))
        (self.folder / "cgroup.conf").write_text(
            "CgroupAutomount=no\nCgroupPlugin=cgroup/v1\nCgroupMountpoint=/sys/fs/cgroup\nConstrainRAMSpace=yes\nConstrainSwapSpace=yes\n"
        )
        _nodes(self)

    def recorded(self, job: str, *states: str) -> str:
        """Wait until accounting holds the job in one of the states and return its table."""
        table = ""
        for _ in range(300):
            table = self.run("sacct", "-P", "-D", "-j", job, "-o", "JobID,State,ExitCode,End")
            rows = [line.split("|") for line in table.splitlines()[1:]]
            if any(row[0] == job and row[1].split(" ")[0] in states for row in rows):
                return table
            time.sleep(0.2)
        raise AssertionError(f"accounting says of job {job}: {table}")

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
    """A port of loopback that nobody listens at, below those that the kernel gives to connections: it is still free when it is used."""
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as held:
            try:
                held.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


@contextmanager
def slurm(folder: Path, *, accounting: bool = False) -> Generator[Slurm]:
    """Run the cluster for as long as the `with` lasts."""
    cluster = Slurm(folder, folder / "slurm.conf")
    try:
        _start(cluster, accounting=accounting)
        yield cluster
    finally:
        if "slurmctld" in cluster.daemons:
            cluster.run("scancel", "--user=root")
            time.sleep(_KILL_WAIT)
        for process in reversed(cluster.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _start(cluster: Slurm, *, accounting: bool) -> None:
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
    auth = f"AuthType=auth/munge\nAuthInfo=socket={munge}/socket,cred_expire=5\n"
    (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
    cluster.conf.write_text(
        f"ClusterName=tests\nSlurmctldHost={host}(127.0.0.1)\n{auth}SlurmUser=root\nSlurmdUser=root\nSlurmctldPort={controller}\n"
        f"SlurmdPort={node}\nStateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\nSlurmctldPidFile={folder}/ctld.pid\n"
        f"SlurmdPidFile={folder}/slurmd.pid\nSlurmctldLogFile={folder}/ctld.log\nSlurmdLogFile={folder}/slurmd.log\n"
        f"{_POLLING}JobAcctGatherFrequency=1\nSelectType=select/cons_tres\n"
        "SelectTypeParameters=CR_Core_Memory\nSchedulerType=sched/backfill\nSchedulerParameters=sched_interval=1,bf_interval=1\n"
        f"{_storage(cluster, auth) if accounting else 'AccountingStorageType=accounting_storage/none'}\n"
        "MpiDefault=none\nReturnToService=2\nKillWait=2\nOverTimeLimit=0\nMinJobAge=3600\n"
        f"NodeName={host} NodeAddr=127.0.0.1 Port={node} CPUs=2 RealMemory=1000 State=UNKNOWN\n"
        "PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=100\n"
    )
    if accounting:
        _until(lambda: _registered(cluster))
    _nodes(cluster)


def _registered(cluster: Slurm) -> bool:
    cluster.run("sacctmgr", "-i", "add", "cluster", "tests")
    return "tests" in cluster.run("sacctmgr", "-n", "-P", "show", "cluster")


def _nodes(cluster: Slurm) -> None:
    _daemon(cluster, "slurmctld", "-D")
    _daemon(cluster, "slurmd", "-D", "-N", socket.gethostname().partition(".")[0])
    _until(lambda: "idle" in cluster.run("sinfo", "-h", "-o", "%T"))


def _storage(cluster: Slurm, auth: str) -> str:
    """Start a database and the daemon that writes to it; return what the controller must know."""
    folder, port, database = cluster.folder, free_port(), free_port()
    data = folder / "db"
    data.mkdir()
    told = ["--no-defaults", f"--datadir={data}", "--user=root"]
    subprocess.run(
        ["mariadb-install-db", *told, "--auth-root-authentication-method=normal", "--skip-test-db"],
        check=True,
        capture_output=True,
        timeout=100,
    )
    _daemon(
        cluster, "mariadbd", *told, f"--socket={data}/socket", "--bind-address=127.0.0.1", f"--port={database}",
        f"--pid-file={data}/pid", "--innodb-buffer-pool-size=64M", "--innodb-lock-wait-timeout=900",
    )  # fmt: skip
    setup = "create database acct; create user 'slurm'@'127.0.0.1' identified by 'slurm'; grant all on acct.* to 'slurm'@'127.0.0.1'"
    _until(lambda: _says(("mariadb", "--no-defaults", f"--socket={data}/socket", "-u", "root", "-e", setup)))
    conf = folder / "slurmdbd.conf"
    conf.write_text(
        f"{auth}DbdHost=localhost\nDbdAddr=127.0.0.1\nDbdPort={port}\nSlurmUser=root\nStorageType=accounting_storage/mysql\n"
        f"StorageHost=127.0.0.1\nStoragePort={database}\nStorageUser=slurm\nStoragePass=slurm\nStorageLoc=acct\n"
        f"LogFile={folder}/slurmdbd.log\nPidFile={folder}/slurmdbd.pid\n"
    )
    conf.chmod(0o600)
    _daemon(cluster, "slurmdbd", "-D")
    socket_of_munge = f"AccountingStoragePass={folder}/munge/socket"
    return f"AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageHost=127.0.0.1\nAccountingStoragePort={port}\n{socket_of_munge}"


def _says(words: tuple[str, ...]) -> bool:
    return subprocess.run(words, capture_output=True, check=False, timeout=20).returncode == 0


def _daemon(cluster: Slurm, *words: str) -> None:
    binary = shutil.which(words[0], path=f"/usr/sbin:{os.environ.get('PATH', '')}")
    log = (cluster.folder / f"{words[0]}.out").open("wb")
    process = subprocess.Popen(
        [words[0], *words[1:]],
        executable=binary,
        env={**os.environ, "SLURM_CONF": str(cluster.conf)},
        stdout=log,
        stderr=log,
        stdin=subprocess.DEVNULL,
    )
    cluster.processes.append(process)
    cluster.daemons[words[0]] = process
    log.close()


def _until(ready) -> None:
    for _ in range(300):
        if ready():
            return
        time.sleep(0.2)
    raise AssertionError("a daemon of Slurm did not come up")
