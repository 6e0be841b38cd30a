"""Names of statements and of units (`model/event.py` says what each means): the log engine writes them, detectors and the judge read them."""

from __future__ import annotations

from typing import Final

STANDSTILL: Final = "standstill/"
"""Begin of the names of statements about a wait."""
STOOD_AT: Final = f"{STANDSTILL}place"
MOVES: Final = f"{STANDSTILL}moves"
SILENT: Final = f"{STANDSTILL}silent"
BEGUN: Final = f"{STANDSTILL}begun"
ENDING: Final = f"{STANDSTILL}ending"

MISMATCH: Final = "mismatch/"
"""Begin of the names of statements about an evaluation."""

NUMBERS: Final = "numbers/"
"""Begin of the names of statements about numbers that left all bounds."""

BASELINE: Final = "baseline/"
"""Begin of the names of statements about a score that needs no model, or the model before this one."""

OPTIMIZER: Final = "setup/optimizer"
PADDING: Final = "setup/padding-side-right"
DOMINANT: Final = "features/dominant"
PART_SHARES: Final = "parts/shares"

ASKED: Final = "asked/exit-code"
"""Somebody looks at a machine in a shell and asks how a command of that ended: the code that follows is none of the run's."""

STAGE_FAILED: Final = "stages/failed"
STAGE_HANDED: Final = "stages/handed"
STAGE_HOLLOW: Final = "stages/hollow"
STAGE_LATE: Final = "stages/late"
STAGE_EMPTY: Final = "stages/empty"

TESTS_BEGAN: Final = "tests/began"
TESTS_PASSED: Final = "tests/passed"
TESTS_FAILED: Final = "tests/failed"
TESTS_UNFAILED: Final = "tests/unfailed"

TRIALS: Final = "trials/"
"""Begin of the names of units of a search or sweep."""
TRIAL_BEGAN: Final = f"{TRIALS}began"
TRIAL_PASSED: Final = f"{TRIALS}passed"
TRIAL_FAILED: Final = f"{TRIALS}failed"
