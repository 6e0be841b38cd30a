from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from runtriage.api.diagnosis import diagnose
from runtriage.api.history import Memory
from runtriage.model.options import Options
from runtriage.model.report import Report
from runtriage.store.history import History
from runtriage.store.history_entry import Feedback
from runtriage.store.history_listing import Query, page
from tests import unprivileged
from tests.api.history import DAY, Runs, failed


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


def pure(report: Report) -> dict[str, object]:
    """Return a report without the fields that may differ between two diagnoses of the same."""
    content = json.loads(report.to_json())
    return {name: value for name, value in content.items() if name not in {"timestamp", "duration_seconds", "run_id"}}


def test_a_failure_seen_once_is_a_one_off(runs: Runs) -> None:
    found = runs.diagnose(failed()).recurrence
    assert found is not None
    assert (found.count, found.first_seen, found.note) == (1, None, "")


def test_a_run_diagnosed_again_is_not_a_second_failure_and_gives_the_same_bytes(runs: Runs) -> None:
    first = runs.diagnose(failed(), "train.log")
    assert pure(runs.again(runs.folder / "train.log")) == pure(first)
    assert pure(runs.again(runs.folder / "train.log")) == pure(first)


def test_a_run_that_was_copied_or_that_grew_is_still_the_same_run(runs: Runs) -> None:
    runs.diagnose(failed(), "train.log")
    shutil.copy2(runs.folder / "train.log", runs.folder / "copy.log")
    copied = runs.again(runs.folder / "copy.log").recurrence
    grown = runs.diagnose(failed() + "shutting down\n", "train.log").recurrence
    assert copied is not None and grown is not None
    assert (copied.count, grown.count) == (1, 1)


def test_a_record_that_changed_beside_the_state_that_it_cites_is_of_the_same_run(tmp_path: Path) -> None:
    ended = {"terminated": {"reason": "OOMKilled", "exitCode": 137, "finishedAt": "2026-05-14T02:00:00Z"}}
    status = {"phase": "Failed", "containerStatuses": [{"name": "trainer", "state": ended, "image": "train:1"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "llm-0", "namespace": "ml"}, "status": status}
    place, history = tmp_path / "pod.json", tmp_path / "history.sqlite3"
    for resource_version in ("7", "1234567"):
        pod["metadata"] = {"name": "llm-0", "namespace": "ml", "resourceVersion": resource_version}
        place.write_text(json.dumps(pod))
        with Memory(history) as memory:
            report = diagnose(str(place), history=memory)
    assert report.primary_cause == "oom"
    assert report.recurrence is not None
    assert report.recurrence.count == 1
    with sqlite3.connect(history) as database:
        assert database.execute("SELECT DISTINCT happened_at FROM diagnoses").fetchall() == [
            ("2026-05-14T02:00:00+00:00",)
        ]


def test_a_log_written_anew_in_the_same_place_is_another_run(runs: Runs) -> None:
    runs.diagnose(failed(), "train.log")
    found = runs.diagnose(failed(), "train.log").recurrence
    assert found is not None
    assert found.count == 2


def test_the_same_mechanism_in_other_runs_is_counted_and_compared(runs: Runs) -> None:
    ids = [runs.diagnose(failed(row=row), run_id=f"run{row}").run_id for row in (17, 170)]
    report = runs.diagnose(failed(row=3, frame=99))
    found = report.recurrence
    assert found is not None
    assert (found.count, found.same_step, found.runs) == (3, True, ids)
    assert found.first_seen == "2026-01-02T00:00:00+00:00"
    assert found.last_seen == "2026-01-03T00:00:00+00:00"
    assert found.note == "3rd time since 2026-01-02; at step 7 every time"


def test_another_exception_is_another_failure(runs: Runs) -> None:
    runs.diagnose(failed())
    found = runs.diagnose(failed().replace("has no colour", "is far too large for the box")).recurrence
    assert found is not None
    assert found.count == 1


def test_different_steps_are_told_apart(runs: Runs) -> None:
    runs.diagnose(failed(step=7))
    found = runs.diagnose(failed(step=9)).recurrence
    assert found is not None
    assert (found.count, found.same_step) == (2, False)


def test_a_run_that_completes_has_no_recurrence(runs: Runs) -> None:
    text = "".join(f"step {n}/9 loss={9 / n}\n" for n in range(1, 10)) + "Training completed.\n"
    runs.diagnose(text)
    assert runs.diagnose(text).recurrence is None


def test_a_failure_that_comes_back_is_not_to_be_tried_again_unchanged(runs: Runs) -> None:
    once = runs.diagnose(failed())
    report = runs.diagnose(failed())
    assert [step.origin for step in once.plan] == ["catalogue"] * len(once.plan)
    added = [step for step in report.plan if step.origin == "history"]
    assert report.plan[0] == added[0]
    assert "it failed at step 7 both times" in added[0].action
    assert [step for step in report.plan if step.origin != "history"] == once.plan


def diverging(finite: int, last: int) -> str:
    """A run whose loss is no number from some step on, and which goes on to its last step."""
    return "".join(
        f"step {n}/{last} loss={3 - n / 400:.4f} grad_norm={1 + n % 7 / 10:.2f}\n"
        if n < finite
        else f"step {n}/{last} loss=nan grad_norm=nan\n"
        for n in range(10, last + 1, 10)
    )


def test_a_curve_failed_where_it_broke_and_not_where_the_run_stopped_printing(runs: Runs) -> None:
    runs.diagnose(diverging(460, 1190) + "Training finished. Saved to out/final.pt\n")
    report = runs.diagnose(diverging(460, 900))
    assert report.failure_mode == "nan/loss-nonfinite"
    assert report.recurrence is not None
    assert report.recurrence.note.endswith("at step 460 every time")
    advice = next(step for step in report.plan if step.origin == "history")
    assert "it failed at step 460 both times" in advice.action
    assert advice.validate_ == "a run passes step 460 without this failure"


def test_no_run_is_asked_to_pass_its_last_step(runs: Runs) -> None:
    printed = "".join(f"step {n}/90 loss={3 - n / 100:.3f}\n" for n in range(1, 91))
    saving = printed + failed()[failed().index("Traceback") :]
    reports = [runs.diagnose(saving) for _ in range(2)]
    assert (reports[1].last_progress.step, reports[1].run_status, reports[1].observed.ended) == (90, "crashed", True)
    assert (
        reports[1].plan[0].action.startswith("Remove the cause instead of starting it again: 2 runs failed like this")
    )


def test_what_frees_memory_comes_before_where_it_ran_out(runs: Runs) -> None:
    full = failed()[: failed().index("ValueError")] + (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 6.14 GiB. GPU 0 has a total capacity of 39.39 GiB "
        "of which 3.02 GiB is free. Of the allocated memory 33.92 GiB is allocated by PyTorch, and 1.88 GiB is reserved "
        "by PyTorch but unallocated.\n"
    )
    once = runs.diagnose(full)
    report = runs.diagnose(full)
    assert (report.primary_cause, report.plan[:-1]) == ("oom", once.plan)
    assert report.plan[-1].action == (
        "Do not start it again unchanged: it failed at step 7 both times; look at what this step holds in memory"
    )


def test_an_interrupted_run_that_is_interrupted_again_is_no_longer_simply_restarted(runs: Runs) -> None:
    text = "$ python train.py\nstep 1 loss=2\nstep 2 loss=1\n^CTraceback (most recent call last):\n  File \"t.py\", line 3, in <module>\nKeyboardInterrupt\n"  # fmt: skip
    once = runs.diagnose(text)
    again = runs.diagnose(text)
    assert "restart-unchanged" in [step.fix for step in once.plan]
    assert "restart-unchanged" not in [step.fix for step in again.plan]
    assert again.decision == "NO-GO"


def test_what_helped_before_is_proposed_with_how_long_it_held(runs: Runs) -> None:
    first = runs.diagnose(failed(), run_id="first")
    with History(runs.place) as history:
        history.say(
            Feedback(diagnosis=first.run_id, given_at="2026-01-02T12:00:00+00:00", says="fixed", note="painted it")
        )
    runs.count += 9
    report = runs.diagnose(failed())
    assert report.recurrence is not None
    assert report.recurrence.tried == ["painted it (2026-01-02): it came back after 10 days"]
    assert report.plan[0].action == "Make lasting what helped before: painted it"
    assert (report.plan[0].risk, report.plan[0].origin) == ("needs-approval", "history")


def test_what_did_not_help_is_named_and_not_proposed(runs: Runs) -> None:
    runs.diagnose(failed(), run_id="first")
    with History(runs.place) as history:
        history.say(
            Feedback(diagnosis="first", given_at="2026-01-02T12:00:00+00:00", says="fixed", note="turned it off and on")
        )
    report = runs.diagnose(failed())
    assert report.recurrence is not None
    assert report.recurrence.tried == ["turned it off and on (2026-01-02): it came back after 12 hours"]
    assert not [step for step in report.plan if "turned it" in step.action]


def test_a_verdict_that_was_called_wrong_says_so_the_next_time(runs: Runs) -> None:
    runs.diagnose(failed(), "train.log", run_id="first")
    with History(runs.place) as history:
        history.say(
            Feedback(
                diagnosis="first",
                given_at="2026-01-05T00:00:00+00:00",
                says="wrong",
                note="the file was cut",
                cause="io-checkpoint",
            )
        )
    found = runs.again(runs.folder / "train.log").recurrence
    assert found is not None
    assert (
        found.note
        == "an earlier verdict like this was called wrong on 2026-01-05, it was io-checkpoint: the file was cut"
    )


def test_a_look_back_ends_where_the_user_says(runs: Runs) -> None:
    runs.diagnose(failed())
    found = runs.diagnose(failed(), options=Options(as_of=DAY)).recurrence
    assert found is not None
    assert found.count == 1


def test_the_history_holds_no_secret_and_under_strict_redaction_no_name(runs: Runs) -> None:
    secret = failed().replace("has no colour", "token=hunter2hunter2hunter2 has no colour, says /home/alice/paint")
    runs.diagnose(secret, "a.log", run_id="plain")
    runs.diagnose(secret, "secret-project.log", options=Options(strict_redaction=True), run_id="strict")
    with History(runs.place) as history:
        kept = history.documents("strict")
        rows = "\n".join(map(str, history.database.rows("SELECT * FROM diagnoses WHERE id = 'strict'")))
        assert kept is not None
        assert history.entities(["strict"]) == {"strict": set()}
        assert len(history.alike(history.starting("plain")[0].fingerprint or "")) == 2
        for text in (rows, kept[0].decode()):
            assert "secret-project" not in text
            assert "alice" not in text
    content = runs.place.read_bytes()
    assert b"hunter2hunter2" not in content


def test_old_diagnoses_go_when_a_new_one_comes(runs: Runs) -> None:
    with Memory(runs.place, keep=2) as memory:
        for number in range(4):
            path = runs.folder / f"{number}.log"
            path.write_text(failed())
            diagnose(str(path), history=memory)
        assert page(memory.history(), Query(), limit=9)[1] == 2


def faulty(memory: Memory, log: Path) -> tuple[Report, str]:
    with memory:
        report = diagnose(str(log), history=memory)
    assert report.primary_cause is not None
    assert len(memory.faults) == 1
    return report, memory.faults[0]


def test_a_damaged_history_costs_no_report_and_is_left_as_it_is(runs: Runs) -> None:
    (runs.folder / "t.log").write_text(failed())
    for content in (b"nonsense " * 1000, sqlite_cut(runs.folder)):
        runs.place.write_bytes(content)
        report, fault = faulty(Memory(runs.place), runs.folder / "t.log")
        assert report.recurrence is None or report.recurrence.count == 1
        assert fault.startswith(f"history: {runs.place}: ")
        assert "move the file away" in fault
        assert runs.place.read_bytes() == content


def sqlite_cut(folder: Path) -> bytes:
    """Return the bytes of a history whose middle was overwritten."""
    whole = folder / "whole.sqlite3"
    with History(whole):
        pass
    content = bytearray(whole.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    return bytes(content)


def test_a_history_that_others_keep_locked_costs_no_report(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtriage.store.history_database._WAIT", 0.05)
    (runs.folder / "t.log").write_text(failed())
    History(runs.place).close()
    other = sqlite3.connect(runs.place, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    _, fault = faulty(Memory(runs.place), runs.folder / "t.log")
    other.close()
    assert "locked" in fault


def test_a_place_that_cannot_be_made_costs_no_report(runs: Runs) -> None:
    (runs.folder / "t.log").write_text(failed())
    (runs.folder / "file").write_text("")
    _, fault = faulty(Memory(runs.folder / "file" / "history"), runs.folder / "t.log")
    assert "file exists" in fault or "not a directory" in fault


@pytest.mark.server
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://me:hunter2@127.0.0.1:9/runs", "127.0.0.1/runs"),
        ("postgresql://me:hunter2@", "localhost"),
    ],
)
def test_a_server_that_does_not_answer_costs_no_report_and_tells_no_password(runs: Runs, url: str, words: str) -> None:
    (runs.folder / "t.log").write_text(failed())
    _, fault = faulty(Memory(url), runs.folder / "t.log")
    assert words in fault
    assert "hunter2" not in fault


REPORTING = (
    "import resource, signal, sys\n"
    "from pathlib import Path\n"
    "from runtriage.api.diagnosis import diagnose\n"
    "from runtriage.api.history import Memory\n"
    "if sys.argv[3] == 'full':\n"
    "    signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
    "memory = Memory(Path(sys.argv[2]))\n"
    "report = diagnose(sys.argv[1], history=memory)\n"
    "print(report.primary_cause, memory.faults)\n"
)


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux does")
def test_a_full_disk_costs_no_report() -> None:
    with unprivileged.open_folder() as folder:
        (folder / "t.log").write_text(failed())
        done = unprivileged.run(
            ["-c", REPORTING, str(folder / "t.log"), str(folder / "h.sqlite3"), "full"], cwd=Path("/")
        )
        assert done.stderr == ""
        assert " ['history: " in done.stdout
        assert not done.stdout.startswith("None")


@pytest.mark.skipif(sys.platform != "linux", reason="drops rights as Linux does")
def test_a_home_that_cannot_be_written_costs_no_report() -> None:
    with unprivileged.open_folder() as folder:
        (folder / "t.log").write_text(failed())
        folder.chmod(0o555)
        proof = unprivileged.run(["-c", f"open({str(folder / 'x')!r}, 'w')"], cwd=Path("/"))
        assert "PermissionError" in proof.stderr
        place = folder / "state" / "h.sqlite3"
        done = unprivileged.run(["-c", REPORTING, str(folder / "t.log"), str(place), ""], cwd=Path("/"))
        folder.chmod(0o755)
        assert done.stderr == ""
        assert "permission denied" in done.stdout
        assert not place.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="drops rights as Linux does")
def test_a_history_that_may_only_be_read_is_still_read() -> None:
    with unprivileged.open_folder() as folder:
        runs = Runs(folder)
        runs.diagnose(failed())
        (folder / "t.log").write_text(failed())
        runs.place.chmod(0o444)
        folder.chmod(0o555)
        proof = unprivileged.run(["-c", f"open({str(runs.place)!r}, 'r+')"], cwd=Path("/"))
        assert "PermissionError" in proof.stderr
        code = REPORTING + "print(report.recurrence.count)\n"
        done = unprivileged.run(["-c", code, str(folder / "t.log"), str(runs.place), ""], cwd=Path("/"))
        folder.chmod(0o755)
        assert done.stderr == ""
        assert "attempt to write a readonly database" in done.stdout
        assert done.stdout.endswith("\n2\n")


def test_a_curve_that_breaks_in_another_program_is_the_same_kind_and_no_recurrence(runs: Runs) -> None:
    first = runs.diagnose(diverging(460, 1190), name="vision.log")
    with History(runs.place) as history:
        history.say(Feedback(first.run_id, "2026-01-02T01:00:00+00:00", "fixed", "bought a new fan"))
    other = runs.diagnose(diverging(200, 900), name="speech.log")
    again = runs.diagnose(diverging(300, 900), name="speech.log")
    assert first.recurrence is not None and other.recurrence is not None and again.recurrence is not None
    assert first.recurrence.fingerprint == other.recurrence.fingerprint
    assert (other.recurrence.count, other.recurrence.tried) == (1, [])
    assert other.recurrence.note == (
        "the same kind of failure in another run, but nothing shows that it is the same program"
    )
    assert {step.origin for step in other.plan} == {"catalogue"}
    assert again.recurrence.count == 2
