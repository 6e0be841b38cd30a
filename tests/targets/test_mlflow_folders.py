"""A store of MLflow is known by the ids of its runs, whatever it is called and from wherever it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtriage import diagnose
from runtriage.targets import TargetError, resolve

RUN = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    run = tmp_path / "tracking" / "7" / RUN
    for name in ("metrics", "params"):
        (run / name).mkdir(parents=True)
    (run / "meta.yaml").write_text(f"run_id: {RUN}\nrun_name: calm\nstatus: 4\nstart_time: 1700000000000\n", "utf-8")
    values = ("nan" if step >= 200 else 2 / (1 + step / 20) for step in range(300))
    lines = (f"{1_700_000_000_000 + 1000 * step} {value} {step}\n" for step, value in enumerate(values))
    (run / "metrics" / "train_loss").write_text("".join(lines), "utf-8")
    (run / "params" / "lr").write_text("0.1", "utf-8")
    return tmp_path / "tracking"


@pytest.mark.parametrize("part", [".", "7", f"7/{RUN}", f"7/{RUN}/"])
def test_it_is_read_as_a_whole_by_experiment_and_by_run(store: Path, part: str) -> None:
    report = diagnose(f"{store}/{part}")
    assert (report.run_status, report.primary_cause) == ("diverged", "nan-inf")
    assert any("step 200" in evidence.claim for evidence in report.evidence)
    assert "lr=0.1" in report.root_cause.contributing


def test_it_is_read_from_within_the_folder_of_a_run(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(store / "7" / RUN)
    assert diagnose(".").primary_cause == "nan-inf"


def test_a_store_of_several_runs_is_refused_with_the_folder_of_one(tmp_path: Path) -> None:
    for letter in "ab":
        run = tmp_path / "mlruns" / "1" / (letter * 32)
        run.mkdir(parents=True)
        (run / "meta.yaml").write_text("status: 4\n", "utf-8")
    for folder in (tmp_path / "mlruns", tmp_path / "mlruns" / "1"):
        with pytest.raises(TargetError, match=f"2 runs of MLflow; give the folder of one: .*{'a' * 32}"):
            resolve([str(folder)])
