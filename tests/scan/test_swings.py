"""Columns that swing wider and wider."""

from __future__ import annotations

import pytest

from tests.scan.reading import read

GROWS = [1.3**n * (-1) ** (n // 2) for n in range(40)]


def told(lines: list[str]) -> list[str]:
    log = "\n".join(["run begins", *lines, ""]).encode()
    return [event.name for event in read(log).events if event.name.startswith("numbers/")]


def table(critic: list[float], size: float = 100.0) -> list[str]:
    return [
        f"{12.8 * (n + 1):7.1f} {size * v:14.3f} {-size * 1.7 * v:14.3f} {size * abs(v):12.3f} {1.5 + n % 3:6.3f}"
        for n, v in enumerate(critic)
    ]


def test_several_columns_that_swing_wider_by_orders_of_magnitude_are_told() -> None:
    assert "numbers/swings" in told(table(GROWS))


@pytest.mark.parametrize(
    "lines",
    [
        table([(-1) ** (n // 2) * (1 + n % 4) for n in range(40)]),
        table(GROWS, 1e-4),
        table(GROWS[:20]),
        [f"{n} {1.3**n:.3f} {1.2**n:.3f} {1.4**n:.3f}" for n in range(40)],
    ],
)
def test_what_keeps_its_size_or_is_small_or_never_changes_its_sign_is_not(lines: list[str]) -> None:
    assert "numbers/swings" not in told(lines)
