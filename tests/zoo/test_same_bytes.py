"""Every development case, diagnosed twice by programs that share nothing but the files, gives the same document."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from zoo.case import load_cases

pytestmark = pytest.mark.slow

ASK = """
import hashlib, json, sys
from pathlib import Path
from runtriage import api
part = int(sys.argv[2])
for folder in sorted(Path(sys.argv[1]).iterdir())[part::8]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    document = json.loads(api.diagnose(str(files[0] if len(files) == 1 else folder)).to_json())
    for exempt in ("timestamp", "duration_seconds", "run_id"):
        document.pop(exempt, None)
    print(folder.name, hashlib.sha256(json.dumps(document).encode()).hexdigest(), flush=True)
"""


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("cases")
    for case in load_cases("dev"):
        shutil.copytree(case.folder, root / case.name, ignore=shutil.ignore_patterns("truth.json"))
    return root


def _asked(cases: Path, part: int, seed: str, zone: str) -> dict[str, str]:
    around = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(cases), str(part)], env=around, capture_output=True, text=True, check=True
    )
    return dict(line.split() for line in done.stdout.splitlines())


@pytest.mark.parametrize("part", range(8))
def test_two_runs_give_the_same_document_for_every_case(cases: Path, part: int) -> None:
    first, second = _asked(cases, part, "1", "UTC"), _asked(cases, part, "2", "Asia/Tokyo")
    assert len(first) == len(sorted(cases.iterdir())[part::8]) > 0
    assert {name for name, digest in first.items() if second.get(name) != digest} == set()
