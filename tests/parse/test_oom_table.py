"""Who held the memory is told from the kernel's own table; a table that is not whole proves nothing."""

from __future__ import annotations

import pytest

from runtriage.redact import redact
from tests.parse.documents import parsed

HEAD = "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name"
NEWER = "[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name"
CHOSEN = "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=/pods/pod1,task_memcg=/pods/pod1/c,task=python,pid=12,uid=0"
NODE = "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/user.slice,task=python,pid=12,uid=0"
KILLED = "Killed process 12 (python) total-vm:8000kB, anon-rss:800kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:10kB oom_score_adj:0"


def row(pid: int, pages: int, name: str = "python", more: str = "") -> str:
    return f"[{pid:7d}]  1000 {pid:5d}  2500000 {pages:8d}{more} 1000000        0             0 {name}"


def told(*lines: str, front: str = "[ 8123.2] ") -> list[tuple[str, str]]:
    text = "".join(f"{front}{line}\n" for line in lines)
    events = parsed("dmesg.txt", "kernel", text.encode()).events
    return [(clean.name, clean.captures["message"]) for event in events if (clean := redact(event)) is not None]


@pytest.mark.parametrize("front", ["[ 8123.2] ", "Nov 21 22:08:20 node7 kernel: ", ""])
def test_the_process_that_held_most_is_told_from_the_one_that_was_killed(front: str) -> None:
    (one,) = told(HEAD, row(11, 900), row(12, 90), row(13, 10, "bash"), CHOSEN, KILLED, front=front)
    held = "python (process 11) held 90 % of the memory of the 3 tasks of the group /pods/pod1 that the kernel listed"
    assert one == ("oom/largest-of-group", f"{held}, while process 12 was killed")


def test_a_table_of_the_whole_node_and_of_a_newer_kernel_is_read() -> None:
    more = "      80        5        5"
    (one,) = told(NEWER, row(11, 10, "data loader", more), row(12, 90, "python", more), NODE, KILLED)
    assert one == (
        "oom/largest-of-node",
        "python (process 12) held 90 % of the memory of the 2 tasks that the kernel listed, and was killed",
    )


@pytest.mark.parametrize(
    "lines",
    [
        (HEAD, row(11, 900), row(12, 90), CHOSEN),
        (HEAD, row(12, 90), CHOSEN, KILLED),
        (HEAD, row(11, 0), row(12, 0), CHOSEN, KILLED),
        (row(11, 900), row(12, 90), CHOSEN, KILLED),
        (HEAD, "[" * 9000, row(11, 900)[:30], CHOSEN, KILLED),
    ],
    ids=["nobody killed yet", "one task", "no memory", "no heading", "broken"],
)
def test_a_table_that_is_not_whole_says_nothing(lines: tuple[str, ...]) -> None:
    assert told(*lines) == []


def test_each_kill_is_told_of_its_own_table() -> None:
    first = (HEAD, row(11, 900), row(12, 90), CHOSEN, KILLED)
    second = (HEAD, row(21, 10), row(22, 30), CHOSEN, KILLED.replace("12", "22"))
    assert [text.split(" held ")[0] for _, text in told(*first, *second)] == [
        "python (process 11)",
        "python (process 22)",
    ]
