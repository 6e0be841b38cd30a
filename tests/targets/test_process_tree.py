"""The rank of a process is the one its launcher told it, whichever launcher that was."""

import subprocess
import sys

import pytest

from runtriage.targets.process_tree import rank_of

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@pytest.mark.parametrize("name", ["RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"])
def test_a_launcher_tells_the_rank(name: str) -> None:
    assert _rank_with({name: "3"}) == 3


def test_a_process_without_a_launcher_has_no_rank() -> None:
    assert _rank_with({"LOCAL_RANK": "0"}) is None


def test_the_word_of_torchrun_counts_before_that_of_the_scheduler() -> None:
    assert _rank_with({"SLURM_PROCID": "1", "RANK": "9"}) == 9


def _rank_with(environment: dict[str, str]) -> int | None:
    """The rank of a process that has answered: before that it may not have its environment yet."""
    with subprocess.Popen(
        ["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"here\n")
        assert process.stdout.readline() == b"here\n"
        return rank_of(process.pid)
