"""The skills are valid, short, installed whole, and every command in them does what they say."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from runtriage.skills.install import FILE, skills
from tests.api.workflow_runs import BUCKET, Run, wave
from tests.cli.running import COMPLETED, FAILED, inside, one_line

PODS = """\
{"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "trainer-0", "namespace": "ml"}, "status": {"phase": "Failed", "containerStatuses":
[{"name": "main", "restartCount": 0, "state": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}]}}]}
"""
BLOCK = re.compile(r"^```bash\n(.*?)^```", re.DOTALL | re.MULTILINE)
WORDS = {"TARGET": "train.log", "PARENT": f"{BUCKET}/runs", "RUN": f"{BUCKET}/runs/toy", "OTHER": f"{BUCKET}/runs/good"}
FAILED_BY_THE_RUN = 1
REFUSED = 2
CACHED_ONLY = 5


def commands(name: str) -> list[str]:
    return [line for block in BLOCK.findall(skills()[name]) for line in block.splitlines() if line.strip()]


CASES = [(name, command) for name in skills() for command in commands(name)]


@pytest.fixture
def ground(tmp_path: Path) -> Path:
    """A folder with everything that the skills' commands name."""
    files = {
        "train.log": FAILED,
        "traceback.txt": FAILED,
        "dmesg.txt": "[    0.000000] Linux version 6.1\n",
        "previous.log": FAILED,
        "events.txt": "LAST SEEN   TYPE      REASON      OBJECT          MESSAGE\n2m          Warning   OOMKilling  pod/trainer-0   Memory cgroup out of memory\n",
        "pods.json": PODS,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    Run(manifest="failed", ledger="failed", waves=[wave("train", 1, "failed", "FAILED", "12", error="FAILED")]).write(
        tmp_path
    )
    Run(name="good", manifest="completed", ledger="succeeded", outputs={"train": 9}).write(tmp_path)
    inside("train.log", "--format", "json", "-o", "report.json", cwd=tmp_path)
    return tmp_path


@pytest.mark.parametrize(("name", "command"), CASES, ids=[f"{name}: {command}" for name, command in CASES])
def test_a_command_of_a_skill_does_what_it_says(ground: Path, name: str, command: str) -> None:
    line, _, source = command.partition("<")
    program, *words = shlex.split(line)
    stdin = (ground / source.strip()).read_text("utf-8") if source else ""

    done = inside(*(WORDS.get(word, word) for word in words), cwd=ground, stdin=stdin)

    assert program == "runtriage"
    if words[0] == "apply":
        assert done.returncode == REFUSED and "is not done" in one_line(done)
        return
    if "--cached" in words:
        assert done.returncode == CACHED_ONLY and "CACHED" in done.stdout
        return
    assert done.returncode in (0, FAILED_BY_THE_RUN), done.stderr
    assert done.stdout or (ground / "report.json").exists()


def test_every_skill_has_commands_and_is_short() -> None:
    assert set(skills()) == {"diagnose-training-run", "diagnose-workload", "debug-workflow-run"}
    for name, text in skills().items():
        assert len(text.splitlines()) < 120
        assert len(commands(name)) >= 4, name


def test_installed_skills_are_valid(tmp_path: Path) -> None:
    done = inside("skills", "install", "--dir", "skills", cwd=tmp_path)

    assert done.returncode == 0
    assert {Path(line).parent.name for line in done.stdout.splitlines()} == set(skills())
    validator = Path(sys.executable).parent / "agentskills"
    for name in skills():
        checked = subprocess.run([validator, "validate", tmp_path / "skills" / name], capture_output=True, check=False)
        assert checked.returncode == 0, checked.stdout


def test_a_changed_skill_stays_unless_it_shall_be_replaced(tmp_path: Path) -> None:
    inside("skills", "install", cwd=tmp_path)
    place = tmp_path / ".agents" / "skills" / "diagnose-workload" / FILE
    place.write_text("mine", "utf-8")

    again = inside("skills", "install", cwd=tmp_path)
    assert again.returncode == 2 and "--replace" in one_line(again)
    assert place.read_text("utf-8") == "mine"

    assert inside("skills", "install", "--replace", cwd=tmp_path).returncode == 0
    assert place.read_text("utf-8") == skills()["diagnose-workload"]


def test_a_healthy_run_is_what_the_first_skill_says(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(COMPLETED, "utf-8")

    assert inside("train.log", "--format", "json", "-o", "report.json", cwd=tmp_path).returncode == 0


def test_the_skills_are_listed(tmp_path: Path) -> None:
    assert inside("skills", "list", cwd=tmp_path).stdout.count("\n") == 3
