from __future__ import annotations

from zoo.diagram import WIDTH, diagram
from zoo.outcome import Outcome


def outcome(confidence: float, right: bool) -> Outcome:
    return Outcome(
        name="a", truth="oom", given="oom" if right else "stalled", healthy=False, status=True, confidence=confidence
    )


def test_a_row_shows_confidence_and_the_share_that_was_right() -> None:
    rows = diagram([outcome(0.5, True), outcome(0.5, False)], bins=1).splitlines()
    assert rows[1].split()[:3] == ["0.50", "2", "50%"]
    assert rows[1].split()[3].count("#") == WIDTH // 2
    assert rows[1].split()[3].index("|") == WIDTH // 2


def test_overconfidence_leaves_a_gap_before_the_mark() -> None:
    bar = diagram([outcome(0.9, False)] * 4, bins=1).splitlines()[1].split()[3]
    assert "#" not in bar
    assert bar.index("|") == round(0.9 * WIDTH)


def test_answers_without_a_class_draw_nothing() -> None:
    assert diagram([]) == "no answer named a class"
