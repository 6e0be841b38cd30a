"""Small logs with a decoy in each, and what must be said about them."""

import csv
from pathlib import Path

import pytest

from runtriage import diagnose

_HERE = Path(__file__).parent


def _rows() -> list[dict[str, str]]:
    lines = (_HERE / "stories.csv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


@pytest.mark.parametrize("story", _rows(), ids=lambda story: story["log"])
def test_the_root_is_found_behind_the_decoy(story: dict[str, str]) -> None:
    report = diagnose(str(_HERE / "logs" / f"{story['log']}.log"))
    if story["status"]:
        assert report.run_status == story["status"]
    if story["status"] == "completed":
        assert report.primary_cause is None
        assert report.root_evidence is None
    if story["class"]:
        assert report.primary_cause == story["class"]
    if story["mode"]:
        assert report.failure_mode == story["mode"]
    if story["line"]:
        assert report.root_evidence is not None
        assert report.root_evidence.first_line == int(story["line"])
    if story["rank"]:
        assert report.culprit.rank == int(story["rank"])


def test_every_log_has_its_answer() -> None:
    assert sorted(path.stem for path in (_HERE / "logs").iterdir()) == sorted(story["log"] for story in _rows())
