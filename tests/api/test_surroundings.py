from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from runtriage.api.diagnosis import diagnose
from runtriage.api.surroundings import around
from runtriage.model.options import Options


@pytest.mark.usefixtures("untouched_world")
def test_a_line_that_two_claims_cite_is_read_once() -> None:
    text = BytesIO(b"".join(b"line %d\n" % number for number in range(1, 10)))
    assert around(text, [5, 5, 2], 1) == {
        0: ["line 1"],
        2: ["line 1", "line 2", "line 3"],
        5: ["line 4", "line 5", "line 6"],
    }


def test_a_row_that_is_cited_alone_is_cleaned_by_the_header_of_its_table(tmp_path: Path) -> None:
    rows = (f"{step},{1 / step if step < 60 else 'nan'},hunter2hunter2\n" for step in range(1, 80))
    (tmp_path / "metrics.csv").write_text("step,loss,password\n" + "".join(rows), "utf-8")

    report = diagnose(str(tmp_path / "metrics.csv"), options=Options(context=2))

    assert report.evidence[0].excerpt == "60,nan,[redacted]"
    assert len(report.evidence[0].context) == 5 and "hunter2" not in report.to_json()
