"""A table of exceptions of many libraries, none looked up by name: type, message and the frame that raised decide the class."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from runtriage.detect.exceptions import classify
from runtriage.model.event import EXCEPTION, Event
from runtriage.model.place import Citation
from runtriage.model.taxonomy import modes

pytestmark = pytest.mark.usefixtures("untouched_world")

TABLE = Path(__file__).with_name("exception_classes.csv")
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['type']}: {row['message'][:30]}")
def test_an_exception_of_any_library_falls_into_its_class(row: dict[str, str]) -> None:
    event = Event(
        kind=EXCEPTION,
        name=row["type"],
        citation=Citation(artifact="train.log", first_line=9, last_line=9),
        excerpt=f"{row['type']}: {row['message']}",
        captures={"message": row["message"], "raised_in": row["frames"]},
        step=None if row["phase"] == "before" else 120,
    )
    mode, fixes = classify(event)
    assert modes()[mode].primary_class == row["class"]
    assert fixes


def test_the_table_knows_every_class_that_an_exception_can_show() -> None:
    assert {row["class"] for row in ROWS} >= {
        "cuda-runtime",
        "oom",
        "config-error",
        "io-checkpoint",
        "process-crash",
        "evaluation-mismatch",
        "data-pipeline",
        "nccl-distributed",
        "nan-inf",
        "cloud-permissions-quota",
    }
