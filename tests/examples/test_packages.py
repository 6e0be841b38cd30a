"""The example packages, installed for real, do what their pages say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.running import FAILED, one_line, runtriage

EXAMPLES = Path(__file__).parents[2] / "examples"
PACKAGES = ("signature-pack", "detector", "renderer", "target-bundle")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Install every example into a folder of its own, as pip does for users, and return the PYTHONPATH that finds them."""
    place = tmp_path_factory.mktemp("installed")
    command = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--offline",
        "--no-build-isolation",
    ]
    packages = [str(EXAMPLES / name) for name in PACKAGES]
    done = subprocess.run([*command, "--target", str(place), *packages], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return os.pathsep.join(filter(None, [str(place), os.environ.get("PYTHONPATH")]))


def test_a_package_offers_signatures(tmp_path: Path, installed: str) -> None:
    (tmp_path / "train.log").write_text(
        'step 1 loss=2\nTraceback (most recent call last):\n  File "/home/ml/a.py", line 8, in main\n    run()\n'
        "toaster.ToasterBusyError: slot 2 is held by process 4711\n",
        "utf-8",
    )

    report = json.loads(runtriage("train.log", "--format", "json", cwd=tmp_path, PYTHONPATH=installed).stdout)

    assert report["failure_mode"] == "cuda/device-busy"
    assert "cuda/device-busy.toaster" in report["hypotheses"][0]["rules"]


def test_a_package_offers_a_detector(tmp_path: Path, installed: str) -> None:
    depths = [8] * 30 + [0] * 20
    lines = [f"step {step} loss={2 - step / 100:.3f} queue_depth={depth}" for step, depth in enumerate(depths, 1)]
    (tmp_path / "train.log").write_text("\n".join(lines) + "\n", "utf-8")

    report = json.loads(runtriage("train.log", "--format", "json", cwd=tmp_path, PYTHONPATH=installed).stdout)

    assert "empty-queue" in [rule for item in report["hypotheses"] for rule in item["rules"]]
    assert any("queue_depth fell to 0 at step 31" in text for text in json.dumps(report).split('"'))


def test_a_package_offers_a_format(tmp_path: Path, installed: str) -> None:
    (tmp_path / "train.log").write_text(FAILED, "utf-8")

    done = runtriage("train.log", "--format", "one-line", cwd=tmp_path, PYTHONPATH=installed)
    unknown = runtriage("train.log", "--format", "one-lines", cwd=tmp_path, PYTHONPATH=installed)

    assert done.stdout.startswith("crashed | ") and done.stdout.count("\n") == 1
    assert "one-line" in one_line(unknown)


def test_a_package_offers_a_kind_of_target(tmp_path: Path, installed: str) -> None:
    with zipfile.ZipFile(tmp_path / "support.zip", "w") as bundle:
        bundle.writestr("logs/train.log", FAILED)
        bundle.writestr("photo.jpg", b"\xff\xd8")

    done = runtriage("bundle:support.zip", "--format", "json", cwd=tmp_path, PYTHONPATH=installed)
    without = runtriage("bundle:support.zip", cwd=tmp_path)
    absent = runtriage("bundle:no-such.zip", cwd=tmp_path, PYTHONPATH=installed)

    report = json.loads(done.stdout)
    assert report["run_status"] == "crashed"
    assert report["root_evidence"]["artifact"] == "logs/train.log"
    assert without.returncode == 2 and "no target scheme" in without.stderr
    assert absent.returncode == 3 and "no-such.zip" in one_line(absent)


@pytest.mark.parametrize("name", PACKAGES)
def test_the_page_of_the_examples_names_each(name: str) -> None:
    assert f"`{name}`" in (EXAMPLES / "README.md").read_text("utf-8")
