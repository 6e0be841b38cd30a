"""Which paths of the Kubernetes API can be asked for: those of one table."""

from __future__ import annotations

import pytest

from runtriage.model import kube
from runtriage.model.artifact import Collected, Empty, Request, Skipped, Unavailable
from runtriage.targets.fetched import Shelf
from runtriage.targets.kube import Cluster
from runtriage.targets.kube_paths import url
from runtriage.targets.kube_reader import KubeError

REQUESTS = (
    kube.pod("ml", "t-0", ""),
    kube.pods("ml", "app=x", ""),
    kube.where("t-0", ""),
    kube.events("ml", "", "t-0"),
    kube.log("ml", "t-0", "main", "", previous=True),
    kube.node("gpu-1", ""),
    kube.nodes(""),
    kube.claim("ml", "data", ""),
    kube.queued("ml", "train", "9b1-7", ""),
    *(kube.owner("ml", kind, "x", "") for kind in kube.PLAIN_PATHS),
)


class Answers:
    """Gives one answer after the other, or raises it."""

    def __init__(self, *answers: bytes | KubeError) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    def get(self, path: str) -> bytes:
        self.asked.append(path)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, KubeError):
            raise answer
        return answer


def cluster(*answers: bytes | KubeError) -> tuple[Cluster, Answers]:
    reads = Answers(*answers)
    return Cluster(reads, Shelf(), pause=lambda _: None), reads


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda item: item.args["path"])
def test_every_request_has_a_path_and_none_leads_to_a_secret(request_: Request) -> None:
    made = url(request_)
    assert made is not None
    assert made.startswith(("/api/v1/", "/apis/"))
    assert "secret" not in made


def test_what_is_not_in_the_table_is_skipped() -> None:
    reads, asked = cluster(b"{}")
    outcome = reads.collect(Request(kind="k8s/secret", args={"namespace": "ml", "name": "x", "path": "x"}))
    assert isinstance(outcome, Skipped)
    assert asked.asked == []


@pytest.mark.parametrize("name", ["../secrets/x", "a/b", "x?watch=1", "A", "", "x" * 300, "a b", "x\n"])
def test_a_name_that_is_none_is_never_asked_for(name: str) -> None:
    reads, asked = cluster(b"{}")
    assert isinstance(reads.collect(kube.pod("ml", name, "")), Skipped)
    assert asked.asked == []


def test_pages_of_a_list_are_followed() -> None:
    first = b'{"kind":"PodList","metadata":{"continue":"a b"},"items":[{"metadata":{"name":"x"}}]}'
    last = b'{"kind":"PodList","metadata":{},"items":[{"metadata":{"name":"y"}}]}'
    reads, asked = cluster(first, last)
    outcome = reads.collect(kube.pods("ml", "app=x", ""))
    assert isinstance(outcome, Collected)
    assert len(outcome.artifacts) == 2
    assert asked.asked[1].endswith("&continue=a%20b")


def test_a_list_without_members_is_empty_not_unreadable() -> None:
    reads, _ = cluster(b'{"kind":"PodList","metadata":{},"items":[]}')
    assert isinstance(reads.collect(kube.pods("ml", "app=x", "")), Empty)


@pytest.mark.parametrize(
    ("status", "kind", "tries"),
    [(403, Unavailable, 1), (401, Unavailable, 1), (404, Empty, 1), (503, Unavailable, 3), (429, Unavailable, 3)],
)
def test_refusals_are_told_apart_and_only_what_passes_is_asked_again(status: int, kind: type, tries: int) -> None:
    reads, asked = cluster(KubeError(status, "because"))
    assert isinstance(reads.collect(kube.pod("ml", "t-0", "")), kind)
    assert len(asked.asked) == tries


def test_a_container_without_a_previous_log_is_no_fault() -> None:
    reads, _ = cluster(KubeError(400, 'previous terminated container "main" in pod "t-0" not found'))
    assert isinstance(reads.collect(kube.log("ml", "t-0", "main", "", previous=True)), Empty)


@pytest.mark.parametrize("spoilt", [KubeError(410, "the continue token has expired"), b"{", b'"x"'])
def test_a_page_that_fails_leaves_the_pages_before_it(spoilt: bytes | KubeError) -> None:
    first = b'{"kind":"PodList","metadata":{"continue":"a"},"items":[{"metadata":{"name":"x"}}]}'
    reads, _ = cluster(first, spoilt)
    outcome = reads.collect(kube.pods("ml", "app=x", ""))
    assert isinstance(outcome, Collected)
    assert len(outcome.artifacts) == 1


def test_a_server_that_is_waited_for_in_vain_is_not_asked_on_and_on() -> None:
    reads, asked = cluster(KubeError(None, "no answer", waited=True))
    outcomes = [reads.collect(kube.node(f"n{number}", "")) for number in range(9)]
    assert all(isinstance(outcome, Unavailable) for outcome in outcomes)
    assert len(asked.asked) == 2
    assert isinstance(outcomes[-1], Unavailable)
    assert "no longer answered" in outcomes[-1].reason


def test_a_slow_answer_once_in_a_while_gives_nothing_up() -> None:
    slow = KubeError(None, "no answer", waited=True)
    reads, _ = cluster(slow, b"{}", slow, b"{}")
    outcomes = [reads.collect(kube.node(f"n{number}", "")) for number in range(4)]
    assert [isinstance(outcome, Unavailable) for outcome in outcomes] == [True, False, True, False]


def test_an_object_that_breaks_off_is_no_object_and_a_log_is_never_one() -> None:
    reads, _ = cluster(b'{"kind": "Pod", "meta')
    assert isinstance(reads.collect(kube.pod("ml", "t-0", "")), Unavailable)
    assert isinstance(reads.collect(kube.log("ml", "t-0", "main", "", previous=False)), Collected)
