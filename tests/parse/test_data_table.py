"""Tables of training data, in one pass with bounded memory."""

import io
import json
import random

import pytest

from runtriage.model.table import Label
from runtriage.parse.data_table import is_table, profile
from runtriage.targets.fetched import Kept


def table(content: str | bytes, name: str = "d.csv", label: str | None = "label"):
    return profile(name, Kept(content.encode() if isinstance(content, str) else content), label)


def columns(found) -> dict[str, object]:
    return {column.name: column for column in found.columns}


def test_ranges_gaps_and_places_are_exact() -> None:
    found = table("x,label\n1.5,0\n,3\nnan,-1\n2,\n")
    x, label = columns(found)["x"], found.label
    assert (x.present, x.missing, x.nonfinite, x.low, x.high) == (3, 1, 1, 1.5, 2.0)
    assert (x.first_missing, x.first_nonfinite) == (2, 3)
    assert (label.column.low, label.column.high, label.column.integral, label.column.missing) == (-1, 3, True, 1)
    assert (label.low_at.first_line, label.high_at.first_line, label.missing_at.first_line) == (4, 3, 5)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("d.csv", "a;label\n1;2\n3;4\n"),
        ("d.tsv", "a\tlabel\n1\t2\n3\t4\n"),
        ("d.jsonl", '{"a": 1, "label": 2}\n\n{"a": 3, "label": 4}\n'),
        ("d.csv", '\ufeffa,label\r\n"1",2\r\n3,4'),
    ],
)
def test_forms_of_tables(name: str, content: str) -> None:
    found = table(content, name)
    assert (found.rows, found.label.column.low, found.label.column.high, found.cut) == (2, 2.0, 4.0, None)


def test_parquet_is_read_by_its_rows() -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    kept = io.BytesIO()
    parquet.write_table(arrow.table({"x": [1.0, None, 3.0], "label": [0, 1, 7]}), kept)
    found = table(kept.getvalue(), "d.parquet")
    assert (found.rows, found.label.column.high, found.label.high_at.key) == (3, 7.0, "3")
    assert columns(found)["x"].missing == 1
    assert table(kept.getvalue()[:-20], "d.parquet").cut == "is no whole Parquet file"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("d.jsonl", "{\n", "line 1 is no JSON"), ("d.csv", "a,label\n" + "x" * 3_000_000, "has a line of more than 1 MB")],
)
def test_damage_ends_the_pass_and_is_said(name: str, content: str, said: str) -> None:
    assert table(content, name).cut == said


def test_an_empty_table_and_one_without_the_label_are_no_fault() -> None:
    assert (table("").rows, table("a,b\n1,2\n").label) == (0, None)


def test_a_copy_of_the_label_is_told_and_an_identifier_is_not() -> None:
    rows = "".join(f"{n},{n % 7},c{n % 3},{n % 3}\n" for n in range(300))
    assert table("id,noise,copy,label\n" + rows).label.telling == ("copy",)


def _joined(pairs: list[tuple[object, object]]) -> Label:
    found = table("other,label\n" + "".join(f"{one},{two}\n" for one, two in pairs)).label
    assert found is not None
    return found


def test_one_row_that_contradicts_does_not_hide_a_column_that_gives_the_label_away() -> None:
    pairs: list[tuple[object, object]] = [(f"v{n % 2}", n % 2) for n in range(2000)]
    assert _joined([*pairs, ("v0", 1)]).nearly == ("other",)
    assert _joined([*pairs, ("v0", "")]).telling == ("other",)
    assert _joined([*pairs, *[("v0", 1)] * 4]).nearly == ()


@pytest.mark.parametrize(
    "pairs",
    [
        [(n % 7, int(n % 1500 == 0)) for n in range(3000)],
        [(n % 2 if n % 50 else 1 - n % 2, n % 2) for n in range(3000)],
        [(f"user-{n // 3}", n % 2) for n in range(3000)],
        [(n % 2, n % 2) for n in range(40)] + [(0, 1)],
    ],
    ids=["a-rare-label", "a-good-feature", "an-identifier", "few-rows"],
)
def test_a_column_that_goes_with_the_label_for_other_reasons_is_left_alone(pairs: list[tuple[object, object]]) -> None:
    found = _joined(pairs)
    assert (found.telling, found.nearly) == ((), ())


def test_memory_for_shared_rows_is_bounded_and_the_share_is_kept() -> None:
    draw = random.Random(4)
    lines = [f"{draw.random()},{n % 2}\n" for n in range(120_000)]
    one, two = table("x,label\n" + "".join(lines[:80_000])), table("x,label\n" + "".join(lines[60_000:]))
    step = max(one.modulus, two.modulus)
    first, second = ({value for value in each.sample if value % step == 0} for each in (one, two))
    assert len(one.sample) <= 50_000
    assert abs(len(first & second) / len(second) - 1 / 3) < 0.02


def test_a_column_with_many_values_is_not_counted() -> None:
    found = table("x,label\n" + "".join(f"v{n},0\n" for n in range(5_000)))
    assert (columns(found)["x"].distinct, columns(found)["label"].distinct) == (None, 1)


@pytest.mark.parametrize(
    ("name", "told"), [("a.csv.gz", True), ("A.PARQUET", True), ("a.png", False), ("a.json", False)]
)
def test_what_is_a_table(name: str, told: bool) -> None:
    assert is_table(name) is told


def test_nothing_in_a_row_is_more_than_text() -> None:
    hostile = json.dumps({"__class__": "x", "label": {"a": [1]}, "x": "=cmd()"}) + "\n"
    assert table(hostile * 3, "d.jsonl").rows == 3
