import json
from dataclasses import replace
from pathlib import Path

import pytest
from zoo.execute import Ran, execute
from zoo.layout import Limits, Program, Signal, ZooError, load_program
from zoo.record import record, refresh_truth

VENV = Path("/nowhere")


def run(tmp_path: Path, program: Program) -> Ran:
    workdir = tmp_path / "run"
    workdir.mkdir()
    return execute(program, VENV, workdir)


def program(tmp_path: Path, command: str) -> Program:
    folder = tmp_path / "a-program"
    folder.mkdir(exist_ok=True)
    return Program(folder=folder, command=command, timeout=20)


def test_both_streams_of_a_run_go_to_one_log_in_order(tmp_path: Path):
    ran = run(tmp_path, program(tmp_path, "echo one; echo two >&2; echo three; exit 3"))
    assert ran == Ran(3, {"train.log": b"one\ntwo\nthree\n"})


def test_streams_asked_to_be_separate_are_two_files(tmp_path: Path):
    ran = run(tmp_path, replace(program(tmp_path, "echo out; echo err >&2"), streams="separate"))
    assert ran.files == {"stderr.log": b"err\n", "train.log": b"out\n"}


def test_a_death_by_signal_has_the_exit_code_a_shell_shows(tmp_path: Path):
    assert run(tmp_path, program(tmp_path, "kill -KILL $$")).exit_code == 137


def test_the_program_and_its_files_lie_in_a_fresh_folder_without_their_description(tmp_path: Path):
    one = replace(program(tmp_path, "ls"), script="main.py")
    for name in ("program.py", "program.toml", "truth.json", "data.csv"):
        (one.folder / name).write_text("", encoding="utf-8")
    assert run(tmp_path, one).files["train.log"] == b"data.csv\nmain.py\n"


def test_a_run_that_is_to_hang_is_recorded_while_it_still_runs(tmp_path: Path):
    one = replace(program(tmp_path, "echo waiting; sleep 60"), ends="timeout", timeout=0.4)
    assert run(tmp_path, one) == Ran(None, {"train.log": b"waiting\n"})


def test_a_run_that_was_to_hang_and_ends_is_refused(tmp_path: Path):
    with pytest.raises(ZooError, match="was to hang"):
        run(tmp_path, replace(program(tmp_path, "true"), ends="timeout"))


def test_a_run_that_does_not_end_in_time_is_refused(tmp_path: Path):
    with pytest.raises(ZooError, match="still ran"):
        run(tmp_path, replace(program(tmp_path, "sleep 60"), timeout=0.3))


def test_a_signal_comes_once_its_line_was_printed(tmp_path: Path):
    # The signal goes to a Python process; a copied shell stands in for one by its name.
    one = replace(
        program(
            tmp_path,
            "cp /bin/bash python; ./python -c 'trap \"echo bye; exit 7\" TERM; echo step 3; while :; do sleep 0.05; done'",
        ),
        signal=Signal(after="step 3", name="SIGTERM"),
    )
    assert run(tmp_path, one) == Ran(7, {"train.log": b"step 3\nbye\n"})


def test_files_to_keep_come_back_and_must_exist(tmp_path: Path):
    one = replace(program(tmp_path, "mkdir logs; echo x > logs/0.err"), keep=("logs/*.err",))
    assert run(tmp_path, one).files["logs/0.err"] == b"x\n"
    (tmp_path / "again").mkdir()
    with pytest.raises(ZooError, match="nothing to keep"):
        run(tmp_path / "again", replace(one, command="(true)"))


def test_a_limit_holds_inside_the_run(tmp_path: Path):
    ran = run(tmp_path, replace(program(tmp_path, "ulimit -n"), limits=Limits(open_files=77)))
    assert ran.files["train.log"] == b"77\n"


def test_an_unknown_key_in_a_description_is_named(tmp_path: Path):
    (tmp_path / "program.toml").write_text('command = "true"\nretries = 3\n', encoding="utf-8")
    with pytest.raises(ZooError, match="retries"):
        load_program(tmp_path)


def test_a_run_with_another_exit_code_than_declared_is_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    one = program(tmp_path, "echo step 1; exit 4")
    (one.folder / "truth.json").write_text(json.dumps({"exit_code": 1, "roots": []}), encoding="utf-8")
    monkeypatch.setattr("zoo.venvs.ensure_venv", lambda _name: VENV)
    monkeypatch.setattr("zoo.venvs.base_prefix", lambda _venv: "/nowhere/python")
    with pytest.raises(ZooError, match="exit code 4, declared 1"):
        record(one, tmp_path / "recordings")
    assert not (tmp_path / "recordings").exists()


def test_a_recording_holds_the_log_and_the_resolved_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    one = replace(program(tmp_path, "echo step 41; pwd; exit 1"), last_step=r"step (\d+)")
    truth = {"exit_code": 1, "roots": [{"file": "train.log", "pattern": "^/home"}], "last_step": None}
    (one.folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    monkeypatch.setattr("zoo.venvs.ensure_venv", lambda _name: VENV)
    monkeypatch.setattr("zoo.venvs.base_prefix", lambda _venv: "/nowhere/python")
    record(one, tmp_path / "recordings")
    folder = tmp_path / "recordings" / "a-program"
    assert (folder / "train.log").read_text(encoding="utf-8") == "step 41\n/home/ml/project\n"
    resolved = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    assert (resolved["roots"][0]["line"], resolved["last_step"]) == (2, 41)


def test_the_truth_of_a_recording_is_refreshed_without_running_its_program(tmp_path: Path):
    one = program(tmp_path, "echo never run")
    truth = {"exit_code": 1, "roots": [{"file": "train.log", "pattern": "second"}], "trap": "new words"}
    (one.folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    folder = tmp_path / "recordings" / "a-program"
    folder.mkdir(parents=True)
    (folder / "train.log").write_text("first\nsecond\n", encoding="utf-8")
    (folder / "truth.json").write_text("{}", encoding="utf-8")
    refresh_truth(one, tmp_path / "recordings")
    resolved = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    assert (resolved["roots"][0]["line"], resolved["trap"]) == (2, "new words")
    assert (folder / "train.log").read_text(encoding="utf-8") == "first\nsecond\n"
