"""Turns a program's limits into the shell lines that put them in force, and cleans up after."""

from __future__ import annotations

import os
import shlex
import time
from pathlib import Path

from zoo.layout import Limits, ZooError

CGROUPS = Path("/sys/fs/cgroup")
DROP_PRIVILEGES = "exec setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs"


def cgroup_folders(limits: Limits, label: str) -> list[tuple[Path, str, int]]:
    """The cgroup v1 folders wanted, each with its limit file and value."""
    wanted: list[tuple[Path, str, int]] = []
    if limits.cgroup_memory is not None:
        wanted.append((CGROUPS / "memory" / label, "memory.limit_in_bytes", limits.cgroup_memory))
    if limits.cgroup_pids is not None:
        wanted.append((CGROUPS / "pids" / label, "pids.max", limits.cgroup_pids))
    return wanted


def wrap(command: str, limits: Limits, workdir: Path, label: str) -> list[str]:
    """The argv that runs ``command`` under ``limits``; raises when they need rights we lack."""
    mounts = _mounts(limits, workdir)
    cgroups = cgroup_folders(limits, label)
    if (mounts or cgroups or limits.unprivileged) and os.geteuid() != 0:
        raise ZooError("these limits need root")
    lines = [*mounts, f"cd {shlex.quote(str(workdir))}"]
    for folder, name, value in cgroups:
        folder.mkdir()
        (folder / name).write_text(str(value), encoding="ascii")
        lines.append(f"echo $$ > {folder}/cgroup.procs")
    lines += _ulimits(limits)
    drop = DROP_PRIVILEGES if limits.unprivileged else "exec"
    lines.append(f"{drop} bash -c {shlex.quote(command)}")
    shell = ["bash", "-c", "set -e\n" + "\n".join(lines)]
    return ["unshare", "--mount", "--propagation", "private", *shell] if mounts else shell


def remove_cgroups(limits: Limits, label: str) -> None:
    """Remove the folders that ``wrap`` made, waiting for the kernel to let go of them."""
    for folder, _, _ in cgroup_folders(limits, label):
        for _ in range(50):
            try:
                folder.rmdir()
                break
            except FileNotFoundError:
                break
            except OSError:
                time.sleep(0.1)


def _mounts(limits: Limits, workdir: Path) -> list[str]:
    lines: list[str] = []
    for name, size in limits.tmpfs.items():
        place = shlex.quote(str(workdir / name))
        lines.append(f"mkdir -p {place}; mount -t tmpfs -o size={shlex.quote(size)} tmpfs {place}")
    if limits.shm is not None:
        lines.append(f"mount -t tmpfs -o size={shlex.quote(limits.shm)} tmpfs /dev/shm")
    for name in limits.readonly:
        place = shlex.quote(str(workdir / name))
        lines.append(f"mkdir -p {place}; mount --bind {place} {place}; mount -o remount,bind,ro {place}")
    return lines


def _ulimits(limits: Limits) -> list[str]:
    kib = {"-v": limits.address_space, "-f": limits.file_size, "-s": limits.stack}
    lines = [f"ulimit {flag} {size // 1024}" for flag, size in kib.items() if size is not None]
    if limits.open_files is not None:
        lines.append(f"ulimit -n {limits.open_files}")
    lines.append(f"ulimit -c {(limits.core or 0) // 1024}")
    return lines
