import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import COMPLETED, FAILED, inside, runtriage
from tests.redact.planted import cases

LABELS = [
    "Status: ", "Framework: ", "Primary cause: ", "Contributing factors: ", "Evidence:", "Root cause:", "Top fixes:", "Decision: ",
    "Confidence: ", "Next command(s):",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "failed.log").write_text(FAILED)
    return tmp_path


def _pure(text: str) -> str:
    document = json.loads(text)
    for name in ("timestamp", "duration_seconds", "run_id"):
        document.pop(name)
    return json.dumps(document)


def test_the_block_comes_first_and_without_colour_in_a_pipe(folder: Path) -> None:
    done = runtriage("failed.log", cwd=folder)
    lines = done.stdout.split("\n")
    places = [next(number for number, line in enumerate(lines) if line.startswith(label)) for label in LABELS]
    assert places == sorted(places)
    assert places[:5] == [0, 1, 2, 3, 4]
    assert "\x1b" not in done.stdout


def test_nothing_is_written_unless_asked(folder: Path) -> None:
    inside("failed.log", "--no-cache", "--no-history", cwd=folder)
    assert [path.name for path in folder.iterdir()] == ["failed.log"]


def test_same_input_same_bytes(folder: Path) -> None:
    first = runtriage(
        "failed.log", "--format", "json", "--no-cache", cwd=folder, TZ="UTC", LC_ALL="C", PYTHONHASHSEED="1"
    )
    second = runtriage(
        "failed.log", "--format", "json", cwd=folder, TZ="Asia/Tokyo", LC_ALL="C.UTF-8", PYTHONHASHSEED="2"
    )
    third = runtriage("failed.log", "--format", "json", cwd=folder, TZ="Asia/Tokyo", PYTHONHASHSEED="3")
    assert _pure(first.stdout) == _pure(second.stdout) == _pure(third.stdout)


def test_output_file_chooses_the_format_by_its_name(folder: Path) -> None:
    inside("failed.log", "-o", "r.md", cwd=folder)
    inside("failed.log", "-o", "r.txt", cwd=folder)
    inside("failed.log", "-o", "r.data", "--format", "json", cwd=folder)
    assert (folder / "r.md").read_text().startswith("## ")
    assert (folder / "r.txt").read_text().startswith("Status: crashed\n")
    assert json.loads((folder / "r.data").read_text())["primary_cause"] == "data-pipeline"
    assert [path.name for path in folder.iterdir() if path.name.startswith(".r")] == []


def test_out_dir_gets_the_document_of_the_convention(folder: Path) -> None:
    done = inside("failed.log", "--out-dir", "report/new", "--run-id", "r-7", cwd=folder)
    assert done.stdout.startswith("Status: crashed\n")
    document = json.loads((folder / "report/new/check-failed-run.json").read_text())
    assert (document["run_id"], document["run_status"], document["skill_name"]) == (
        "r-7",
        "crashed",
        "check-failed-run",
    )


def test_check_failed_run_has_its_own_habits(folder: Path) -> None:
    (folder / "long.log").write_text("early line\n" * 3000 + FAILED)
    done = inside("check-failed-run", "long.log", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.startswith("Status: crashed\n")
    assert "500 lines" in done.stdout
    assert "long.log:3008" in done.stdout
    assert json.loads((folder / "check-failed-run.json").read_text())["run_status"] == "crashed"


def test_last_limits_what_is_read_and_coverage_says_so(folder: Path) -> None:
    (folder / "late.log").write_text(FAILED + COMPLETED)
    whole = json.loads(inside("late.log", "--format", "json", cwd=folder).stdout)
    tail = json.loads(inside("late.log", "--format", "json", "--last", "5", cwd=folder).stdout)
    assert whole["coverage"]["complete"]
    assert not tail["coverage"]["complete"]
    assert tail["coverage"]["artifacts"][0]["cut"]


def test_standard_input_and_a_pasted_traceback(folder: Path) -> None:
    piped = inside("-", cwd=folder, stdin=FAILED)
    pasted = inside("diagnose", "--traceback", cwd=folder, stdin=FAILED)
    assert piped.returncode == pasted.returncode == 1
    assert "ValueError: the widget in row 17 has no colour" in piped.stdout
    assert "ValueError: the widget in row 17 has no colour" in pasted.stdout


def test_several_files_a_glob_and_a_folder_of_artifacts_are_one_run(folder: Path) -> None:
    for rank in range(3):
        (folder / f"rank{rank}.err").write_text(FAILED if rank == 1 else "step 1\n")
    (folder / "outputs").mkdir()
    (folder / "outputs/config.yaml").write_text("lr: 0.1\n")
    done = inside("rank*.err", "--artifacts", "outputs", "--format", "json", cwd=folder)
    read = {artifact["artifact"] for artifact in json.loads(done.stdout)["coverage"]["artifacts"]}
    assert {"rank0.err", "rank1.err", "rank2.err"} <= read


def test_an_ascii_terminal_gets_ascii(folder: Path) -> None:
    done = runtriage("failed.log", cwd=folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 1
    assert done.stdout.isascii()


def test_help_has_examples_everywhere(folder: Path) -> None:
    for words in (
        [],
        ["diagnose"],
        ["check-failed-run"],
        ["verify"],
        ["explain"],
        *(["signatures", name] for name in ("list", "show", "test", "new")),
    ):
        done = inside(*words, "--help", cwd=folder)
        assert done.returncode == 0
        assert f"  runtriage {' '.join(words)}".rstrip() in done.stdout, words
        assert "\x1b" not in done.stdout


def test_planted_secrets_are_gone_from_every_output(folder: Path) -> None:
    head = [f"RuntimeError: {line}" if "\n" not in line else line for line, _ in cases()]
    (folder / "leaky.log").write_text("\n".join([*head, FAILED]))
    (folder / "config.yaml").write_text("lr: 0.1\nwandb_api_key: abcdef0123456789\n")
    outputs: list[str] = []
    done = runtriage(".", "--context", "300", "--out-dir", "out", cwd=folder, XDG_CACHE_HOME=str(folder / ".cache"))
    outputs += [done.stdout, done.stderr]
    for name in ("json", "markdown"):
        done = inside(".", "--format", name, "--context", "300", cwd=folder)
        outputs += [done.stdout, done.stderr]
    assert done.returncode == 1
    outputs.append((folder / "out/check-failed-run.json").read_text())
    stored = [path.read_bytes().decode("utf-8", "replace") for path in (folder / ".cache").rglob("*") if path.is_file()]
    text = "\n".join([*outputs, *stored])
    assert "the widget in row 17 has no colour" in text
    leaked = [
        secret for _, secret in cases() if len(secret) > 8 and (secret in text or json.dumps(secret)[1:-1] in text)
    ]
    assert leaked == []
    assert "abcdef0123456789" not in text


def test_strict_hides_who_and_where_in_every_output(folder: Path) -> None:
    run = folder / "acme-secret-run"
    run.mkdir()
    (run / "acme.log").write_text(
        "gpu-x17:1:2 [0] NCCL INFO start\n" + FAILED.replace("/home/ml/", "/home/zaphod/acme/")
    )
    for name in ("terminal", "json", "markdown"):
        done = inside(run, "--redact", "strict", "--context", "20", "--format", name, "--out-dir", "out", cwd=folder)
        text = done.stdout + (folder / "out/check-failed-run.json").read_text()
        assert done.returncode == 1
        assert [word for word in ("acme", "zaphod", "gpu-x17", str(folder)) if word in text] == []
        assert "train.py" in text


@pytest.mark.parametrize(
    "name", ["failed.log", "two\nlines\x1b[31m.log", os.fsdecode(b"latin-\xff.log"), "-dash.log", "it's.log"]
)
def test_the_next_command_reads_the_lines_whatever_the_file_is_called(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(FAILED)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "more.log").write_text(COMPLETED)
    given = f"./{name}" if name.startswith("-") else name
    for targets in ([given], [given, "other"], ["."]):
        report = json.loads(inside(*targets, "--format", "json", cwd=tmp_path).stdout)
        read = subprocess.run(
            ["bash", "-c", report["next_commands"][-1]], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert "the widget in row 17 has no colour" in read.stdout, targets


@pytest.mark.parametrize("words", [("failed.log",), ("failed.log", "--format", "json"), ("--version",)])
def test_a_closed_or_full_output_is_no_crash(folder: Path, words: tuple[str, ...]) -> None:
    command = f"{shlex.join([sys.executable, '-m', 'runtriage', *words])}"
    closed = _shell(f"{command} >&-", folder)
    assert closed.stderr == ""
    assert closed.returncode == (0 if words == ("--version",) else 1)
    if Path("/dev/full").exists():
        full = _shell(f"{command} >/dev/full", folder)
        assert full.stderr == "runtriage: standard output: no space left on device\n"
        assert full.returncode == 3


def _shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", command],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "HOME": str(cwd)},
    )


CURVE = "".join(f"step {step} loss {3 - step / 60 if step < 100 else 40 + step:.4f}\n" for step in range(0, 160, 2))


def test_the_curves_of_a_markdown_page_lie_beside_it(folder: Path) -> None:
    (folder / "diverged.log").write_text(CURVE)
    inside("diverged.log", "-o", "r.md", cwd=folder)
    assert "](r.svg)" in (folder / "r.md").read_text()
    assert (folder / "r.svg").read_text().startswith("<svg xmlns=")
    inside("diverged.log", "--format", "markdown", "--out-dir", "out", cwd=folder)
    assert sorted(path.name for path in (folder / "out").iterdir()) == [
        "check-failed-run.json",
        "check-failed-run.md",
        "check-failed-run.svg",
    ]


def test_a_page_without_curves_or_on_a_terminal_has_no_picture(folder: Path) -> None:
    inside("failed.log", "-o", "r.md", cwd=folder)
    (folder / "diverged.log").write_text(CURVE)
    assert "![" not in inside("diverged.log", "--format", "markdown", cwd=folder).stdout
    assert not list(folder.glob("*.svg"))


def test_a_picture_does_not_take_the_place_of_what_is_to_be_read(folder: Path) -> None:
    (folder / "run.svg").write_text(CURVE)
    done = inside("run.svg", "-o", "run.md", cwd=folder)
    assert done.returncode == 2
    assert (folder / "run.svg").read_text() == CURVE


@pytest.mark.parametrize(
    ("kept", "before"),
    [("failed.log", ""), ("config.json", ""), ("notes.md", ""), ("job.log", "Job Status: RUNNING\n")],
)
def test_a_file_of_the_run_is_not_written_over_and_an_earlier_report_is(folder: Path, kept: str, before: str) -> None:
    own = folder / kept
    own.write_text(before + FAILED)
    refused = inside(".", "-o", kept, cwd=folder)
    assert (refused.returncode, own.read_text()) == (2, before + FAILED)
    assert "a file of the run" in refused.stderr
    for name in ("r.json", "r.md", "r.html", "r.txt"):
        assert [inside(".", "-o", name, cwd=folder).returncode for _ in range(2)] == [1, 1]


def test_a_link_that_lies_where_a_report_goes_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    run = tmp_path / "run"
    run.mkdir()
    (run / "failed.log").write_text(FAILED)
    (run / "check-failed-run.json").symlink_to("../mine.txt")
    refused = inside("check-failed-run", "failed.log", "--out-dir", ".", cwd=run)
    assert refused.returncode == 2
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("content", ["", "\n\n\n"])
def test_an_empty_log_is_told_to_be_empty(tmp_path: Path, content: str) -> None:
    (tmp_path / "train.log").write_text(content)
    done = inside("train.log", cwd=tmp_path)
    assert done.returncode == 5
    assert "What was read is empty: the run wrote nothing, or wrote it elsewhere." in done.stdout


def test_feedback_without_a_verdict_names_the_verdicts(tmp_path: Path) -> None:
    done = inside("feedback", "3fa9", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "runtriage: say right, wrong, fixed behind the id: runtriage feedback 3fa9 right\n",
    )
