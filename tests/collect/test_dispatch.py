from collections.abc import Sequence

from runtriage.collect import Budget, collect
from runtriage.model.artifact import Artifact, Collected, Empty, Failed, Outcome, Request, Skipped, Unavailable
from runtriage.model.target import ByteStream

ASKED = Request(kind="file", args={"path": "a.log"})
FOUND = tuple(Artifact(path=f"{number}.log", kind="log", size=10) for number in range(3))


class Answering:
    label = "test"

    def __init__(self, answer: Outcome | Exception) -> None:
        self.answer = answer

    def first_requests(self) -> Sequence[Request]:
        return [ASKED]

    def collect(self, request: Request) -> Outcome:
        del request
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def open(self, artifact: Artifact) -> ByteStream:
        raise FileNotFoundError(artifact.path)


def test_an_answer_is_handed_on() -> None:
    for answer in (Empty(ASKED), Unavailable(ASKED, "no rights"), Collected(ASKED, FOUND)):
        assert collect(ASKED, Answering(answer), Budget()) == answer


def test_a_collector_that_breaks_ends_as_a_value_without_its_message() -> None:
    assert collect(ASKED, Answering(ValueError("password=hunter2")), Budget()) == Failed(ASKED, "ValueError")
    assert collect(ASKED, Answering(OSError(5, "Input/output error", "/x")), Budget()) == Failed(
        ASKED, "input/output error"
    )


def test_denied_access_is_unavailable_not_a_fault() -> None:
    assert collect(ASKED, Answering(PermissionError(13, "x")), Budget()) == Unavailable(ASKED, "permission denied")


def test_requests_beyond_the_budget_are_skipped() -> None:
    budget = Budget(requests=1)
    assert isinstance(collect(ASKED, Answering(Empty(ASKED)), budget), Empty)
    assert isinstance(collect(ASKED, Answering(Empty(ASKED)), budget), Skipped)


def test_what_does_not_fit_is_left_out_and_said() -> None:
    outcome = collect(ASKED, Answering(Collected(ASKED, FOUND)), Budget(bytes=25))
    assert isinstance(outcome, Collected)
    assert outcome.artifacts == FOUND[:2]
    assert outcome.cut == "1 files left out, the budget is used up"
    assert isinstance(collect(ASKED, Answering(Collected(ASKED, FOUND)), Budget(artifacts=0)), Skipped)
