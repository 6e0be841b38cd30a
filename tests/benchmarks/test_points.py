"""The files of metric points hold what they say, in every form."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.points import EACH, FORMS

from benchmarks import inputs
from runtriage.api import diagnose


@pytest.mark.parametrize("form", FORMS)
def test_every_number_of_a_generated_file_is_read_back(form: str, tmp_path: Path) -> None:
    name, rows, encoding = FORMS[form]
    inputs.write(tmp_path / name, rows(1000), encoding)
    report = diagnose(tmp_path)
    assert sum(item.total for item in report.metrics if item.name != "step") == 1000
    assert len({item.name for item in report.metrics}) >= EACH
    assert report.primary_cause is None
