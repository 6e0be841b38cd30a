"""The runs below a folder of storage."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtriage.parse.workflow.manifest import manifest
from runtriage.targets import workflow_list
from runtriage.targets.objects import FolderStore
from runtriage.targets.workflow_list import Unreadable, manifests

WHOLE = '{"schema_version": "npa.workflow.run.v1", "run_id": "a", "workflow": "w", "steps": []}'


def listed(folder: Path) -> list[str]:
    found = manifests(FolderStore(folder), "", lambda key, name, content: key if manifest(content, name) else None)
    return sorted(f"{one.key}: {one.error.detail}" if isinstance(one, Unreadable) else one for one in found)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")


def test_a_run_whose_manifest_is_torn_or_from_the_future_is_named_and_not_left_out(tmp_path: Path) -> None:
    write(tmp_path / "a/npa-workflow/manifest.json", WHOLE)
    write(tmp_path / "b/npa-workflow/manifest.json", WHOLE[:40])
    write(tmp_path / "c/npa-workflow/manifest.json", WHOLE.replace("v1", "v9"))
    said = "its manifest is cut off or of a kind that is not known"
    assert listed(tmp_path) == ["a", f"b: {said}", f"c: {said}"]


def test_a_manifest_of_something_else_is_no_run(tmp_path: Path) -> None:
    write(tmp_path / "a/manifest.json", '{"name": "app"}')
    write(tmp_path / "a/run-1/npa-workflow/manifest.json", WHOLE)
    assert listed(tmp_path) == ["a/run-1"]


def test_a_run_is_found_however_deep_it_lies(tmp_path: Path) -> None:
    deep = "/".join(f"level-{number}" for number in range(12))
    write(tmp_path / deep / "run-1/npa-workflow/manifest.json", WHOLE)
    write(tmp_path / "run-2/npa-workflow/manifest.json", WHOLE)
    assert listed(tmp_path) == [f"{deep}/run-1", "run-2"]


def test_folders_without_end_are_given_up_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workflow_list, "_FOLDERS", 3)
    write(tmp_path / "a/b/c/d/e/run-1/npa-workflow/manifest.json", WHOLE)
    said = "more than 3 folders: 1 folders, and what lies below them, were not looked into"
    assert listed(tmp_path) == [f"a/b/c/d: {said}"]
