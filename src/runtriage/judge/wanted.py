"""What would change the answer most, as requests: the smallest extra artifact."""

from __future__ import annotations

from runtriage.judge.unheard import unheard
from runtriage.model.artifact import Request
from runtriage.model.expectations import EXPECTED, expected
from runtriage.model.facts import Facts
from runtriage.model.verdict import Incident

_KILLED = frozenset({"crash/sigkill-unknown", "data/worker-killed"})
_QUALITY = frozenset({"optimization-divergence", "evaluation-mismatch", "nan-inf"})
_EVALUATIONS = frozenset({"eval_loss", "eval_metric"})
_NATIVE = frozenset({"crash/segv", "crash/abort"})
_CORE = "the core file of the process shows where native code died"
_STACK = "a stack of the process as it died: its core file, or its stderr with PYTHONFAULTHANDLER=1 set"
_STDERR = "the stderr of the process that failed, where its launcher or a redirection put it"
_PEERS = ("nccl/", "gloo/", "rdzv/", "elastic/")


def wanted(root: Incident | None, facts: Facts, *, ended: bool = False) -> tuple[Request, ...]:
    """Return requests that were not answered and would settle what is open, best first; how a run ended is not, where that is known."""
    settling = () if ended else _settling(root, facts)
    return (*_out_of_reach(root, facts), *settling, *_unmeasured(root, facts))


def _out_of_reach(root: Incident | None, facts: Facts) -> tuple[Request, ...]:
    lost = None if root is None else unheard(root, facts)
    if lost is None:
        return ()
    return (Request(kind="log", reason=f"{lost}: it could not be had, and would tell why the process ended"),)


def _unmeasured(root: Incident | None, facts: Facts) -> tuple[Request, ...]:
    """Ask for the metrics of the stated task where the quality of the run is the question and none was printed."""
    task = facts.options.task
    if task is None or (root is not None and root.primary_class not in _QUALITY):
        return ()
    judged = [series for series in facts.series if series.role in _EVALUATIONS]
    if any(expected(task, series.name) for series in judged):
        return ()
    names = ", ".join(EXPECTED[task][:3])
    return (
        Request(
            kind="metrics", reason=f"no evaluation metric of a {task} run ({names}, ...) was found in what was read"
        ),
    )


def _settling(root: Incident | None, facts: Facts) -> tuple[Request, ...]:
    kinds = {read.artifact.kind for read in facts.reads}
    if root is None:
        return () if facts.events else (_untold(kinds),)
    if root.mode in _KILLED and "kernel" not in kinds:
        return (
            Request(
                kind="kernel",
                reason="the kernel log of the node (dmesg -T) around the end shows whether memory ran out",
            ),
            Request(kind="scheduler", reason="the scheduler's record of the job shows a limit, preemption or cancel"),
        )
    if root.mode.startswith(_PEERS) and root.role == "symptom":
        return (
            Request(
                kind="log", reason="the logs of the other ranks: the one that failed first does not report a timeout"
            ),
            Request(kind="recorder", reason="flight-recorder dumps of all ranks show who did not join the collective"),
        )
    if root.matches[0].captures.get("truncated") == "yes":
        return (Request(kind="log", reason="the rest of the traceback: it ends before the line that names the error"),)
    if root.mode in _NATIVE:
        framed = any(match.captures.get("user_frame") for match in root.matches)
        return (Request(kind="log", reason=_CORE if framed else _STACK),)
    return (Request(kind="log", reason=_STDERR),) if root.mode == "crash/exit-no-error" else ()


def _untold(kinds: set[str]) -> Request:
    """Ask for what was not given: a log where there is none, else what it cannot hold."""
    if "log" in kinds:
        return Request(
            kind="log", reason="the exit code of the run, and its stderr where that went to a file of its own"
        )
    return Request(kind="log", reason="the log of the run, with its last lines")
