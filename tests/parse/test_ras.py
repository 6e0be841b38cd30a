"""NCCL's RAS report names the few ranks that are behind; a difference of one alone accuses nobody of a failure."""

from __future__ import annotations

from pathlib import Path

from runtriage.api.diagnosis import diagnose
from tests.parse.documents import parsed

HEAD = "NCCL version 2.28.9 compiled with CUDA 12.8\n\nJob summary\n===========\n\nCommunicators... (0.00s)\n=============\n\nWarnings\n========\n\n"
FAR = """\
#0-0 (78db921d1c117b4a) MISMATCH
  Communicator ranks have different AllReduce operation counts
  7 ranks have launched up to operation 64
  Rank 7 has launched up to operation 60 -- GPU 3 managed by process 1650386 on node node1
"""
LISTED = """\
#0-0 (27a079b828ff1a75) MISMATCH
  Communicator ranks have different collective operation counts
  6 ranks have launched up to operation 50
  2 ranks have not launched any operations
  Rank 0 -- GPU 0 managed by process 483072 on node n1
  Rank 2 -- GPU 2 managed by process 483074 on node n1

"""


def told(text: str) -> list[tuple[str, int | None, str | None]]:
    events = parsed("ras.txt", "recorder", (HEAD + text).encode()).events
    return [(event.name, event.subject.rank, event.subject.node) for event in events]


def test_the_rank_that_is_far_behind_is_told_with_its_node() -> None:
    assert told(FAR) == [("ras/far-behind", 7, "node1")]


def test_ranks_listed_below_their_count_are_told_one_by_one() -> None:
    assert told(LISTED) == [("ras/far-behind", 0, "n1"), ("ras/far-behind", 2, "n1")]


def test_a_difference_of_one_is_only_a_sign_and_half_behind_names_nobody() -> None:
    assert [name for name, *_ in told(FAR.replace("operation 60", "operation 63"))] == ["ras/behind"]
    assert told(LISTED.replace("6 ranks", "3 ranks")) == []


def test_the_report_alone_names_the_culprit(tmp_path: Path) -> None:
    (tmp_path / "ras.txt").write_text(HEAD + FAR, "utf-8")
    report = diagnose(str(tmp_path))
    assert (report.run_status, report.failure_mode) == ("hung", "nccl/desync-report")
    assert (report.culprit.rank, report.culprit.node) == (7, "node1")
