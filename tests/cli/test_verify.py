import gzip
import json
from pathlib import Path

import pytest

from tests.cli.running import FAILED, inside, one_line


def _report(folder: Path, *arguments: str) -> None:
    assert inside(*arguments, "-o", "report.json", cwd=folder).returncode == 1


def test_what_did_not_change_holds(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(FAILED)
    _report(tmp_path, "train.log")
    done = inside("verify", "report.json", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("holds")
    assert "train.log:8" in done.stdout


def test_lines_that_were_appended_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(FAILED)
    _report(tmp_path, "train.log")
    (tmp_path / "train.log").write_text(FAILED + "more\n" * 100)
    assert inside("verify", "report.json", cwd=tmp_path).returncode == 0


def test_a_changed_line_is_changed(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(FAILED)
    _report(tmp_path, "train.log")
    (tmp_path / "train.log").write_text(FAILED.replace("row 17", "row 18"))
    done = inside("verify", "report.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "changed" in done.stdout


def test_a_line_that_moved_is_said_to_stand_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(FAILED)
    _report(tmp_path, "train.log")
    (tmp_path / "train.log").write_text("a line put in above\n" + FAILED)
    done = inside("verify", "report.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "moved to line 9: exactly this text stands there now" in done.stdout
    (tmp_path / "train.log").write_text(FAILED.split("\n", 1)[1])
    assert "moved to line 7" in inside("verify", "report.json", cwd=tmp_path).stdout


def test_a_shorter_or_missing_file_is_gone(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run/train.log").write_text(FAILED)
    (tmp_path / "run/other.log").write_text("step 1\n")
    _report(tmp_path, "./run")
    (tmp_path / "run/train.log").write_text("step 1\n")
    assert "gone" in inside("verify", "report.json", cwd=tmp_path).stdout
    (tmp_path / "run/train.log").unlink()
    done = inside("verify", "report.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "no such file" in done.stdout


def test_a_run_that_was_moved_is_found_where_it_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(FAILED)
    _report(tmp_path, "train.log")
    (tmp_path / "kept").mkdir()
    (tmp_path / "train.log").rename(tmp_path / "kept/train.log")
    assert inside("verify", "report.json", cwd=tmp_path).returncode == 1
    assert inside("verify", "report.json", "--target", "kept", cwd=tmp_path).returncode == 0


def test_packed_logs_are_verified_unpacked(tmp_path: Path) -> None:
    (tmp_path / "train.log.gz").write_bytes(gzip.compress(FAILED.encode()))
    _report(tmp_path, "train.log.gz")
    assert inside("verify", "report.json", cwd=tmp_path).returncode == 0


def test_a_pipe_cannot_be_read_again(tmp_path: Path) -> None:
    done = inside("-", "-o", "report.json", cwd=tmp_path, stdin=FAILED)
    assert done.returncode == 1
    done = inside("verify", "report.json", cwd=tmp_path)
    assert done.returncode == 5
    assert "not re-readable" in done.stdout
    (tmp_path / "kept.log").write_text(FAILED)


def test_hidden_places_are_not_called_gone(tmp_path: Path) -> None:
    (tmp_path / "acme.log").write_text(FAILED)
    _report(tmp_path, "acme.log", "--redact", "strict")
    done = inside("verify", "report.json", cwd=tmp_path)
    assert (done.returncode, "gone" in done.stdout) == (5, False)


def test_several_targets_are_found_again(tmp_path: Path) -> None:
    (tmp_path / "a b.log").write_text(FAILED)
    (tmp_path / "c.log").write_text("step 1\n")
    _report(tmp_path, "a b.log", "c.log")
    assert inside("verify", "report.json", cwd=tmp_path).returncode == 0


def test_another_document_is_no_report(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"schema_version": "1.0"}))
    done = inside("verify", "x.json", cwd=tmp_path)
    assert done.returncode == 3
    assert "not a runtriage report" in one_line(done)


def test_a_token_in_the_name_of_a_file_is_not_printed_and_its_citations_are_not_re_readable(tmp_path: Path) -> None:
    token = "hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYz" + "AbCdEfGh"
    (tmp_path / "run").mkdir()
    (tmp_path / f"run/train-{token}.log").write_text(FAILED)
    _report(tmp_path, "./run")
    text = (tmp_path / "report.json").read_text()
    assert token not in text
    assert json.loads(text)["root_evidence"]["artifact"] == "train-hf_[redacted].log"
    assert token not in inside("./run", "--context", "2", cwd=tmp_path).stdout
    done = inside("verify", "report.json", cwd=tmp_path)
    assert done.stdout.startswith("not re-readable")
    assert "hides the name" in done.stdout
    assert "gone" not in done.stdout


STEPS = range(1, 61)


def _loss(step: int) -> str:
    return "NaN" if step > 40 else f"{3 / step:.4f}"


TURNS_NAN = {
    "train.log": "".join(f"step {step} loss={_loss(step)} lr=0.1\n" for step in STEPS),
    "metrics.jsonl": "".join(f'{{"step": {step}, "loss": {_loss(step)}}}\n' for step in STEPS),
    "metrics.csv": "step,train_loss\n" + "".join(f"{step},{_loss(step)}\n" for step in STEPS),
    "history.json": '{"loss": [' + ", ".join(map(_loss, STEPS)) + "]}",
}


@pytest.mark.parametrize("name", TURNS_NAN)
def test_values_of_a_metric_are_read_again_wherever_they_were_printed(tmp_path: Path, name: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / name).write_text(TURNS_NAN[name])
    _report(tmp_path, "./run")
    evidence = json.loads((tmp_path / "report.json").read_text())["evidence"]
    assert "NaN" in evidence[0]["excerpt"]
    assert inside("verify", "report.json", cwd=tmp_path).returncode == 0
    (tmp_path / "run" / name).write_text(TURNS_NAN[name].replace("NaN", "nan"))
    done = inside("verify", "report.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "changed" in done.stdout


def test_a_state_in_a_document_is_read_again(tmp_path: Path) -> None:
    killed = {"terminated": {"reason": "OOMKilled", "exitCode": 137}}
    container = {"name": "trainer", "state": killed, "restartCount": 0, "image": "train:1", "ready": False}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "llm-0", "namespace": "ml"},
        "spec": {"containers": [{"name": "trainer", "image": "train:1"}]},
        "status": {"phase": "Failed", "containerStatuses": [container]},
    }
    (tmp_path / "pods.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [pod]}))
    _report(tmp_path, "pods.json")
    assert inside("verify", "report.json", cwd=tmp_path).returncode == 0
    (tmp_path / "pods.json").write_text((tmp_path / "pods.json").read_text().replace("OOMKilled", "Completed"))
    assert "changed" in inside("verify", "report.json", cwd=tmp_path).stdout


def test_two_claims_about_one_line_are_both_read_again(tmp_path: Path) -> None:
    lines = [f"step {step} loss={_loss(step)} grad_norm={_loss(step)} lr=0.1\n" for step in STEPS]
    (tmp_path / "train.log").write_text("".join(lines))
    _report(tmp_path, "train.log")
    report = json.loads((tmp_path / "report.json").read_text())
    cited = [
        item["citation"] for key in ("evidence", "cascade", "ruled_out") for item in report[key] if item["citation"]
    ]
    assert len(cited) > 1
    assert all(each["sha256"] for each in cited)
    assert inside("verify", "report.json", cwd=tmp_path).returncode == 0
