import json
from pathlib import Path

import pytest

from tests.cli.running import inside, one_line


def _draft(folder: Path) -> Path:
    """Draft a signature and fill in the least that is needed."""
    assert inside("signatures", "new", "oom/my-allocator", cwd=folder).returncode == 0
    path = folder / "signatures/oom/my-allocator.toml"
    path.write_text(path.read_text().replace('role = "cause"', 'role = "context"'))
    return path


def test_the_catalogue_is_listed_and_shown(tmp_path: Path) -> None:
    listed = inside("signatures", "list", cwd=tmp_path)
    assert listed.returncode == 0
    first = listed.stdout.split()[0]
    shown = inside("signatures", "show", first, cwd=tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.startswith(f"{first}: ")


def test_a_draft_is_checked_and_never_overwritten(tmp_path: Path) -> None:
    path = _draft(tmp_path)
    tested = inside("signatures", "test", path, cwd=tmp_path)
    assert tested.returncode == 0, tested.stdout
    assert "already" in one_line(inside("signatures", "new", "oom/my-allocator", cwd=tmp_path))


def test_a_draft_is_tested_by_the_name_it_was_made_with(tmp_path: Path) -> None:
    _draft(tmp_path)
    tested = inside("signatures", "test", "oom/my-allocator", cwd=tmp_path)
    assert tested.stdout == "1 file: every example holds\n"


def test_a_word_that_is_nearly_a_command_is_told_so(tmp_path: Path) -> None:
    for word, command in (("signature", "signatures"), ("explian", "explain"), ("diagnos", "diagnose")):
        line = one_line(inside(word, "oom", cwd=tmp_path))
        assert line.endswith(f"no such file or folder; did you mean the command {command}?\n")


@pytest.mark.parametrize("command", [("explain",), ("signatures", "show")])
def test_the_examples_of_the_help_are_known(tmp_path: Path, command: tuple[str, ...]) -> None:
    help_text = inside(*command, "--help", cwd=tmp_path).stdout
    examples = [
        line.split()[1:] for line in help_text.splitlines() if line.startswith(f"   runtriage {' '.join(command)} ")
    ]
    assert examples
    for words in examples:
        assert inside(*words[: len(command) + 1], cwd=tmp_path).returncode == 0, words


def test_a_wrong_example_is_told_and_is_1(tmp_path: Path) -> None:
    path = _draft(tmp_path)
    path.write_text(path.read_text().replace("with 7 for what varies'''", "with seven for what varies'''"))
    tested = inside("signatures", "test", path, cwd=tmp_path)
    assert tested.returncode == 1
    assert "does not match" in tested.stdout


def test_a_draft_that_is_not_filled_in_stops_nothing_but_its_own_test(tmp_path: Path) -> None:
    assert inside("signatures", "new", "oom/my-allocator", cwd=tmp_path).returncode == 0
    (tmp_path / "train.log").write_text("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n")
    own = ("--signatures", "signatures")
    wrong = "oom/my-allocator.toml: fixes: a cause names two to four; runtriage signatures fixes lists them"
    for words, code in (
        (("train.log",), 1),
        (("explain", "oom/gpu-alloc"), 0),
        (("signatures", "fixes"), 0),
        (("signatures", "list"), 0),
        (("fleet", "train.log"), 1),
    ):
        done = inside(*words, *own, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (code, f"runtriage: signature left out: signatures/{wrong}\n"), words
        assert done.stdout
    told = json.loads(inside("train.log", *own, "--json", cwd=tmp_path).stdout)
    assert told["coverage"]["rules_broken"] == [f"signatures/{wrong}"]
    tested = inside("signatures", "test", "oom/my-allocator", cwd=tmp_path)
    assert (tested.returncode, tested.stdout) == (1, f"signatures/{wrong}\n")


def test_the_fixes_that_a_signature_may_name_are_listed(tmp_path: Path) -> None:
    listed = inside("signatures", "fixes", cwd=tmp_path).stdout.splitlines()
    assert any(line.split()[:2] == ["restart-unchanged", "safe"] for line in listed)


def test_help_is_a_word_too(tmp_path: Path) -> None:
    assert "verify" in inside("help", cwd=tmp_path).stdout
    assert "REPORT" in inside("help", "verify", cwd=tmp_path).stdout


def test_the_number_of_a_gpu_event_is_explained_with_the_mode_it_stands_for(tmp_path: Path) -> None:
    lost = inside("explain", "xid-79", cwd=tmp_path)
    assert lost.stdout.startswith("Xid 79 (") and "Suspected first: the hardware." in lost.stdout
    assert "cuda/fell-off-bus: " in lost.stdout
    assert inside("explain", "79", cwd=tmp_path).stdout == lost.stdout
    harmless = inside("explain", "Xid 78", cwd=tmp_path)
    assert harmless.returncode == 0 and harmless.stdout.endswith("It stands for no failure of a run.\n")
    unknown = inside("explain", "xid:9999", cwd=tmp_path)
    assert unknown.returncode == 2 and unknown.stderr.count("\n") == 1


def test_a_mode_and_a_class_are_explained(tmp_path: Path) -> None:
    listed = inside("explain", "oom", cwd=tmp_path)
    mode = listed.stdout.split()[0]
    explained = inside("explain", mode, cwd=tmp_path)
    assert explained.returncode == 0
    assert explained.stdout.startswith(f"{mode}: ")
    assert "Primary class: oom" in explained.stdout
