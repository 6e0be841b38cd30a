"""Stacks read the same whichever program printed them."""

from __future__ import annotations

import json

import pytest

from runtriage.model.artifact import Artifact
from runtriage.parse import Parsed, recognise
from tests.parse.documents import parsed

SPY = """\
Process 77: python -u train.py --local_rank=3
Python v3.11.7 (/usr/bin/python3.11)

Thread 77 (idle): "MainThread"
    Condition.wait (threading.py:327)
    Queue.get (queue.py:171)
    load_batch (/home/me/project/src/data/batches.py:5)
    <module> (train.py:8)
Thread 80 (active): "saver"
    write (torch/serialization.py:900)
Process 78: python -u train.py --local_rank=4
Python v3.11.7 (/usr/bin/python3.11)

Thread 78 (active+gil): "MainThread"
    step (train.py:9)
"""
FAULT = """\
Timeout (0:00:30)!
Thread 0x00007f71cf9ff6c0 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 982 in run

Thread 0x00007f71d8e14b80 (most recent call first):
  File "/home/me/train.py", line 4 in main
  File "/home/me/train.py", line 5 in <module>
"""


def _mains(got: Parsed) -> list[tuple[int | None, int | None, str, str]]:
    return [
        (event.subject.rank, event.subject.pid, event.captures["own"].raw, event.captures["frames"].raw)
        for event in got.events
        if event.name == "stack/main"
    ]


def _json(*threads: tuple[int, str, list[tuple[str, str, int]]]) -> bytes:
    return json.dumps(
        [
            {
                "pid": pid,
                "thread_id": 1,
                "thread_name": name,
                "frames": [
                    {"name": function, "filename": path, "short_filename": path, "line": line}
                    for function, path, line in frames
                ],
            }
            for pid, name, frames in threads
        ]
    ).encode()


def test_text_of_py_spy_gives_each_process_its_rank_and_its_own_frame() -> None:
    assert _mains(parsed("stacks.txt", "stacks", SPY.encode())) == [
        (
            3,
            77,
            "load_batch (project/src/data/batches.py:5)",
            "wait (threading.py:327) < get (queue.py:171) < load_batch (project/src/data/batches.py:5) < <module> (train.py:8)",
        ),
        (4, 78, "step (train.py:9)", "step (train.py:9)"),
    ]


def test_json_of_py_spy_gives_the_same() -> None:
    content = _json((9, "reader", [("read", "a.py", 1)]), (9, "MainThread", [("main", "/x/train.py", 4)]))
    got = parsed("stacks-rank12.json", "stacks", content)
    assert _mains(got) == [(12, 9, "main (/x/train.py:4)", "main (/x/train.py:4)")]
    assert {event.citation.pointer for event in got.events} == {"/0", "/1"}


def test_json_that_was_cut_gives_what_is_whole_and_never_raises() -> None:
    whole = _json((9, "MainThread", [("main", "train.py", 4)]))
    assert len(_mains(parsed("s.json", "stacks", whole + whole[: len(whole) // 2]))) == 1
    for end in range(30, len(whole), 7):
        parsed("s.json", "stacks", whole[:end])


def test_a_faulthandler_dump_has_its_main_thread_last() -> None:
    got = parsed("faulthandler.txt", "stacks", FAULT.encode())
    assert _mains(got) == [
        (None, None, "main (/home/me/train.py:4)", "main (/home/me/train.py:4) < <module> (/home/me/train.py:5)")
    ]
    assert [event.name for event in got.events if event.name == "stack/timeout"] == ["stack/timeout"]


def test_the_last_of_several_dumps_counts() -> None:
    later = FAULT.replace("line 4 in main", "line 6 in later")
    assert "later" in _mains(parsed("faulthandler.txt", "stacks", (FAULT + later).encode()))[0][3]


@pytest.mark.parametrize(
    "content", [b"Process of elimination\n", b'[{"pid": 3}]', b"[]", b"Thread of thoughts (idle)\n"]
)
def test_what_only_looks_like_stacks_is_left_alone(content: bytes) -> None:
    found = recognise(Artifact(path="stacks.txt", kind="stacks"), content)
    assert found is None or not found.id.startswith("stacks")


def test_hostile_sizes_end_in_bounded_events() -> None:
    frames = "".join(f"    f{n} (a.py:{n})\n" for n in range(5_000))
    threads = "".join(f'Thread {n} (idle): "t{n}"\n{frames[:200]}' for n in range(5_000))
    got = parsed(
        "stacks.txt",
        "stacks",
        f'Process 1: python\nPython v3\n\nThread 1 (idle): "MainThread"\n{frames}{threads}'.encode(),
    )
    assert len(got.events) < 40
    assert _mains(got)[0][3].count(" < ") < 60


@pytest.mark.parametrize(
    ("heading", "rank"),
    [
        ("== rank 5 ==", 5),
        ("### node3, rank=12 (pid 77)", 12),
        ("ranks 0 to 7 of job 12", None),
        ("waiting, rank 3 and rank 4", None),
    ],
)
def test_a_line_above_a_dump_names_its_rank_unless_it_names_several(heading: str, rank: int | None) -> None:
    dump = SPY.partition("Process 78")[0].replace(" --local_rank=3", "")
    found = parsed("pyspy.txt", "stacks", f"taken at 10:00\n{heading}\n{dump}".encode())
    assert {event.subject.rank for event in found.events} == {rank}
