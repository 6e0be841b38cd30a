"""The rank that did not join is named, whatever group it stopped in and with every fifth dump lost; else nobody is."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pytest

from runtriage.detect.collective import find
from runtriage.model.artifact import Artifact
from runtriage.model.event import Event
from runtriage.model.finding import Match
from runtriage.parse import recognise
from runtriage.redact import redact
from tests.detect.build import CATALOGUE, facts
from tests.detect.cluster import job, kept
from tests.parse.documents import Bytes
from tests.parse.dumps import Record, dump, pickled


def events(dumps: Mapping[int, dict[str, Any]], cut: Collection[int] = ()) -> list[Event]:
    found: list[Event] = []
    for rank, one in dumps.items():
        content = pickled(one)
        content = content[: len(content) * 7 // 10] if rank in cut else content
        artifact = Artifact(path=f"nccl_trace_rank_{rank}", kind="recorder", size=len(content))
        parser = recognise(artifact, content)
        assert parser is not None
        found += [clean for raw in parser.read(artifact, Bytes(content)).events if (clean := redact(raw)) is not None]
    return found


def found(dumps: Mapping[int, dict[str, Any]]) -> list[Match]:
    return list(find(facts(events=events(dumps)), CATALOGUE))


def named(matches: Sequence[Match]) -> list[str]:
    return [match.captures["culprit_rank"] for match in matches if "culprit_rank" in match.captures]


def ring(*records: Record, ranks: Sequence[int] = (0, 1, 2, 3)) -> dict[str, Any]:
    return dump({"0": ranks}, records, {"0": "default_pg"})


def done(seq: int, operation: str = "all_reduce", sizes: Sequence[int] = (4,)) -> Record:
    return ("0", seq, operation, "completed", list(sizes))


def started(seq: int, operation: str = "all_reduce", sizes: Sequence[int] = (4,)) -> Record:
    return ("0", seq, operation, "started", list(sizes))


@pytest.mark.parametrize("at", ["tp", "dp", "0"])
@pytest.mark.parametrize("culprit", [0, 13, 63])
def test_the_rank_that_stopped_is_named_whatever_group_it_stopped_in(at: str, culprit: int) -> None:
    assert named(found(kept(job(64, culprit, at), set()))) == [str(culprit)]


@pytest.mark.parametrize("at", ["tp", "dp", "0"])
def test_with_every_fifth_dump_lost_it_is_still_named(at: str) -> None:
    chance = random.Random(7)
    for _ in range(12):
        culprit = chance.randrange(64)
        lost = set(chance.sample([rank for rank in range(64) if rank != culprit], 12))
        assert named(found(kept(job(64, culprit, at), lost))) == [str(culprit)]


def test_a_culprit_without_a_dump_is_named_where_the_groups_that_wait_leave_only_one() -> None:
    assert named(found(kept(job(64, 13, "tp"), {13}))) == ["13"]


def test_of_several_lost_dumps_that_could_be_it_none_is_named() -> None:
    matches = found(kept(job(64, 13, "0"), {13, 20, 41}))
    assert named(matches) == []
    assert "cannot be told" in matches[0].evidence[0].claim


@pytest.mark.parametrize("at", ["tp", "dp", "0"])
def test_a_dump_that_was_cut_while_it_was_written_does_not_make_its_rank_the_culprit(at: str) -> None:
    told = events(kept(job(64, 13, at), set()), cut={2, 21, 40})
    assert named(list(find(facts(events=told), CATALOGUE))) == ["13"]


def test_the_rank_that_calls_something_else_is_named_with_both_calls() -> None:
    others = ring(done(1), started(2))
    matches = found({0: others, 1: ring(done(1), started(2, "barrier")), 2: others, 3: others})
    assert (matches[0].mode, named(matches)) == ("nccl/collective-mismatch", ["1"])
    assert (
        matches[0]
        .evidence[0]
        .claim.startswith("collective 2 of default_pg: rank 1 called barrier, 3 ranks called all_reduce")
    )


def test_other_sizes_are_a_mismatch_where_sizes_must_agree_and_none_where_they_need_not() -> None:
    def dumps(operation: str) -> dict[int, dict[str, Any]]:
        return {rank: ring(done(1), started(2, operation, (4 if rank else 5,))) for rank in range(4)}

    assert named(found(dumps("all_reduce"))) == ["0"]
    assert named(found(dumps("all_to_all"))) == []


def test_half_against_half_names_nobody() -> None:
    dumps = {rank: ring(done(1), started(2, "barrier" if rank < 2 else "all_reduce")) for rank in range(4)}
    matches = found(dumps)
    assert [match.mode for match in matches] == ["nccl/collective-mismatch"]
    assert named(matches) == []


def test_when_all_called_alike_no_rank_is_blamed() -> None:
    matches = found({rank: ring(done(1), started(2)) for rank in range(4)})
    assert (matches[0].role, named(matches)) == ("symptom", [])
    assert "alike" in matches[0].evidence[0].claim


def test_a_ring_that_has_forgotten_where_ranks_parted_says_so() -> None:
    wrapped = ring(started(900))
    wrapped["pg_status"]["0"]["last_completed_collective"] = 3
    matches = found(dict.fromkeys(range(4), wrapped))
    assert named(matches) == []
    assert "no ring holds collective 4" in matches[0].evidence[0].claim


def test_a_record_that_lags_behind_what_peers_saw_complete_blames_nobody_for_it() -> None:
    late = ring(done(1), started(2), started(3))
    assert named(found({0: late, 1: ring(done(1), done(2)), 2: late, 3: late})) == ["1"]


def test_ranks_at_rest_are_no_finding_and_one_dump_alone_is_none() -> None:
    assert found({rank: ring(done(1), done(2)) for rank in range(4)}) == []
    assert found({0: ring(done(1), started(2))}) == []
