"""Healthy logs that end anywhere, also within a line: what was handled, tested or only tried so far is no failure yet."""

from __future__ import annotations

from pathlib import Path

import pytest

import runtriage

HERE = Path(__file__).parent / "healthy" / "recovered"
ANYWHERE = (
    "bad-images-skipped",
    "batch-size-printed-search",
    "benchmark-cells-out-of-memory",
    "evaluator-started-again",
    "models-compared-in-a-table",
    "notice-of-a-cluster",
    "pytest-expected-failures",
    "pytest-live-log",
    "pytest-output-of-passed-tests",
    "readme-quotes-an-oom",
    "td-loss-rises",
    "updates-without-numbers-skipped",
)
"""Logs that show no failure wherever they end: the others print a traceback before they say that they go on."""
CUTS = 8


@pytest.mark.parametrize("name", ANYWHERE)
def test_nothing_is_found_wherever_a_healthy_log_ends(name: str, tmp_path: Path) -> None:
    data = (HERE / f"{name}.log").read_bytes()
    for part in range(1, CUTS):
        log = tmp_path / f"{part}.log"
        log.write_bytes(data[: len(data) * part // CUTS])
        report = runtriage.diagnose(str(log))
        assert report.primary_cause is None, (part, report.root_cause.root)
        assert report.run_status in {"completed", "recovered", "running", "unknown"}, part


FAILING_TESTS = """\
============================= test session starts ==============================
collected 2 items

test_load.py .F                                                          [100%]

=================================== FAILURES ===================================
__________________________________ test_load ___________________________________
Traceback (most recent call last):
  File "/app/test_load.py", line 4, in test_load
    torch.load("model.pt")
RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory
=========================== short test summary info ============================
FAILED test_load.py::test_load - RuntimeError: PytorchStreamReader failed rea...
========================= 1 failed, 1 passed in 0.12s ==========================
"""
EVERY_TRIAL_FAILS = """\
[W 2026-03-02 09:00:00,001] Trial 0 failed with parameters: {'lr': 1.0} because of the following error: RuntimeError('x').
Traceback (most recent call last):
  File "/app/tune.py", line 33, in objective
    model.cuda()
RuntimeError: No CUDA GPUs are available
[W 2026-03-02 09:00:00,002] Trial 0 failed with value None.
[W 2026-03-02 09:00:01,001] Trial 1 failed with parameters: {'lr': 2.0} because of the following error: RuntimeError('x').
Traceback (most recent call last):
  File "/app/tune.py", line 33, in objective
    model.cuda()
RuntimeError: No CUDA GPUs are available
[W 2026-03-02 09:00:01,002] Trial 1 failed with value None.
"""
SKIPPED_THEN_ENDED = """\
2026-03-02 09:00:00,001 WARNING data: skipping a.png: cannot identify image file 'a.png'
Traceback (most recent call last):
  File "/app/train.py", line 33, in <module>
    print(right / total)
ZeroDivisionError: division by zero
"""


@pytest.mark.parametrize("text", [FAILING_TESTS, EVERY_TRIAL_FAILS, SKIPPED_THEN_ENDED])
def test_a_test_that_failed_a_search_without_a_result_and_an_end_behind_a_skip_are_failures(
    text: str, tmp_path: Path
) -> None:
    log = tmp_path / "train.log"
    log.write_text(text, encoding="utf-8")
    assert runtriage.diagnose(str(log)).run_status == "crashed"
