import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import unprivileged
from tests.cli.running import COMPLETED, FAILED, inside, one_line, runtriage


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "failed.log").write_text(FAILED)
    (tmp_path / "completed.log").write_text(COMPLETED)
    (tmp_path / "silent.log").write_text("hello\n")
    (tmp_path / "model.pt").write_bytes(b"PK\x03\x04" + bytes(100))
    (tmp_path / "nothing").mkdir()
    return tmp_path


def test_a_failed_run_is_1_and_zero_on_request(folder: Path) -> None:
    assert runtriage("failed.log", cwd=folder).returncode == 1
    done = runtriage("diagnose", "failed.log", "--exit-zero", cwd=folder)
    assert done.returncode == 0
    assert done.stdout.startswith("Status: crashed\n")
    assert done.stderr == ""


def test_a_completed_run_is_0(folder: Path) -> None:
    done = runtriage("completed.log", cwd=folder)
    assert (done.returncode, done.stdout.split("\n")[0]) == (0, "Status: completed")


def test_too_little_to_judge_is_5(folder: Path) -> None:
    assert runtriage("silent.log", cwd=folder).returncode == 5


def test_a_dump_that_is_refused_is_evidence_too_little_and_no_lack_of_access(folder: Path) -> None:
    (folder / "dumps").mkdir()
    (folder / "dumps/nccl_trace_rank_0").write_bytes(pickle.dumps({"entries": [folder]}))
    done = inside("dumps", cwd=folder)
    assert "it was not opened" in done.stdout
    assert done.returncode == 5


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["missing.log"], 3, "no such file"),
        (["faild.log"], 3, "did you mean failed.log"),
        (["nothing"], 3, "no log"),
        (["model.pt"], 3, "PyTorch"),
        (["*.err"], 3, "nothing matches"),
        (["/dev/null"], 3, "device"),
        (["--nosuch", "failed.log"], 2, "--nosuch"),
        (["failed.log", "--last", "0"], 2, "--last"),
        (["failed.log", "--last", "many"], 2, "--last"),
        (["failed.log", "--framework", "pytoch"], 2, "pytorch, lightning, deepspeed, fsdp, tensorflow, jax"),
        (["failed.log", "--task", "regresion"], 2, "classification, regression, language-modeling"),
        (["failed.log", "--format", "xml"], 2, "terminal, json"),
        (["failed.log", "--redact", "hard"], 2, "default, strict"),
        (["failed.log", "--as-of", "yesterday"], 2, "2026-05-14T02:00:00Z"),
        (["failed.log", "--as-of", "2026-05-14T02:00:00"], 2, "zone"),
        (["failed.log", "-o", "no/such/folder.json"], 2, "does not exist"),
        (["failed.log", "-o", "failed.log"], 2, "to be read"),
        (["failed.log", "-o", "nothing"], 2, "is a folder"),
        (["failed.log", "--out-dir", "model.pt"], 2, "is a file"),
        (["failed.log", "--out-dir", "model.pt/sub"], 2, "is a file"),
        (["failed.log", "--signatures", "missing"], 2, "missing"),
        (["--pid", "99999999"], 3, "no such process"),
        (["--wandb", "not a run"], 2, "wandb:"),
        (["--vertex-pipeline", "a b", "--project", "p"], 2, "vertex:"),
        (["s3://bucket/../run"], 2, "s3:"),
        (["diagnose"], 2, "no target"),
        (["verify", "missing.json"], 3, "no such file"),
        (["verify"], 2, "see: runtriage verify --help"),
        (["verify", "failed.log"], 3, "not a runtriage report"),
        (["explain", "oom/cuda-alocc"], 2, "did you mean"),
        (["signatures", "show", "oom/nothing.none"], 2, "no signature"),
        (["signatures", "new", "cats/dogs"], 2, "oom"),
    ],
)
def test_faults_are_one_line_and_the_right_code(folder: Path, arguments: list[str], code: int, words: str) -> None:
    before = sorted(folder.iterdir())
    done = inside(*arguments, cwd=folder)
    assert words in one_line(done)
    assert done.returncode == code
    assert sorted(folder.iterdir()) == before


def test_faults_reach_the_shell(folder: Path) -> None:
    for argument, code in (("missing.log", 3), ("model.pt", 3), ("--nosuch", 2)):
        done = runtriage(argument, cwd=folder)
        assert (done.returncode, bool(one_line(done))) == (code, True)


def test_an_empty_pipe_is_5_and_one_line(folder: Path) -> None:
    done = runtriage("-", cwd=folder, stdin="")
    assert "standard input is empty" in one_line(done)
    assert done.returncode == 5


def test_a_binary_pipe_is_3(folder: Path) -> None:
    done = runtriage("-", cwd=folder, stdin=b"\x80\x02" + bytes(100))
    assert "pickle" in one_line(done)
    assert done.returncode == 3


def test_a_config_that_cannot_be_used_is_2(folder: Path) -> None:
    (folder / "c.toml").write_text('[redact]\nlevl = "strict"\n')
    done = runtriage("failed.log", cwd=folder, RUNTRIAGE_CONFIG=str(folder / "c.toml"))
    assert "did you mean redact.level" in one_line(done)
    assert done.returncode == 2


def test_a_log_that_may_not_be_read_is_4() -> None:
    with unprivileged.open_folder() as folder:
        log = folder / "train.log"
        log.write_text(FAILED)
        log.chmod(0)
        unprivileged.prove_denied(log)
        done = unprivileged.run(["-m", "runtriage", str(log)], cwd=folder)
        assert done.returncode == 4
        assert "permission denied" in one_line(done)


def test_a_folder_that_may_not_be_written_is_2_before_any_work() -> None:
    with unprivileged.open_folder() as folder:
        (folder / "train.log").write_text(FAILED)
        (folder / "locked").mkdir()
        (folder / "locked").chmod(0o555)
        proof = unprivileged.run(["-c", f"open({str(folder / 'locked/x')!r}, 'w')"], cwd=folder)
        assert "PermissionError" in proof.stderr
        for arguments in (["-o", "locked/r.json"], ["--out-dir", "locked/sub"]):
            done = unprivileged.run(["-m", "runtriage", "train.log", *arguments], cwd=folder)
            assert "locked" in one_line(done)
            assert done.returncode == 2


def test_a_folder_that_cannot_be_made_for_a_draft_is_3(folder: Path) -> None:
    (folder / "taken").write_text("a file")
    done = inside("signatures", "new", "oom/x", "--signatures", "taken", cwd=folder)
    assert "taken" in one_line(done)
    assert done.returncode == 3


def test_a_full_disk_leaves_no_partial_report_and_loses_none(folder: Path) -> None:
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "from runtriage.cli.main import main; main(['failed.log', '--no-cache', '-o', 'report.json'])"
    )
    done = unprivileged.run(["-c", code], cwd=folder, env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
    assert done.stderr == "runtriage: report.json: file too large; the report was printed instead\n"
    assert json.loads(done.stdout)["run_status"] == "crashed"
    assert not [path.name for path in folder.iterdir() if "report" in path.name]


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    command = f"{sys.executable} -m runtriage failed.log --no-cache | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "Status: crashed\n1\n"
    assert done.stderr == ""


def test_ctrl_c_is_130_and_quiet(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "runtriage", "-"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(FAILED.encode() * 20_000)
    process.stdin.flush()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors) == (130, b"", b"")


def test_a_fault_of_the_tool_is_not_taken_for_one_of_the_run(folder: Path) -> None:
    code = (
        "import runtriage.api.diagnosis as api\n"
        "def broken(*_, **__): raise ZeroDivisionError('secret detail')\n"
        "api.diagnose = broken\n"
        "from runtriage.cli.main import main; main(['failed.log'])"
    )
    done = unprivileged.run(["-c", code], cwd=folder)
    assert "internal fault (ZeroDivisionError)" in one_line(done)
    assert done.returncode == 70
    assert "secret detail" not in done.stderr


def test_a_report_written_as_json_can_be_read_by_programs(folder: Path) -> None:
    done = runtriage("failed.log", "-o", "report.json", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    report = json.loads((folder / "report.json").read_text())
    assert (report["schema"], report["run_status"]) == ("runtriage.report/1", "crashed")


@pytest.mark.parametrize("name", ["what.json", "pods.json", "metrics.json"])
def test_a_named_file_that_no_reader_understands_is_said_to_be_unread_and_is_5(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text('{"a": 1}\n')
    done = runtriage(name, "--format", "json", cwd=tmp_path)
    coverage = json.loads(done.stdout)["coverage"]
    assert done.returncode == 5
    assert (coverage["files"], coverage["complete"]) == (0, False)
    assert coverage["not_seen"] == [f"{name} (no reader knows what it holds)"]


def test_a_folder_is_not_reproached_with_documents_that_no_reader_understands(folder: Path) -> None:
    (folder / "nothing/what.json").write_text('{"a": 1}\n')
    (folder / "nothing/train.log").write_text(FAILED)
    coverage = json.loads(runtriage("nothing", "--format", "json", cwd=folder).stdout)["coverage"]
    assert (coverage["complete"], coverage["not_seen"]) == (True, [])


@pytest.mark.parametrize(
    "command",
    [
        ["{}"],
        ["compare", "{}", "{}"],
        ["checkpoints", "{}"],
        ["failed.log", "-o", "{}"],
        ["fleet", "{}"],
        ["watch", "{}", "--once"],
        ["verify", "{}"],
        ["apply", "1", "--report", "{}"],
        ["workflow", "status", "{}"],
        ["skills", "install", "--dir", "{}"],
    ],
    ids=lambda words: str(words[0]),
)
def test_a_name_that_no_file_system_takes_is_one_line(folder: Path, command: list[str]) -> None:
    done = inside(*(word.format("a" * 3000) for word in command), cwd=folder)
    assert done.returncode in {2, 3}
    assert "internal fault" not in one_line(done)


NOBODY = "http://127.0.0.1:9"
UNREACHED = {
    "ssh:127.0.0.1:/runs/a.log": {"RUNTRIAGE_SSH": "ssh -p 9"},
    "s3://bucket/run": {"AWS_ENDPOINT_URL": NOBODY, "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"},
    "mlflow:abc": {"MLFLOW_TRACKING_URI": NOBODY},
    "wandb:team/project/run": {"WANDB_API_KEY": "a" * 40, "WANDB_BASE_URL": NOBODY},
    f"ray:{NOBODY}/raysubmit_x": {},
    "sky:1": {"SKYPILOT_API_SERVER_ENDPOINT": NOBODY},
    "runai:cluster/job": {"RUNAI_MCP": f"{NOBODY}/mcp"},
}


@pytest.mark.parametrize("target", UNREACHED)
def test_a_host_that_cannot_be_reached_is_4_for_every_target(target: str, folder: Path) -> None:
    done = runtriage(target, cwd=folder, **UNREACHED[target])
    assert done.returncode == 4, done.stderr
    one_line(done)
