"""What the last lines of an artifact tell where progress prints no time."""

from __future__ import annotations

from tests.scan.reading import read


def log(beats: int) -> bytes:
    bars = [
        f"Epoch 1: {at}/2000 [00:{at // 20:02d}<01:40, 20.00it/s, loss={3 - at / 400:.3f}]" for at in range(0, 400, 40)
    ]
    signs = [f"[sidecar 10:{minute:02d}:00] container healthy" for minute in range(beats)]
    return "\n".join([*bars, *signs, ""]).encode()


def test_the_first_time_behind_untimed_progress_is_kept() -> None:
    (entry,) = [each for each in read(log(12)).progress if each.last_progress is not None]
    assert entry.last_progress_time is None
    assert entry.quiet_since is not None and entry.quiet_since.text == "10:00:00"
    assert entry.last_line_time is not None and entry.last_line_time.text == "10:11:00"


def test_a_lone_metric_with_a_time_does_not_date_the_progress_behind_it() -> None:
    steps = [f"iteration {at}/9999 | global_step: {at} | loss: {5 - at / 100:.3f}" for at in range(0, 80, 4)]
    warning = "[W1119 00:24:41.102847731 socket.cpp:204] [c10d] The hostname cannot be retrieved. err=-3"
    saved = "[NeMo I 2026-11-19 00:31:28 nemo_logging:393] Async checkpoint save finalized."
    lines = [*steps[:8], warning, *steps[8:14], saved, *steps[14:], ""]
    (entry,) = [each for each in read("\n".join(lines).encode()).progress if each.last_progress is not None]
    assert entry.last_step == 76
    assert (entry.last_progress_time, entry.quiet_since) == (None, None)
