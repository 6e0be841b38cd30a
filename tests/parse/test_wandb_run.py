"""Offline runs of W&B: what they tell whole, cut off and damaged."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtriage
from runtriage.api.verify import verify
from runtriage.parse import wandb_rows
from runtriage.parse.document import Parsed
from runtriage.parse.wandb_rows import Rows
from tests.parse import tracker_files as made
from tests.parse.documents import most_memory, parsed

TRACE = (
    'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    fit()\nValueError: bad label 12\n'
)
CONFIG = made.field(1, made.field(1, "lr") + made.field(16, "0.0005"))
RUN = made.field(17, made.field(1, "abc") + made.field(4, CONFIG))
FAILED = made.field(18, made.field(1, 1) + made.field(2, 7))
DONE = made.field(18, made.field(2, 7))


def steps(count: int) -> list[bytes]:
    return [
        made.history(step, **{"train/loss": str(2 - step / 100), "_timestamp": "1700000000.5"}) for step in range(count)
    ]


def read(content: bytes) -> Parsed:
    return parsed("run-abc.wandb", "metrics", content)


def states(found: Parsed) -> list[str]:
    return [event.captures["state"].raw for event in found.events if event.name == "wandb/run"]


def test_history_becomes_series_with_steps_and_times() -> None:
    (series,) = read(made.offline_run([RUN, *steps(40), DONE])).series
    assert (series.name, series.role, series.total) == ("train/loss", "loss", 40)
    assert (series.points[-1].step, series.points[-1].time) == (39, 1700000000.5)


def test_numbers_that_are_none_in_json_are_read() -> None:
    rows = [made.history(step, loss=value) for step, value in enumerate(["1.5", "NaN", '"Infinity"', '"text"'])]
    (series,) = read(made.offline_run(rows)).series
    assert (series.total, series.nonfinite) == (3, 2)
    assert math.isnan(series.points[1].value)


def test_nested_metrics_have_dotted_names() -> None:
    item = made.field(2, "eval") + made.field(2, "acc") + made.field(16, "0.5")
    (series,) = read(made.offline_run([made.field(2, made.field(1, item) + made.field(2, made.field(1, 9)))])).series
    assert (series.name, series.points[0].step) == ("eval.acc", 9)


def any_order(rng: random.Random, count: int) -> Iterator[bytes]:
    """Yield rows as they are written: names in any order, some missing, some no numbers, some nested."""
    odd = ["NaN", "Infinity", '"-Infinity"', '"text"', "null", "[1,2]", '"' + "x" * 200 + '"']
    for step in range(count):
        items = [made.field(1, made.field(2, f"layer{part}") + made.field(16, repr(rng.random()))) for part in range(5)]
        items += [made.field(1, made.field(2, "_timestamp") + made.field(16, str(1.7e9 + step)))]
        items += [made.field(1, made.field(2, "eval") + made.field(2, "acc") + made.field(16, str(step)))]
        items += [made.field(1, made.field(1, "old") + made.field(16, str(-step)))]
        items += [made.field(1, made.field(2, "odd") + made.field(16, rng.choice(odd)))] * (rng.random() < 0.1)
        items += [made.field(2, made.field(1, step * 3))]
        rng.shuffle(items)
        yield made.field(2, b"".join(items[rng.random() < 0.01 :]))


def test_short_items_taken_in_at_once_are_those_taken_in_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    content = made.offline_run(any_order(random.Random(1), 3_000))
    together = read(content)
    single, taken = Rows._any, list[int]()
    monkeypatch.setattr(Rows, "_any", lambda rows, row, at: taken.append(at) or single(rows, row, at))
    assert repr(read(content)) == repr(together)
    assert len(taken) < 3_600, "nearly only the step of each row is read by itself"
    monkeypatch.setattr(Rows, "_short", lambda rows, row, at: at)
    assert repr(read(content)) == repr(together)
    found = {one.name: one for one in together.series}
    assert {"layer0", "layer4", "eval.acc", "old", "odd"} <= set(found)
    assert found["odd"].nonfinite > 50
    assert found["eval.acc"].points[-1].step == 2_999 * 3


@given(st.binary(max_size=60), st.integers(0, 60))
def test_no_bytes_in_a_row_break_the_reader(noise: bytes, at: int) -> None:
    row = made.field(1, made.field(2, "loss") + made.field(16, "0.5")) * 3
    read(made.offline_run([made.field(2, row), made.field(2, row[:at] + noise + row[at:]), made.field(2, noise)]))


def test_settings_with_a_meaning_are_taken_from_the_configuration() -> None:
    (setting,) = read(made.offline_run([RUN])).settings
    assert (setting.name, setting.value.raw, setting.role) == ("lr", "0.0005", "lr")
    assert (setting.citation.table, setting.citation.key) == ("config", "lr")


def test_memory_of_process_and_gpu_is_a_series_apart_from_the_metrics() -> None:
    sample = made.field(2, made.field(1, 1_700_000_000))
    sample += made.field(3, made.field(1, "gpu.0.memoryAllocatedBytes") + made.field(16, "1024"))
    (series,) = read(made.offline_run([made.field(7, sample)])).series
    assert (series.name, series.role, series.points[0].value) == ("system/gpu.0.memoryAllocatedBytes", "memory", 1024)


@pytest.mark.parametrize(("end", "state"), [([FAILED], "failed"), ([DONE], "finished"), ([], "unclosed")])
def test_the_record_of_the_end_is_the_state(end: list[bytes], state: str) -> None:
    assert states(read(made.offline_run([RUN, *steps(2), *end]))) == [state]


def test_output_is_put_together_from_pieces_of_two_streams() -> None:
    pieces = [
        made.output("step "),
        made.output("warn", 0),
        made.output("1\nstep"),
        made.output("ing\n", 0),
        made.output(" 2\n"),
    ]
    assert read(made.offline_run(pieces)).logs["console"] == b"step 1\nwarning\nstep 2\n"


def test_a_file_that_breaks_off_is_read_as_far_as_it_goes() -> None:
    whole = made.offline_run([RUN, *steps(2000)])
    found = read(whole[: len(whole) * 2 // 3])
    assert 1200 < found.series[0].total < 1500
    assert found.cut is None


def test_a_damaged_block_costs_that_block_and_is_said() -> None:
    damaged = bytearray(made.offline_run([RUN, *steps(2000)]))
    damaged[40_000] ^= 255
    found = read(bytes(damaged))
    assert 1000 < found.series[0].total < 2000
    assert "damaged" in (found.cut or "")


def test_a_record_longer_than_a_block_is_joined() -> None:
    found = read(made.offline_run([made.output("x" * 100_000 + "\n"), *steps(3)]))
    assert len(found.logs["console"]) == 100_001
    assert found.series[0].total == 3


def test_a_failed_run_is_diagnosed_from_its_file_alone(tmp_path) -> None:
    path = tmp_path / "run-abc.wandb"
    path.write_bytes(made.offline_run([RUN, *steps(30), made.output(TRACE, 0), FAILED]))
    report = runtriage.diagnose(str(path))
    assert (report.run_status, report.last_progress.step) == ("crashed", 29)
    assert report.root_evidence is not None
    assert (report.root_evidence.artifact, report.root_evidence.first_line) == ("run-abc.wandb!console", 4)


def test_a_citation_inside_the_file_can_be_verified(tmp_path) -> None:
    path = tmp_path / "run-abc.wandb"
    path.write_bytes(made.offline_run([RUN, *steps(30), made.output(TRACE, 0), FAILED]))
    report = runtriage.diagnose(str(path))
    (before,) = [check for check in verify(report) if check.of.startswith("root")]
    path.write_bytes(made.offline_run([RUN, *steps(30), made.output(TRACE.replace("12", "13"), 0), FAILED]))
    (after,) = [check for check in verify(report) if check.of.startswith("root")]
    assert (before.state, after.state) == ("holds", "changed")


def test_a_run_that_finished_is_no_failure(tmp_path) -> None:
    path = tmp_path / "run-abc.wandb"
    path.write_bytes(made.offline_run([RUN, *steps(30), DONE]))
    report = runtriage.diagnose(str(path))
    assert (report.run_status, report.primary_cause) == ("completed", None)


@given(st.binary(max_size=300), st.integers(0, 300))
def test_no_bytes_break_the_reader(noise: bytes, at: int) -> None:
    whole = made.offline_run([RUN, *steps(3), DONE])
    read(whole[: at + 7] + noise + whole[at + 7 :])
    read(made.offline_run([noise, made.field(2, noise), made.field(17, noise)]))


def test_the_memory_for_a_run_does_not_grow_with_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wandb_rows, "_AT_ONCE", 1 << 14)
    short, long = (made.offline_run(steps(count)) for count in (6_000, 20_000))
    name = "run-abc.wandb"
    read(short)
    assert most_memory(name, "metrics", long) < 1.2 * most_memory(name, "metrics", short)
