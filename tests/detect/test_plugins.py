from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtriage.detect.engine import detectors

MODULE = """
from runtriage.detect.engine import Detector

TOASTER = Detector(id="toaster", modes=(), find=lambda facts, catalogue: ())
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install a package that offers a detector."""
    (tmp_path / "toaster_detectors.py").write_text(MODULE, "utf-8")
    record = tmp_path / "toaster-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: toaster\nVersion: 1.0\n", "utf-8")
    (record / "entry_points.txt").write_text("[runtriage.detectors]\ntoaster = toaster_detectors:TOASTER\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    detectors.cache_clear()
    yield record
    detectors.cache_clear()
    sys.modules.pop("toaster_detectors", None)


@pytest.mark.usefixtures("package")
def test_an_installed_package_offers_its_detectors() -> None:
    assert "toaster" in [detector.id for detector in detectors()]


def test_a_package_that_names_another_group_offers_none(package: Path) -> None:
    (package / "entry_points.txt").write_text("[other.detectors]\ntoaster = toaster_detectors:TOASTER\n", "utf-8")

    assert "toaster" not in [detector.id for detector in detectors()]
