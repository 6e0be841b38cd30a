from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.cli.running import COMPLETED, FAILED, inside, one_line

DAY = 86_400
FIRST = 1_767_225_600


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with three runs, a day apart, all of which were diagnosed: the second completed."""
    for number, text in enumerate((FAILED, COMPLETED, FAILED)):
        path = tmp_path / f"run-{number}.log"
        path.write_text(text)
        os.utime(path, (FIRST + number * DAY, FIRST + number * DAY))
        inside(path.name, "--run-id", f"{number}abc{number}", cwd=tmp_path)
    return tmp_path


def test_a_second_failure_says_that_it_was_seen_before(folder: Path) -> None:
    done = inside("run-2.log", cwd=folder)
    assert "Seen before: 2nd time since 2026-01-01; at step 2 every time" in done.stdout
    pure = inside("run-2.log", "--no-history", cwd=folder)
    assert "Seen before" not in pure.stdout
    assert done.returncode == pure.returncode == 1


def test_without_history_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(FAILED)
    inside("a.log", "--no-history", "--no-cache", cwd=tmp_path)
    (tmp_path / "config.toml").write_text("[history]\nenabled = false\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RUNTRIAGE_CONFIG", str(tmp_path / "config.toml"))
        inside("a.log", "--no-cache", cwd=tmp_path)
        assert "switched off" in one_line(inside("history", "list", cwd=tmp_path))
    assert not (tmp_path / ".state").exists()


def test_the_config_says_where_the_history_lies(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(FAILED)
    (tmp_path / "config.toml").write_text('[history]\npath = "kept/h.sqlite3"\nkeep_days = 3\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RUNTRIAGE_CONFIG", str(tmp_path / "config.toml"))
        inside("a.log", cwd=tmp_path)
        assert (tmp_path / "kept/h.sqlite3").exists()
        for text, words in (
            ('path = "postgresql://me:secret@host/db"', "PGPASSWORD"),
            ('path = "mysql://host/db"', "postgresql:// URL"),
            ("keep = 0", "history.keep"),
        ):
            (tmp_path / "config.toml").write_text(f"[history]\n{text}\n")
            line = one_line(inside("history", "list", cwd=tmp_path))
            assert words in line
            assert "secret" not in line


def test_the_list_shows_what_fits(folder: Path) -> None:
    everything = inside("history", "list", cwd=folder).stdout.splitlines()
    assert len(everything) == 1 + 3 and everything[0].split()[0] == "id"
    assert len(inside("history", "list", "--status", "completed", cwd=folder).stdout.splitlines()) == 1 + 1
    assert "... and 2 more" in inside("history", "list", "-n", "1", cwd=folder).stdout
    assert "no diagnosis fits" in inside("history", "list", "--node", "n", cwd=folder).stdout
    found = inside("history", "search", "widget RUN-2", "--json", cwd=folder).stdout.splitlines()
    assert [json.loads(line)["id"] for line in found] == ["2abc2"]
    for day in ("monday", "2026-05-01T12:00", "20260501"):
        assert "write it as 2026-05-01" in one_line(inside("history", "list", "--since", day, cwd=folder))


def test_a_report_is_shown_again_by_the_start_of_its_id(folder: Path) -> None:
    shown = inside("history", "show", "0ab", "--format", "json", cwd=folder)
    assert json.loads(shown.stdout)["target"] == "run-0.log"
    assert shown.returncode == 0
    missing = inside("history", "show", "zzz", cwd=folder)
    assert missing.returncode == 3
    assert "no diagnosis 'zzz'" in one_line(missing)


def test_an_export_holds_every_report_and_what_was_said(folder: Path) -> None:
    inside("feedback", "2abc", "wrong", "the row was fine", "--cause", "oom", cwd=folder)
    inside("history", "export", "-o", "all.jsonl", cwd=folder)
    lines = [json.loads(line) for line in (folder / "all.jsonl").read_text().splitlines()]
    assert {line["entry"]["id"]: line["report"]["run_id"] for line in lines} == {
        f"{n}abc{n}": f"{n}abc{n}" for n in range(3)
    }
    assert [(item["says"], item["cause"]) for line in lines for item in line["feedback"]] == [("wrong", "oom")]
    assert inside("history", "export", cwd=folder).stdout == (folder / "all.jsonl").read_text()


def test_pruning_forgets_what_it_is_told(folder: Path) -> None:
    assert "say what to forget" in one_line(inside("history", "prune", cwd=folder))
    assert inside("history", "prune", "--keep", "1", cwd=folder).stdout == "forgot 2 diagnoses\n"
    assert inside("history", "prune", "--older-than", "9999", cwd=folder).stdout == "forgot 0 diagnoses\n"


def test_what_fixed_a_run_is_named_when_it_fails_again(folder: Path) -> None:
    assert inside("feedback", "0abc", "fixed", "painted row 17", cwd=folder).returncode == 0
    done = inside("run-2.log", cwd=folder)
    assert "tried: painted row 17" in done.stdout
    assert "confidence   judged  right\n" in inside("feedback", cwd=folder).stdout
    for arguments, words in (
        (["0abc", "maybe"], "right, wrong, fixed"),
        (["0abc", "fixed"], "say what fixed it"),
        (["0abc", "right", "--cause", "oom"], "--cause goes with wrong"),
        (["0abc", "wrong", "--cause", "ooom"], "did you mean oom"),
    ):
        assert words in one_line(inside("feedback", *arguments, cwd=folder))


def test_a_history_that_cannot_be_used_costs_one_line_and_no_report(folder: Path) -> None:
    (place,) = folder.glob(".state/**/*.sqlite3")
    place.write_bytes(b"nonsense " * 999)
    done = inside("run-2.log", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.startswith("Status: crashed\n")
    assert re.fullmatch(r"runtriage: history: .*move the file away.*\n", done.stderr)
    assert inside("history", "list", cwd=folder).returncode == 3


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("watch", "run-2.log", "--once"), "Stop reason: diagnosis delivered"),
        (("fleet", "run-2.log", "--workers", "1"), "data/"),
    ],
)
def test_a_history_that_cannot_be_used_costs_one_line_of_every_command(
    folder: Path, command: tuple[str, ...], words: str
) -> None:
    (place,) = folder.glob(".state/**/*.sqlite3")
    place.write_bytes(b"nonsense " * 999)
    done = inside(*command, cwd=folder)
    assert done.returncode == 1
    assert words in done.stdout
    assert re.fullmatch(r"runtriage: history: .*move the file away.*\n", done.stderr)


def test_a_watch_keeps_its_diagnosis_unless_told_not_to(folder: Path) -> None:
    def count() -> int:
        return len(inside("history", "list", "--json", cwd=folder).stdout.splitlines())

    inside("watch", "run-2.log", "--once", "--no-history", cwd=folder)
    assert count() == 3
    inside("watch", "run-2.log", "--once", cwd=folder)
    assert count() == 4


def test_a_fleet_is_kept_unless_told_not_to_and_each_run_is_judged_by_itself(folder: Path) -> None:
    def kept() -> set[str]:
        return {json.loads(line)["id"] for line in inside("history", "list", "--json", cwd=folder).stdout.splitlines()}

    before = kept()
    done = inside("fleet", "run-*.log", "--workers", "1", "--no-history", cwd=folder)
    assert (done.returncode, done.stderr, kept()) == (1, "", before)
    assert inside("fleet", "run-*.log", "--workers", "1", cwd=folder).returncode == 1
    new = kept() - before
    assert len(new) == 3
    for identity in new:
        shown = inside("history", "show", identity, cwd=folder).stdout
        assert "Status: " in shown and "Seen before" not in shown


def test_a_fleet_is_not_kept_where_the_history_is_switched_off_or_out_of_reach(folder: Path) -> None:
    (folder / "config.toml").write_text("[history]\nenabled = false\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RUNTRIAGE_CONFIG", str(folder / "config.toml"))
        done = inside("fleet", "run-2.log", "--workers", "1", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runtriage.fleet.cluster._CONNECT", 1)
        far = inside("fleet", "run-2.log", "--cluster", "tcp://127.0.0.1:1", cwd=folder)
    assert far.returncode != 0 and "cluster cannot reach a file on this machine" in far.stderr


@pytest.mark.parametrize("huge", [10**6, 10**11, 10**30])
def test_a_number_beyond_every_calendar_and_database_is_taken_for_all(folder: Path, huge: int) -> None:
    kept = inside("history", "prune", "--older-than", huge, "--keep", huge, cwd=folder)
    assert (kept.returncode, kept.stdout) == (0, "forgot 0 diagnoses\n")
    listed = inside("history", "list", "--json", "--limit", huge, cwd=folder)
    assert (listed.returncode, len(listed.stdout.splitlines())) == (0, 3)
    (folder / "config.toml").write_text(f"[history]\nkeep_days = {huge}\nkeep = {huge}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RUNTRIAGE_CONFIG", str(folder / "config.toml"))
        done = inside("run-2.log", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")


def test_two_runs_are_compared_where_they_part_first(tmp_path: Path) -> None:
    for name, rate, bad in (("a", 0.1, False), ("b", 0.9, True)):
        run = tmp_path / name
        run.mkdir()
        (run / "config.json").write_text(json.dumps({"learning_rate": rate, "seed": 3}))
        values = [5 / (step + 1) if not bad or step < 60 else 9.0 for step in range(100)]
        (run / "train.log").write_text("".join(f"step {step} loss={value:.4f}\n" for step, value in enumerate(values)))
    done = inside("compare", "a", "b", cwd=tmp_path)
    assert "First divergence: loss parts at step 60 (0.082 | 9)" in done.stdout
    assert "- learning_rate: 0.1 | 0.9" in done.stdout
    assert "Settings (1 are the same):" in done.stdout
    document = json.loads(inside("compare", "a", "b", "--json", cwd=tmp_path).stdout)
    assert document["first"]["parts_at"] == 60
    same = inside("compare", "a", "a", cwd=tmp_path).stdout
    assert "Nothing that was read differs." in same


def test_a_run_is_compared_with_the_last_good_one_beside_it(folder: Path) -> None:
    done = inside("compare", "run-2.log", cwd=folder)
    assert "B: 1abc1 (run-1.log)" in done.stdout
    assert "- status: crashed | completed" in done.stdout
    by_id = inside("compare", "2abc2", cwd=folder).stdout
    assert "- status: crashed | completed" in by_id
    inside("history", "prune", "--keep", "0", cwd=folder)
    assert "name the other run" in one_line(inside("compare", "run-2.log", cwd=folder))


def test_a_run_of_another_program_is_not_taken_for_the_last_good_one(tmp_path: Path) -> None:
    (tmp_path / "pets.log").write_text(
        "".join(f"step {n} loss={3 - n / 100:.3f} accuracy={n / 100:.2f}\n" for n in range(1, 91))
        + "Training complete. Saved to out/final.pt\n"
    )
    inside("pets.log", cwd=tmp_path)
    printed = "".join(f"step {n} loss={3 - n / 100:.3f} wer={1 - n / 100:.2f}\n" for n in range(1, 41))
    end = 'Traceback (most recent call last):\n  File "asr.py", line 3, in <module>\nValueError: no colour\n'
    (tmp_path / "speech.log").write_text(printed + end)
    refused = inside("compare", "speech.log", cwd=tmp_path)
    assert refused.returncode == 3
    assert "runtriage compare speech.log OTHER" in one_line(refused)
    (tmp_path / "other.log").write_text(printed.replace("wer", "accuracy") + end)
    assert "(pets.log)" in inside("compare", "other.log", cwd=tmp_path).stdout


def test_a_setting_that_is_none_in_one_run_is_compared_with_its_number_in_the_other(tmp_path: Path) -> None:
    for name, clip in (("a", "None"), ("b", "1.0")):
        (tmp_path / name).mkdir()
        log = f"Namespace(lr=0.001, fp16=True, clip={clip})\nstep 1 loss 2.5\n"
        (tmp_path / name / "train.log").write_text(log, encoding="utf-8")
    assert "- clip: None | 1.0\n" in inside("compare", "a", "b", cwd=tmp_path).stdout
