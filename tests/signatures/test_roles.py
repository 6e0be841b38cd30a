"""Lines that follow a failure are never read as its cause, however loud they are."""

import pytest

from runtriage.signatures.check import read_entries
from runtriage.signatures.matcher import Claim, Matcher

SIGNATURES = [entry.signature for entry in read_entries()[0]]
MATCHER = Matcher(SIGNATURES)
ROLES = {signature.id: signature.role for signature in SIGNATURES}

CAUGHT = (
    "[Rank 2] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, "
    "Timeout(ms)=600000) ran for 600045 milliseconds before timing out."
)
PLACE = "[rank2]:[E514 02:35:59.199487294 ProcessGroupNCCL.cpp:685] "
TIMEOUT = PLACE + CAUGHT
RETHROWN = "[PG ID 0 PG GUID 0(default_pg) Rank 2] Process group watchdog thread terminated with exception: " + CAUGHT
DUMP = (
    "[PG ID 0 PG GUID 0(default_pg) Rank 0] Received a dump signal due to a collective timeout from  rank 2 and we will try "
    "our best to dump the debug info. Last enqueued NCCL work: 7, last completed NCCL work: 6.This is most likely caused by "
    "incorrect usages of collectives, e.g., wrong sizes used across ranks"
)

FOLLOWERS = (
    TIMEOUT,
    PLACE + RETHROWN,
    "  what():  " + RETHROWN,
    "RuntimeError: " + CAUGHT,
    DUMP,
    "ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives.",
    "To avoid data inconsistency, we are taking the entire process down.",
    "NCCL error in: NCCLUtils.cpp:77, remote process exited or there was a network error, NCCL version 2.27.3",
    "RuntimeError: [gloo/transport/tcp/pair.cc:553] Connection closed by peer [127.0.0.1]:35732.",
    "RuntimeError: CUDA error: operation failed due to a previous error during capture",
    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
    "W1129 13:51:37 torch/distributed/elastic/multiprocessing/api.py:1028] Sending process 26129 closing signal SIGTERM",
    "failed (exitcode: -6) local_rank: 2 (pid: 48103) of binary: /opt/venv/bin/python3.11",
    "NVRM: Xid (PCI:0000:9a:00): 45, pid=9014, name=python3.11, Ch 00000012",
    "pt_nccl_watchdg[6880]: segfault at 18 ip 00007f3c1a2b44f1 sp 00007f39d7ffdc10 error 4 in libnccl.so.2[7f3c19e00000+d40000]",
    "/job:jax_worker/replica:0/task:3 heartbeat timeout. This indicates that the remote task has failed, got preempted",
    "torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 2/4 clients joined.",
    "[RankMonServer505@lc-b16:3] Did not get subsequent heartbeat. Waited 600.00 seconds.",
    "mpirun noticed that process rank 2 with PID 0 on node n07 exited on signal 9 (Killed).",
)
ADVICE = (
    "For debugging consider passing CUDA_LAUNCH_BLOCKING=1",
    "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
    "HINT: In many cases this error indicates that ACS is enabled, which breaks the GPU Direct RDMA protocol.",
    "huggingface/tokenizers: The current process just got forked, after parallelism has already been used.",
)


def claims(line: str) -> list[Claim]:
    return MATCHER.claims(line)


@pytest.mark.parametrize("line", FOLLOWERS)
def test_what_follows_a_failure_is_a_symptom(line: str):
    assert [ROLES[claim.signature] for claim in claims(line)] == ["symptom"]


@pytest.mark.parametrize("line", ADVICE)
def test_what_only_explains_is_advice(line: str):
    assert [ROLES[claim.signature] for claim in claims(line)] == ["advice"]


def test_a_watchdog_line_says_when_the_wait_began_and_for_what():
    captures = claims(TIMEOUT)[0].captures
    assert captures == {
        "rank": "2",
        "seq": "7",
        "op": "ALLREDUCE",
        "numel_in": "1",
        "numel_out": "1",
        "timeout_ms": "600000",
        "ran_ms": "600045",
    }


def test_a_status_line_says_how_far_a_rank_came():
    line = "failure detected by watchdog at work sequence id: 18 PG status: last enqueued work: 20, last completed work: 17"
    assert claims(line)[0].captures == {"seq": "18", "last_enqueued": "20", "last_completed": "17"}


@pytest.mark.parametrize(
    ("line", "rank"),
    [
        ("RuntimeError: [Rank 0]: Rank 3 failed to pass monitoredBarrier in 60000 ms", "3"),
        ("missing ranks: {12}", "12"),
        ("\t   - [2] finished collective #18, but didn't join collective #19 (count from 1)", "2"),
        (
            "error msg: Culprit rank 3; Error type: COLLECTIVE_TYPE_MISMATCH, Expected collective type: 'all_reduce'",
            "3",
        ),
        ("MPI_ABORT was invoked on rank 5 in communicator MPI_COMM_WORLD", "5"),
    ],
)
def test_a_rank_that_another_one_names_is_captured_as_the_culprit(line: str, rank: str):
    assert claims(line)[0].captures["culprit_rank"] == rank
