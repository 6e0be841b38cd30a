from __future__ import annotations

import sys
import zipfile
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

from runtriage.model.offers import offers

GROUP = "runtriage.toasters"
LISTED = f"[console_scripts]\ntoast = toaster:main\n\n[{GROUP}]\ncrisp = toaster:CRISP\n"


def installed(record: Path, listed: str = LISTED) -> Path:
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: toaster\nVersion: 1.0\n", "utf-8")
    (record / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: toaster\nVersion: 1.0\n", "utf-8")
    (record / "entry_points.txt").write_text(listed, "utf-8")
    return record


@pytest.mark.parametrize("record", ["toaster-1.0.dist-info", "toaster.egg-info", "toaster.egg/EGG-INFO"])
def test_what_a_package_offers_is_found_however_it_was_installed(
    record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = installed(tmp_path / record)
    monkeypatch.syspath_prepend(place.parent)

    assert [entry.value for entry in offers(GROUP)] == ["toaster:CRISP"]


def test_what_a_package_in_an_archive_offers_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = installed(tmp_path / "toaster-1.0.dist-info")
    with zipfile.ZipFile(tmp_path / "toaster.whl", "w") as archive:
        for file in record.iterdir():
            archive.write(file, f"{record.name}/{file.name}")
    monkeypatch.syspath_prepend(tmp_path / "toaster.whl")

    assert [entry.value for entry in offers(GROUP)] == ["toaster:CRISP"]


def test_packages_that_offer_nothing_to_this_one_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path / "toaster-1.0.dist-info", "[console_scripts]\ntoast = toaster:main\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "absent")])
    monkeypatch.setattr(sys, "meta_path", [PathFinder])
    monkeypatch.delitem(sys.modules, "importlib.metadata", raising=False)

    assert offers(GROUP) == []
    assert "importlib.metadata" not in sys.modules


def test_a_package_installed_while_the_program_runs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert offers(GROUP) == []

    installed(tmp_path / "toaster-1.0.dist-info")

    assert len(offers(GROUP)) == 1


def test_packages_found_in_a_way_of_their_own_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    class Finder:
        asked = False

        @classmethod
        def find_distributions(cls, context: object) -> list[object]:
            cls.asked = True
            return []

    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])

    assert offers(GROUP) == []
    assert Finder.asked
