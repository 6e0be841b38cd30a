from __future__ import annotations

import pytest

from runtriage.api.recurrence import Past, recurrence, remedies, runs, same_failure, same_run
from runtriage.api.recurrence_fingerprint import fingerprint, mechanism
from runtriage.api.recurrence_plan import replanned
from runtriage.model.report import EvidenceModel, Report, RootCause
from runtriage.store.history_entry import Feedback
from tests.render.build import report
from tests.store.entries import entry


def claimed(claim: str, **changes: object) -> Report:
    item = EvidenceModel(id="e1", claim=claim, citation=report().evidence[0].citation)
    return report(evidence=[item], **changes)


def said(text: str, when: str, says: str = "fixed") -> Feedback:
    return Feedback(diagnosis=entry(1).id, given_at=when, says=says, note=text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rank 37 asked for 2.50 GiB with 1.12 GiB free", "rank 3 asked for 1,024.00 GiB with 0 GiB free"),
        ("cannot read /data/a/shard-0001.tar: at 0x7f3a", "cannot read /mnt/b/shard-9.tar: at 0x1"),
        ("peer 10.0.0.1:29500 closed", "peer 172.16.3.44:1 closed"),
        ("object 3f2504e0-4f89-11d3-9a0c-0305e82c3301 is gone", "object 00000000-4f89-11d3-9a0c-0305e82c3301 is gone"),
        ("on gpu-10 it failed", "on gpu-11 it failed"),
        ("loss became NaN at step 0.72 (last 5.8e-3)", "loss became NaN at step 900 (last 1E+10)"),
    ],
)
def test_what_changes_from_run_to_run_is_no_part_of_a_mechanism(one: str, other: str) -> None:
    assert mechanism(claimed(one), {}) == mechanism(claimed(other), {})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (claimed("KeyError: 'input_ids'"), claimed("KeyError: 'labels'")),
        (claimed("x"), claimed("x", failure_mode="oom/host-cgroup")),
    ],
)
def test_different_mechanisms_stay_apart(one: Report, other: Report) -> None:
    assert fingerprint(mechanism(one, {})) != fingerprint(mechanism(other, {}))


def test_the_checkpoint_and_the_node_are_no_part_of_a_mechanism() -> None:
    words = [
        mechanism(claimed(f"checkpoint {name} of {node} is cut off"), {"checkpoint": name, "node": node})
        for name, node in (("step_last", "alpha"), ("best", "beta"))
    ]
    assert words[0] == words[1]


@pytest.mark.parametrize("place", ["", " at /home/ml/train.py:12"])
def test_the_name_of_the_log_is_no_part_of_a_mechanism(place: str) -> None:
    one, other = (
        mechanism(report(root_cause=RootCause(proximate=f"It failed{place}, printed at {log}.", root="r")), {})
        for log in ("slurm-17.out:49", "slurm-18.out:7")
    )
    assert one == other
    assert ("train.py" in one) is bool(place)


def test_nothing_failed_nothing_repeats() -> None:
    assert mechanism(report(primary_cause=None, failure_mode=None), {}) == ""
    assert fingerprint("") is None


def test_one_run_is_known_again_where_it_lies_and_as_a_copy() -> None:
    first = entry(1, run_key="k")
    assert same_run(first, entry(2, run_key="k", place=first.place, mtime=first.mtime))
    assert same_run(first, entry(2, run_key="k", place=first.place, bytes=2_000))
    assert same_run(first, entry(2, run_key="k", mtime=first.mtime))
    assert same_run(entry(1, run_key="k", place=None, mtime=None), entry(2, run_key="k", place=None, mtime=None))
    assert not same_run(first, entry(2, run_key="k", place=first.place, mtime=2_000.0))
    assert not same_run(first, entry(2, run_key="k", mtime=2_000.0))
    assert not same_run(first, entry(2, run_key="other", place=first.place, mtime=first.mtime))


def test_diagnoses_of_one_run_are_one_whatever_links_them() -> None:
    grown = entry(3, run_key="k", place="/runs/a", bytes=2_000)
    first = entry(1, run_key="k", place="/runs/a")
    copied = entry(2, run_key="k", place="/copy", mtime=first.mtime)
    assert runs(grown, Past([first, copied])) == []
    assert runs(entry(9), Past([first, copied, grown])) == [first]


def test_three_failures_on_one_node_while_others_fail_too_point_at_the_node() -> None:
    past = Past([entry(1), entry(2)], elsewhere=True)
    found = recurrence(entry(3), [], past)
    changed = replanned(report(), found, entry(3), past)
    assert "on gpu-09 every time" in found.note
    assert changed.plan[0].action.startswith("Take gpu-09 out of use")
    assert (changed.plan[0].risk, changed.plan[0].proceeds, changed.decision) == ("needs-approval", True, "NO-GO")


@pytest.mark.parametrize(
    "past",
    [
        Past([entry(1), entry(2)], elsewhere=False),
        Past([entry(1)], elsewhere=True),
        Past([entry(1), entry(2, node="gpu-10")], elsewhere=True),
        Past([entry(1, node=None), entry(2, node=None)], elsewhere=True),
    ],
)
def test_a_node_is_not_suspected_on_less(past: Past) -> None:
    changed = replanned(report(), recurrence(entry(3), [], past), entry(3), past)
    assert not [step for step in changed.plan if "out of use" in step.action]


def test_a_checkpoint_that_is_there_every_time_is_named() -> None:
    things = [("checkpoint", "step-100"), ("gpu", "3")]
    past = Past([entry(1)], {entry(1).id: {("checkpoint", "step-100"), ("gpu", "4")}})
    assert recurrence(entry(2), things, past).same_entities == ["checkpoint step-100"]


def test_a_remedy_held_until_the_failure_came_back() -> None:
    past = Past(
        [entry(1), entry(9)], feedback=[said("a", "2026-01-03T02:00:00+00:00"), said("b", "2026-01-20T00:00:00+00:00")]
    )
    first, second = remedies(entry(5), past)
    assert (first.back, first.held) == (True, 3.0)
    assert (second.back, second.held) == (False, 0.0)


def test_a_run_without_a_time_shows_that_a_remedy_failed_but_not_when() -> None:
    now = "2026-03-01T00:00:00+00:00"
    piped = entry(5, seen_at=now, happened_at=now)
    later = entry(5, seen_at="2026-04-01T00:00:00+00:00", happened_at="2026-04-01T00:00:00+00:00")
    past = Past([entry(1)], feedback=[said("a", "2026-01-20T00:00:00+00:00")])
    assert recurrence(piped, [], past).tried == ["a (2026-01-20): it came back"]
    assert recurrence(piped, [], past) == recurrence(later, [], past)


def test_a_traceback_cut_out_of_a_log_and_the_folder_of_its_ranks_are_the_same_run() -> None:
    log = entry(1, said="s")
    same = log.happened_at
    pasted = entry(2, said="s", step=None, happened_at="2026-01-02T09:00:00+00:00")
    piped = entry(2, said="s", place=None, mtime=None, happened_at="2026-01-02T09:00:00+00:00")
    ranks = entry(2, said="s", mtime=1_001.4, happened_at=same)
    folder = entry(2, said="other words", place="/runs", mtime=9_000.0, happened_at=same)
    timed = [entry(n, said="s", printed=f"0{n}:00 | 11:30", mtime=9e3 * n, happened_at=same) for n in (1, 2)]
    for other in (pasted, piped, ranks, folder):
        assert same_failure(log, other)
        assert runs(other, Past([log])) == []
    assert same_failure(*timed)


def test_another_run_that_failed_in_the_same_words_counts() -> None:
    log = entry(1, said="s", printed="10:00 | 11:00")
    near = {"said": "s", "happened_at": log.happened_at}
    for other in (
        entry(2, said="s"),
        entry(2, **near, step=500),
        entry(2, **near, mtime=9_000.0),
        entry(2, **near, printed="12:00 | 13:00"),
        entry(2, said="other", happened_at=log.happened_at),
        entry(2, **near, place=log.place, mtime=9_000.0),
        entry(2, happened_at=log.happened_at, place="/runs/run-10", said=None),
    ):
        assert not same_failure(log, other)
        assert runs(other, Past([log])) == [log]


@pytest.mark.parametrize("pasted_at", [0, 15, 25, 35])
@pytest.mark.parametrize(
    "told",
    [
        [{"printed": f"2{n}T10:00 | 2{n}T11:00"} for n in range(3)],
        [{"step": 400 + n} for n in range(3)],
        [{"mtime": 1_000.0 * n} for n in range(3)],
    ],
)
def test_a_traceback_without_a_time_makes_no_one_run_of_several(told: list[dict[str, object]], pasted_at: int) -> None:
    day = "2026-01-02T09"
    logs = [
        entry(n + 1, said="s", happened_at=f"{day}:{n + 1}0:00+00:00", **told[n])  # each is written ten minutes later
        for n in range(3)
    ]
    pasted = entry(9, said="s", step=None, happened_at=f"{day}:{pasted_at:02}:00+00:00")
    found = recurrence(logs[-1], [], Past([*logs, pasted]))
    assert (found.count, found.runs) == (3, [logs[0].id, logs[1].id] if pasted_at else [pasted.id, logs[1].id])
    assert recurrence(pasted, [], Past(logs)).count == 3


def test_the_same_run_in_another_form_is_no_sign_that_a_remedy_failed() -> None:
    log, pasted = entry(1, said="s"), entry(2, said="s", step=None, happened_at="2026-01-02T09:00:00+00:00")
    past = Past([log], feedback=[said("a", "2026-01-02T08:00:00+00:00")])
    assert recurrence(pasted, [], past).tried == ["a (2026-01-02): too soon to tell whether it helped"]


def test_a_failure_that_is_back_at_once_came_back_within_the_hour() -> None:
    past = Past([entry(1)], feedback=[said("a", "2026-01-06T01:50:00+00:00")])
    assert recurrence(entry(5), [], past).tried == ["a (2026-01-06): it came back within the hour"]


def test_a_remedy_is_promised_only_once_the_failure_stayed_away_for_a_day_from_when_it_was_named() -> None:
    past = Past([entry(1), entry(2)], feedback=[said("painted it", "2026-03-01T00:00:00+00:00")])
    old = entry(3, seen_at="2026-03-01T00:00:09+00:00")
    found = recurrence(old, [], past)
    assert found.tried == ["painted it (2026-03-01): too soon to tell whether it helped"]
    assert not [step for step in replanned(report(), found, old, past).plan if "painted" in step.action]
    later = entry(3, seen_at="2026-03-04T00:00:00+00:00")
    found = recurrence(later, [], past)
    assert found.tried == ["painted it (2026-03-01): it has not come back"]
    assert [step for step in replanned(report(), found, later, past).plan if "painted" in step.action]
