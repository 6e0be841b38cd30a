"""A log that ends in what it says over and over, in any words: whether the run stands is told by the rhythm it had before."""

from __future__ import annotations

from pathlib import Path

import pytest

import runtriage

STEPS = [f"10:00:{at:02d} step {at * 10} loss {3 / (1 + at):.3f}" for at in range(1, 20)]
UNTIMED = [line[9:] for line in STEPS]


def minutes(words: str, count: int, every: int = 5, first: int = 25) -> list[str]:
    times = [first + every * at for at in range(count)]
    return [f"10:{at // 60:02d}:{at % 60:02d} {words}" for at in times]


def cause(folder: Path, *lines: str) -> tuple[str | None, str]:
    log = folder / "train.log"
    log.write_text("\n".join([*lines, ""]), encoding="utf-8")
    report = runtriage.diagnose(str(log))
    return report.primary_cause, report.run_status


@pytest.mark.parametrize(
    "lines",
    [
        [*STEPS, *minutes("replay holds 46 transitions, a batch takes 64", 12)],
        [*STEPS, *minutes("device: util 0% mem 21344MiB", 12)],
        [*UNTIMED, *(f"tick {at}: step=190 pending=0" for at in range(20))],
        [*UNTIMED, *(f"[watch] last batch came back {at} s ago" for at in range(70, 700, 70))],
        [*UNTIMED, *[f"({at % 2}) step 200: 2 of 3 here" for at in range(16)]],
        ["booting", *["the data thread has not signalled"] * 18],
        [*STEPS, "10:05:30 wrapper: the command exceeded its 300 s, exit 124"],
        [*(f"10:00:{at:02d} ep 1 b {at} l {1 / (1 + at):.3f}" for at in range(40)), "10:05:30 limit: exit 124"],
    ],
)
def test_what_is_said_over_and_over_behind_work_is_a_standstill(tmp_path: Path, lines: list[str]) -> None:
    assert cause(tmp_path, *lines) == ("stalled", "hung")


@pytest.mark.parametrize(
    "lines",
    [
        [*STEPS, *minutes("replay holds 46 transitions, a batch takes 64", 3)],
        [
            *STEPS,
            *minutes("evaluated 5 questions", 1),
            *(minutes(f"eval {at}/900", 1, 5, at)[0] for at in range(30, 59)),
        ],
        [*(f"10:{at:02d}:{beat * 10:02d} alive n={at}" for at in range(1, 9) for beat in range(5))],
        [*UNTIMED, *["UserWarning: the tracker buffers this value"] * 10],
        ["ready", *["no new checkpoint, next look in 60 s"] * 40],
        [*STEPS, "training finished", *minutes("dashboard alive", 30)],
    ],
)
def test_what_moves_on_was_done_or_is_said_for_a_moment_is_none(tmp_path: Path, lines: list[str]) -> None:
    assert cause(tmp_path, *lines)[0] is None


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (
            ["config: lr=3e-4 max_steps=200", *(f"step={at} loss={9 / at:.3f}" for at in range(10, 201, 10))],
            "completed",
        ),
        (["config: lr=3e-4 max_steps=900", *(f"step={at} loss={9 / at:.3f}" for at in range(10, 201, 10))], "unknown"),
        ([f"Epoch [{e}/3], Step [{s}/50], Loss: {1 / e:.3f}" for e in (1, 2, 3) for s in (25, 50)], "completed"),
        ([f"Epoch [{e}/9], Step [{s}/50], Loss: {1 / e:.3f}" for e in (1, 2, 3) for s in (25, 50)], "unknown"),
        ([f"epoch {e} of 6: train {1 / (e + 1):.3f} val {1.1 / (e + 1):.3f}" for e in range(6)], "completed"),
        ([f"epoch {e} of 6: train {1 / e:.3f} val {1.1 / e:.3f}" for e in range(1, 6)], "unknown"),
    ],
)
def test_a_target_that_was_reached_completes_a_run(tmp_path: Path, lines: list[str], status: str) -> None:
    assert cause(tmp_path, *lines) == (None, status)


def timed(gaps: list[float]) -> list[str]:
    at, lines = 0.0, list[str]()
    for step, gap in enumerate(gaps, 1):
        at += gap
        lines.append(f"09:{int(at) // 60:02d}:{at % 60:06.3f} step {step} loss {3 / step:.4f}")
    return [*lines, "training finished"]


def test_steps_that_take_many_times_as_long_by_the_clock_alone_are_a_collapse(tmp_path: Path) -> None:
    assert cause(tmp_path, *timed([0.1] * 40 + [2.0] * 40)) == ("stalled", "degraded")


@pytest.mark.parametrize(
    "gaps",
    [[0.1] * 80, [*[0.1] * 40, 60.0, *[0.1] * 40], ([0.1] * 9 + [5.0]) * 8, [2.0] * 40 + [0.1] * 40],
)
def test_a_pause_an_evaluation_now_and_then_and_a_slow_beginning_are_none(tmp_path: Path, gaps: list[float]) -> None:
    assert cause(tmp_path, *timed(gaps))[0] is None


def test_a_wait_for_data_that_grows_to_most_of_a_step_is_a_collapse(tmp_path: Path) -> None:
    waits = [0.01] * 40 + [0.8] * 40
    lines = [f"step={at} loss={3 / (1 + at):.4f} data_wait={wait:.3f}s" for at, wait in enumerate(waits)]
    assert cause(tmp_path, *lines, "training finished") == ("stalled", "degraded")


def test_a_claim_about_a_silence_or_a_place_is_not_that_the_line_speaks_of_a_wait(tmp_path: Path) -> None:
    for lines in (
        [*STEPS, *minutes("device: util 0% mem 21344MiB", 12)],
        [*STEPS, "10:05:30 wrapper: the command exceeded its 300 s, exit 124"],
    ):
        log = tmp_path / "train.log"
        log.write_text("\n".join([*lines, ""]), encoding="utf-8")
        claims = [item.claim for item in runtriage.diagnose(str(log)).evidence]
        assert claims
        assert not any("says itself" in claim for claim in claims)


def test_what_exceeded_a_quota_did_not_last_too_long(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("\n".join([*STEPS, "10:00:45 OSError: [Errno 122] Disk quota exceeded", ""]), encoding="utf-8")
    report = runtriage.diagnose(str(log))
    assert report.failure_mode == "io/quota"
    assert not any(item.cause == "stalled" for item in report.ruled_out)
