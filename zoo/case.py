"""One scored case: its folder, what is handed to the diagnosis, and its truth."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from zoo.layout import RECORDINGS, ZOO

CASES = ZOO / "cases"


@dataclass(frozen=True, slots=True)
class Case:
    """A recording or a made case."""

    folder: Path
    truth: dict[str, Any]

    @property
    def name(self) -> str:
        """The name its truth gives."""
        return self.truth["name"]

    @property
    def files(self) -> list[Path]:
        """What is handed over, in order of name: everything but the truth."""
        truth = self.folder / "truth.json"
        return [path for path in sorted(self.folder.rglob("*")) if path.is_file() and path != truth]

    def lines(self, file: str, numbers: range) -> list[str]:
        """The asked lines of one file, as far as they exist; ``file`` may have folders in front."""
        named = [path for path in self.files if f"/{file}".endswith(f"/{path.relative_to(self.folder).as_posix()}")]
        if not named:
            return []
        lines = named[0].read_bytes().decode("utf-8", errors="replace").split("\n")
        return [lines[number - 1] for number in numbers if 1 <= number <= len(lines)]


def load_cases(split: str | None = None, names: tuple[str, ...] = ()) -> list[Case]:
    """Every recorded and made case of a split (None: of both), by name."""
    found: list[Case] = []
    for path in [*RECORDINGS.rglob("truth.json"), *CASES.rglob("truth.json")]:
        truth = json.loads(path.read_text(encoding="utf-8"))
        if (split is None or truth["split"] == split) and (not names or truth["name"] in names):
            found.append(Case(path.parent, truth))
    return sorted(found, key=lambda case: (case.name, str(case.folder)))


@contextmanager
def handed_over(case: Case) -> Generator[Path]:
    """The path a diagnosis is given: the one file, or a copy of the folder that lacks the truth."""
    files = case.files
    if len(files) == 1:
        yield files[0]
        return
    with TemporaryDirectory(prefix="zoo-case-") as scratch:
        folder = Path(scratch) / "run"
        shutil.copytree(case.folder, folder, ignore=lambda at, _: {"truth.json"} if Path(at) == case.folder else set())
        yield folder
