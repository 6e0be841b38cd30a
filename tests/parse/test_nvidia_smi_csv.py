"""Samples of nvidia-smi tell of a GPU that keeps slowing down, and of memory that was lost."""

from __future__ import annotations

from tests.parse.documents import parsed

HEADER = "timestamp, index, clocks.current.sm [MHz], clocks_event_reasons.hw_thermal_slowdown, ecc.errors.uncorrected.volatile.total\n"


def samples(*cells: tuple[int, str, int]) -> str:
    rows = [
        f"2026/11/16 10:00:{at:02d}.000, {gpu}, 1410 MHz, {slowed}, {lost}\n"
        for at, (gpu, slowed, lost) in enumerate(cells)
    ]
    return HEADER + "".join(rows)


def told(text: str) -> list[tuple[str, str | None, int | None]]:
    events = parsed("smi.csv", "gpu", text.encode()).events
    return [(event.name, event.subject.gpu, event.citation.first_line) for event in events]


def test_a_gpu_that_keeps_slowing_down_is_named_where_it_began() -> None:
    cool, hot = (0, "Not Active", 0), (3, "Active", 0)
    assert told(samples(cool, (3, "Not Active", 0), hot, cool, hot, hot)) == [("gpu/throttle", "3", 4)]


def test_one_short_slowdown_says_nothing() -> None:
    calm = [(1, "Not Active", 0)] * 5
    assert told(samples(*calm, (1, "Active", 0), *calm)) == []


def test_a_single_sample_is_all_there_is() -> None:
    assert told(samples((1, "Active", 0))) == [("gpu/throttle", "1", 2)]


def test_lost_memory_counts_at_once() -> None:
    assert told(samples((0, "Not Active", 0), (0, "Not Active", 2))) == [("gpu/ecc", "0", 3)]
