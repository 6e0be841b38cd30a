"""What to do about a failed workload, and who can."""

from __future__ import annotations

import pytest

from runtriage.model.taxonomy import WORKLOAD_CATEGORIES
from runtriage.model.workload import Memory, Workload
from runtriage.plan.workload import OWNERS, owner, recommendations, recurring


def workload(signal: str = "", *, occurrences: int = 1, memory: Memory | None = None, restart: str = "") -> Workload:
    return Workload(
        id="w",
        name="job",
        phase="Failed",
        project="p",
        cluster="c",
        signal=signal,
        occurrences=occurrences,
        memory=memory or Memory(),
        restart_policy=restart,
    )


def test_every_category_has_an_owner_and_a_next_step() -> None:
    assert set(OWNERS) == set(WORKLOAD_CATEGORIES)
    assert all(recommendations(category, workload()) for category in WORKLOAD_CATEGORIES)


@pytest.mark.parametrize(
    ("signal", "word", "who"),
    [
        ("manifest unknown", "no such image", "user"),
        ("r.test/a:1: not found", "no such image", "user"),
        ("401 Unauthorized: authentication required", "credentials", "administrator"),
        ("dial tcp: lookup r.test: no such host", "DNS", "administrator"),
        ("x509: certificate signed by unknown authority", "certificate", "administrator"),
        ("toomanyrequests: You have reached your pull rate limit", "rate", "user"),
        ("no matching manifest for linux/arm64: no match for platform in manifest", "architecture", "user"),
        ('Back-off pulling image "r.test/a:1"', "is not known", "user"),
    ],
)
def test_the_registrys_own_words_decide_what_to_do_about_an_image(signal: str, word: str, who: str) -> None:
    found = workload(signal)
    text = " ".join(recommendations("IMAGE_PULL_FAILED", found))
    assert word in text
    assert ("credentials" in text) == (word == "credentials")
    assert owner("IMAGE_PULL_FAILED", found) == who


def test_a_peak_is_compared_with_the_limit_and_nothing_else_is_called_one() -> None:
    measured = workload(memory=Memory(request="8Gi", limit="16Gi", peak=12 * 2.0**30, measured=True))
    assert "75% of it" in recommendations("OOM_KILLED", measured)[0]
    bare = recommendations("OOM_KILLED", workload(memory=Memory(request="8Gi", limit="16Gi", measured=True)))[0]
    assert "no peak was observed" in bare
    assert "%" not in bare


@pytest.mark.parametrize(
    ("policy", "word"), [("OnFailure", "retried"), ("Never", "Submit it again"), ("", "Submit it again")]
)
def test_a_lost_node_is_left_by_the_way_the_restart_policy_opens(policy: str, word: str) -> None:
    assert word in recommendations("NODE_FAILURE", workload(restart=policy))[0]


def test_what_recurs_asks_for_more_than_another_run() -> None:
    assert not recurring(workload())
    assert "recurs" in recommendations("OOM_KILLED", workload(occurrences=2))[-1]


def test_the_failing_line_of_a_log_is_what_to_correct() -> None:
    assert "app.log:7" in recommendations("CRASH_APP_ERROR", workload("x"), line="app.log:7")[0]
