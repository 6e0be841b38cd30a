"""A system log belongs to the host that its lines or its name tell."""

from __future__ import annotations

import pytest

from runtriage.scan.prefix_host import host_in_name, host_of


def test_lines_of_a_system_log_name_their_host() -> None:
    old = b"Nov 16 10:00:01 gpu-07 kernel: NVRM: Xid\nNov 16 10:00:02 gpu-07 systemd[1]: Stopping\n"
    new = b"2026-11-16T10:00:01.200000+00:00 gpu-07 kernel: NVRM: Xid\n"
    assert (host_of(old), host_of(new)) == ("gpu-07", "gpu-07")


def test_a_log_of_several_hosts_or_of_a_program_names_none() -> None:
    assert host_of(b"Nov 16 10:00:01 a1 kernel: x\nNov 16 10:00:01 a2 kernel: x\n") is None
    assert host_of(b"2026-11-16T10:00:01Z step 10 loss 2.1\n" * 5) is None


@pytest.mark.parametrize(
    ("path", "host"),
    [
        ("gpu-07.dmesg", "gpu-07"),
        ("logs/kern-n12.log", "n12"),
        ("dmesg-gn08.txt", "gn08"),
        ("lc-b16.dmesg-T.txt", "lc-b16"),
        ("dmesg.txt", None),
        ("rank3.console.log", None),
        ("train-7.log", None),
    ],
)
def test_the_name_of_a_system_log_may_hold_the_host(path: str, host: str | None) -> None:
    assert host_in_name(path) == host
