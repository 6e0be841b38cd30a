"""Which detectors can find a failure mode."""

from __future__ import annotations

import sys

from runtriage.detect.engine import Detector, detectors
from runtriage.model.page import Finder
from runtriage.model.taxonomy import modes


def finders() -> dict[str, tuple[Finder, ...]]:
    """Return for each mode the detectors that can find it, by id; what one looks for is the first line of its module."""
    found: dict[str, tuple[Finder, ...]] = {}
    for detector in detectors():
        fixes = {**dict.fromkeys(detector.modes, ()), **detector.remedies()}
        for mode in fixes.keys() & modes().keys():
            found[mode] = (*found.get(mode, ()), Finder(detector.id, _what(detector), fixes[mode]))
    return found


def _what(detector: Detector) -> str:
    return (sys.modules[detector.find.__module__].__doc__ or "").strip().partition("\n")[0]
