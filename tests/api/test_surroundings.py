from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace

from runtriage.api.diagnosis import diagnose
from runtriage.api.surroundings import around
from runtriage.model.options import Options
from runtriage.render.context import lines


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


def test_behind_the_last_line_there_is_none_and_one_place_is_shown_once(tmp_path: Path) -> None:
    assert around(BytesIO(b"one\ntwo\n"), [2], 5)[2] == ["one", "two"]
    assert around(BytesIO(b"one\ntwo"), [2], 5)[2] == ["one", "two"]
    (tmp_path / "train.log").write_text("step 1 loss 2.0\ntorch.OutOfMemoryError: CUDA out of memory.\n", "utf-8")
    found = diagnose(str(tmp_path / "train.log"), options=Options(context=2))
    twice = replace(found, evidence=[found.evidence[0], found.evidence[0]])
    assert [line for line in lines(twice) if line.startswith(">")] == [
        ">       2 | torch.OutOfMemoryError: CUDA out of memory."
    ]


@pytest.mark.parametrize(
    "head",
    [
        [
            "kind: Secret",
            "metadata:",
            "  name: lab",
            "stringData:",
            *(f"  part{at}: b" for at in range(9)),
            "  url: hunter2Xq",
        ],
        ["password: |", *["  a line of it"] * 9, "  hunter2Xq"],
        ["| user | password | note |", "|---|---|---|", *["| ann | pwAnn77 | ok |"] * 9, "| bob | hunter2Xq | n |"],
        ["user,password,note", *["ann,pwAnn77,ok"] * 9, "bob,hunter2Xq,x"],
        [
            "-----BEGIN RSA PRIVATE KEY-----",
            *["MIIEpAIBAAKCAQEA7hQkAbCdEfGhIjKlMnOpQrStUvWxYz0123456789hunter2Xq"] * 12,
        ],
        ["- name: DB_PASSWORD", "  value: hunter2Xq"],
    ],
)
def test_lines_that_are_shown_are_cleaned_by_what_stands_above_them(tmp_path: Path, head: list[str]) -> None:
    lines = ["step 1 loss 2.0", *head, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"]
    (tmp_path / "train.log").write_text("\n".join(lines) + "\n", "utf-8")
    for count in (1, 3):
        report = diagnose(str(tmp_path / "train.log"), options=Options(context=count))
        assert report.evidence and report.evidence[0].context_first_line == len(lines) - count
        assert len(report.evidence[0].context) == count + 1
        assert "hunter2" not in report.to_json()
