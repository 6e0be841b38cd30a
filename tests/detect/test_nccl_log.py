"""NCCL's own log tells who held a communicator up; a log of a run that goes on accuses nobody."""

from __future__ import annotations

import pytest

from runtriage.detect.nccl_log import find
from runtriage.model.event import SIGNATURE, Event
from runtriage.model.finding import Match
from runtriage.redact import redact
from tests.detect.build import CATALOGUE, event, facts
from tests.detect.nccl_lines import call, front, init, ready
from tests.parse.documents import parsed

HUNG = event(SIGNATURE, "nccl/watchdog-timeout.collective", 9000)


def events(text: str, path: str = "nccl.log") -> list[Event]:
    return [clean for raw in parsed(path, "log", text.encode()).events if (clean := redact(raw)) is not None]


def found(text: str, *more: Event) -> list[Match]:
    return list(find(facts(events=[*events(text), *more]), CATALOGUE))


def culprits(matches: list[Match]) -> list[tuple[str, str | None]]:
    return [(match.mode, match.captures.get("culprit_rank")) for match in matches]


def test_the_rank_that_never_began_is_named() -> None:
    matches = found("".join(init(rank, 16) for rank in range(16) if rank != 11))
    assert culprits(matches) == [("stall/nccl-init", "11")]
    assert (
        matches[0]
        .evidence[0]
        .claim.startswith("rank 11 never began to set up the communicator of all 16 ranks that 15")
    )


def test_the_rank_that_never_finished_is_named_with_its_line() -> None:
    text = ready(4).replace(init(2, 4, what="COMPLETE"), "")
    matches = found(text)
    assert culprits(matches) == [("stall/nccl-init", "2")]
    assert matches[0].evidence[0].citation.first_line == 3
    assert matches[0].subject.node == "gpu0"


def test_when_all_began_and_none_finished_nobody_is_named() -> None:
    matches = found("".join(init(rank, 8) for rank in range(8)))
    assert culprits(matches) == [("stall/nccl-init", None)]
    assert matches[0].role == "symptom"


@pytest.mark.parametrize(
    "text",
    [
        ready(8),
        init(0, 16),
        init(0, 16) + init(0, 16, what="COMPLETE"),
        ready(4) + "".join(call(rank, 7 - rank, 4) for rank in range(4)),
        ready(4) + "".join(call(rank, number, 4) for number in range(40) for rank in range(4)),
        ready(2) + front(0) + "comm 0x55aa0000 rank 0 nranks 2 cudaDev 0 busId b000 - Destroy COMPLETE\n",
    ],
    ids=["ready", "one file of many", "one whole file", "not equally fast", "equal", "closed"],
)
def test_what_is_in_order_or_cannot_be_told_is_no_finding(text: str) -> None:
    assert found(text) == []


def test_once_a_wait_is_proved_the_rank_with_the_lowest_number_is_named() -> None:
    text = ready(4) + "".join(
        call(rank, number, 4) for number in range(30) for rank in range(4) if (rank, number) != (3, 29)
    )
    assert culprits(found(text, HUNG)) == [("nccl/desync-report", "3")]
    assert "last called AllReduce 1c" in found(text, HUNG)[0].evidence[0].claim


def test_the_rank_that_called_something_else_is_named_and_transfers_between_two_are_left_alone() -> None:
    text = ready(4) + "".join(call(rank, 5, 4, "AllGather" if rank == 1 else "AllReduce") for rank in range(4))
    matches = found(text)
    assert culprits(matches) == [("nccl/collective-mismatch", "1")]
    assert "rank 1 called AllGather, 3 ranks called AllReduce" in matches[0].evidence[0].claim
    assert found(ready(2) + call(0, 5, 2, "Send") + call(1, 5, 2, "Recv")) == []


def test_a_member_of_a_part_is_named_by_its_global_rank() -> None:
    part = [init(rank, 4, "0xbb", what, member=rank - 4) for what in ("START", "COMPLETE") for rank in range(4, 8)]
    calls = [call(rank, 3, 4, "Broadcast" if rank == 6 else "AllReduce", "0xbb") for rank in range(4, 8)]
    assert culprits(found(ready(8) + "".join(part + calls))) == [("nccl/collective-mismatch", "6")]


def test_versions_that_differ_are_told_beside_a_communicator_that_is_not_ready() -> None:
    told = front(0) + "NCCL version 2.27.3+cuda12.9\n" + front(1) + "NCCL version 2.21.5+cuda12.4\n"
    assert found(told + ready(4)) == []
    matches = found(told + "".join(init(rank, 4) for rank in range(3)))
    assert [match.mode for match in matches] == ["stall/nccl-init", "nccl/version-mismatch"]


def test_ranks_whose_files_are_apart_are_put_together() -> None:
    parts = [events(init(rank, 4), f"nccl.gpu0.{rank}.log") for rank in (0, 1, 3)]
    matches = list(find(facts(events=[one for part in parts for one in part]), CATALOGUE))
    assert culprits(matches) == [("stall/nccl-init", "2")]


def test_lines_that_are_cut_or_hostile_are_read_as_far_as_they_go() -> None:
    hostile = (
        front(0)
        + "x: opCount "
        + "f" * 99_000
        + "\n"
        + front(1)
        + "comm 0x1 rank 9999999 nranks 9999999 - Init START\n"
    )
    assert found(hostile + init(0, 4)[:60] + "\0" * 70_000) == []


def process(rank: int, *, version: str = "2.27.3+cuda12.9", network: str = "IB") -> str:
    """What a process of a node of its own says of itself, and how it begins to set up a communicator of four."""
    lead = f"node{rank}:{700 + rank}:{700 + rank} [0] NCCL INFO "
    return (
        f"{lead}Bootstrap: Using eth0:10.0.0.{rank}<0>\n{lead}NCCL version {version}\n{lead}Using network {network}\n"
        f"{lead}ncclCommInitRank comm 0x55{rank} rank {rank} nranks 4 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xaa - Init START\n"
    )


@pytest.mark.parametrize(
    ("odd", "mode", "claim"),
    [
        (
            {"version": "2.21.5+cuda12.4"},
            "nccl/version-mismatch",
            "rank 2 on node2 loaded NCCL 2.21.5+cuda12.4, 3 other",
        ),
        ({"network": "Socket"}, "nccl/fallback-to-socket", "rank 2 on node2 uses network Socket, 3 other"),
    ],
)
def test_what_one_process_runs_on_alone_is_why_nothing_was_set_up(odd: dict[str, str], mode: str, claim: str) -> None:
    (match,) = [
        one
        for one in found("".join(process(rank, **odd if rank == 2 else {}) for rank in range(4)))
        if one.mode == mode
    ]
    assert (match.role, match.captures["culprit_rank"], match.subject.node) == ("cause", "2", "node2")
    assert match.evidence[0].claim.startswith(claim)


def closed(peer: str, name: str = "nccl/remote-error.result", by: int = 0) -> Event:
    said = f"node{by}:{700 + by}:90 [0] NCCL WARN socketProgress: Connection closed by remote peer {peer}"
    return event(SIGNATURE, name, 8000 + by, captures={"peer": peer}, excerpt=said)


@pytest.mark.parametrize("peer", ["10.0.0.3<41234>", "node3.site.org<41234>", "node3.site.org<10.0.0.3:41234>"])
def test_the_peer_that_was_lost_is_named_by_its_address_or_its_name(peer: str) -> None:
    ready_all = "".join(process(rank) for rank in range(4))
    (match,) = [one for one in found(ready_all, closed(peer), closed(peer, by=1)) if one.mode == "nccl/remote-error"]
    assert (match.role, match.captures["culprit_rank"], match.subject.node) == ("symptom", "3", "node3")
    assert "lost its connection to rank 3 on node3 (" in match.evidence[0].claim


def test_a_peer_that_never_could_be_reached_is_why_nothing_was_set_up() -> None:
    said = closed("10.0.0.3<41234>", "nccl/connect-failed.warn")
    matches = found("".join(process(rank) for rank in range(4)), said)
    assert [(one.role, one.captures.get("culprit_rank")) for one in matches if one.mode == "nccl/connect-failed"] == [
        ("cause", "3")
    ]


@pytest.mark.parametrize(
    "said",
    [
        [closed("10.0.0.3<41234>"), closed("10.0.0.1<41234>", by=2)],
        [closed("10.0.0.9<41234>")],
        [closed("10.0.0.0<41234>")],
    ],
    ids=["each names another one", "not of this job", "itself"],
)
def test_a_peer_that_cannot_be_told_is_not_named(said: list[Event]) -> None:
    matches = found("".join(process(rank) for rank in range(4)), *said)
    assert [one for one in matches if one.mode == "nccl/remote-error"] == []
