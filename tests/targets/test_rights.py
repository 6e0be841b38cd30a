from pathlib import Path

from tests import unprivileged

ASK = """
import sys
from runtriage.collect import Budget, collect
from runtriage.targets import TargetError, resolve
try:
    with resolve(sys.argv[1:]) as target:
        for request in target.first_requests():
            outcome = collect(request, target, Budget())
            names = [artifact.path for artifact in getattr(outcome, "artifacts", ())]
            print(type(outcome).__name__, names or request.args.get("path"), getattr(outcome, "reason", ""))
except TargetError as error:
    print(error.code, error)
"""


def _ask(path: Path) -> str:
    done = unprivileged.run(["-c", ASK, str(path)], cwd=Path("/"))
    assert done.stderr == ""
    return done.stdout


def test_a_log_that_may_not_be_read_is_no_absence() -> None:
    with unprivileged.open_folder() as folder:
        log = folder / "train.log"
        log.write_text("step 1\n")
        log.chmod(0)
        unprivileged.prove_denied(log)
        assert _ask(log).startswith("4 ")
        assert "permission denied" in _ask(log)


def test_one_unreadable_log_among_others_is_reported_and_the_rest_read() -> None:
    with unprivileged.open_folder() as folder:
        (folder / "rank0.log").write_text("step 1\n")
        (folder / "rank1.log").write_text("step 1\n")
        (folder / "rank1.log").chmod(0)
        unprivileged.prove_denied(folder / "rank1.log")
        assert _ask(folder).splitlines() == ["Collected ['rank0.log'] ", "Unavailable rank1.log permission denied"]


def test_a_folder_whose_logs_may_not_be_read_is_no_empty_folder() -> None:
    with unprivileged.open_folder() as folder:
        (folder / "rank0.log").write_text("step 1\n")
        (folder / "rank0.log").chmod(0)
        unprivileged.prove_denied(folder / "rank0.log")
        assert _ask(folder).startswith("4 ")


def test_a_locked_folder_is_no_empty_folder() -> None:
    with unprivileged.open_folder() as folder:
        locked = folder / "run"
        locked.mkdir()
        (locked / "train.log").write_text("step 1\n")
        locked.chmod(0)
        unprivileged.prove_denied(locked)
        assert _ask(locked).startswith("4 ")
        assert _ask(locked / "train.log").startswith("4 ")
