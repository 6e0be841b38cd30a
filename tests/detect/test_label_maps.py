"""Maps of labels that one run prints are compared with each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtriage import diagnose
from runtriage.detect.label_maps import find
from runtriage.model.event import Event
from tests.detect.build import CATALOGUE, event, facts, series

ONE, TWO = '"invoice": 0, "memo": 1', '"invoice": 1, "memo": 0'


def printed(line: int, told: str, excerpt: str = "") -> Event:
    return event(
        "signature", "eval/label-mapping.map#label2id", line, captures={"map": told}, excerpt=excerpt or f"{{{told}}}"
    )


@pytest.mark.usefixtures("untouched_world")
def test_the_same_classes_under_other_numbers_are_a_mismatch() -> None:
    (found,) = find(facts(events=[printed(3, ONE), printed(9, TWO)]), CATALOGUE)
    assert found.mode == "eval/label-mapping"
    assert [item.citation.first_line for item in found.evidence] == [9, 3]
    assert found.numbers == {"before": 0.0, "after": 1.0}


@pytest.mark.usefixtures("untouched_world")
@pytest.mark.parametrize(
    ("second", "excerpt"),
    [(ONE, ""), ('"cat": 1, "dog": 0', ""), ('"invoice": 1', ""), (TWO, f"eval map remapped {{{TWO}}}")],
)
def test_equal_maps_other_classes_and_maps_that_were_accounted_for_say_nothing(second: str, excerpt: str) -> None:
    assert list(find(facts(events=[printed(3, ONE), printed(9, second, excerpt)]), CATALOGUE)) == []


@pytest.mark.usefixtures("untouched_world")
def test_an_evaluation_that_goes_well_was_not_ruined_by_its_maps() -> None:
    well = [series("eval_acc", "eval_metric", [0.5, 0.8, 0.93])]
    assert list(find(facts(events=[printed(3, ONE), printed(9, TWO)], curves=well), CATALOGUE)) == []


def test_maps_are_read_from_a_log(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text(
        'label2id={"invoice":0,"contract":1,"memo":2}\n'
        + "".join(f"epoch {n} train_loss={2 / n:.3f} train_acc={1 - 0.3 / n:.3f}\n" for n in range(1, 9))
        + 'evaluating with label2id from labels.txt (sorted): {"contract":0,"invoice":1,"memo":2}\ntest acc 0.031\n',
        encoding="utf-8",
    )
    report = diagnose(str(log))
    assert (report.primary_cause, report.failure_mode) == ("evaluation-mismatch", "eval/label-mapping")
    assert report.root_evidence is not None
    assert report.root_evidence.first_line == 10
