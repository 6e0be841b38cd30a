from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from runtriage.model.report import CitationModel, EvidenceModel
from runtriage.render.github import SUMMARY_BYTES, commands, summary
from tests.render.build import report
from tests.render.large import HOSTILE, full

ACTION = Path(__file__).parents[2] / "action.yml"
COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-zA-Z]+=[^:,]*,?)*)::(.*)")


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """Read a line as the runner does: the command ends at the first `::` after its start."""
    found = COMMAND.fullmatch(line)
    assert found is not None, line
    pairs = (pair.partition("=") for pair in found[2].split(","))
    return found[1], {name: value for name, _, value in pairs}, found[3]


def test_the_first_annotation_is_the_verdict_at_the_line_that_proves_it() -> None:
    level, properties, message = parsed(commands(report()).splitlines()[0])
    assert level == "error"
    assert properties["file"] == "logs/rank37.err"
    assert properties["line"] == properties["endLine"] == "88412"
    assert properties["title"] == "runtriage%3A crashed%2C oom (confidence%3A 0.94)"
    assert message.startswith("Crashed after step 18432: the GPU ran out of memory (rank 37).%0ARank 37 ran")
    assert "First step (needs-approval): Halve the eval batch" in message


def test_a_run_that_completed_is_only_noted() -> None:
    text = commands(report(run_status="completed", primary_cause=None, root_evidence=None, evidence=[], plan=[]))
    assert parsed(text.rstrip("\n"))[0] == "notice"


def test_text_of_a_run_starts_no_command_of_its_own() -> None:
    lines = commands(full(HOSTILE)).split("\n")
    assert lines.pop() == ""
    assert len(lines) == 10
    assert [parsed(line)[0] for line in lines] == ["error"] + ["notice"] * 9
    assert not any("##[" in line for line in lines)


@given(st.text(), st.text())
def test_any_text_stays_one_command_a_line(claim: str, artifact: str) -> None:
    item = EvidenceModel(id="e", claim=claim, citation=CitationModel(artifact=artifact, first_line=1))
    lines = commands(report(evidence=[item], root_evidence=item.citation, summary=claim)).split("\n")
    assert [parsed(line)[1]["line"] for line in lines[:-1]] == ["1"]
    assert not any(ord(letter) < 32 and letter != "\t" for letter in lines[0])


def test_a_summary_stays_below_the_limit_of_its_size() -> None:
    text = summary(full("word " * 5_000))
    assert 10_000 < len(text.encode()) <= SUMMARY_BYTES


def test_a_summary_carries_no_markup_of_the_run() -> None:
    shown = re.sub(r"```.*?```", "", summary(full(HOSTILE)), flags=re.DOTALL)
    assert "<script" not in shown
    assert "<img" not in shown
    assert "\u202e" not in shown


def _step() -> dict[str, Any]:
    return yaml.safe_load(ACTION.read_text())["runs"]["steps"][-1]


def test_inputs_reach_the_action_as_variables_and_never_as_script() -> None:
    steps = yaml.safe_load(ACTION.read_text())["runs"]["steps"]
    assert not any("${{" in step["run"] for step in steps)


@pytest.mark.skipif(os.name == "nt", reason="the action's steps are bash")
def test_the_action_annotates_and_fills_the_summary_of_the_job(tmp_path: Path) -> None:
    binary = tmp_path / "runtriage" / "bin" / "runtriage"
    binary.parent.mkdir(parents=True)
    binary.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m runtriage "$@"\n')
    binary.chmod(0o755)
    log = tmp_path / "a log; touch taken.log"
    log.write_text("step 1 loss=2.5\nTraceback (most recent call last):\nValueError: ::error::row 17 has no colour\n")
    chosen = {"TARGETS": f"{log.name}\n", "FAIL": "false", "PAGE": "page.html", "REDACT": "default"}
    files = {"GITHUB_STEP_SUMMARY": tmp_path / "summary", "GITHUB_OUTPUT": tmp_path / "output"}
    for path in files.values():
        path.touch()
    variables = {
        **os.environ,
        **chosen,
        **{name: str(path) for name, path in files.items()},
        "RUNNER_TEMP": str(tmp_path),
    }
    variables["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", _step()["run"]], cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=120, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert set(chosen) == set(_step()["env"])
    assert parsed(done.stdout.split("\n")[0])[0] == "error"
    assert files["GITHUB_STEP_SUMMARY"].read_text().startswith("## Crashed")
    assert files["GITHUB_OUTPUT"].read_text() == "exit-code=1\n"
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
    assert not (tmp_path / "taken.log").exists()
