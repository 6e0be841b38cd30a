"""Scenarios in which a name has to be resolved, in which there is nothing to diagnose, and in which something is broken or hostile."""

from __future__ import annotations

from typing import Final

from tests.servers.runai_build import (
    Scenario,
    event,
    identity,
    one,
    phase,
    pod,
    record,
    row,
    run,
    stamp,
)
from tests.servers.runai_replay import Replay
from tests.servers.runai_words import (
    ACTIVE,
    ALL,
    BY_NAME,
    CRASH,
    HISTORY,
    KILLED,
    LIST,
    LOOP,
    MEASURED,
    NODE,
    OOM,
    ORDER,
    PENDING,
    PODS,
    PREEMPTED,
    PULL,
    SPEC,
    STATUS,
)

ROUTED: Final[dict[str, Scenario]] = {
    # one name, several submissions
    "the newest that ended": Scenario(
        lambda: Replay(
            runs=[run(2, "Failed", "ContainerExit", CRASH), run(1, "Running"), run(3, "Failed", "OOMKilled", OOM)],
            listed=[
                row(3, "Failed", 9000.0),
                row(1, "Running"),
                row(2, "Failed", 3600.0),
                row(4, "Failed", name="other"),
            ],
        ),
        "CRASH_APP_ERROR",
        calls=(LIST, *ALL),
        arguments=BY_NAME,
    ),
    "the first active one that shows the symptom": Scenario(
        lambda: Replay(
            runs=[run(1, "Running"), run(2, "Running", "CrashLoopBackOff", LOOP), run(3, "Failed", "OOMKilled", OOM)],
            listed=[row(1, "Running"), row(2, "Running", 60.0), row(3, "Failed", 30.0)],
        ),
        "CRASH_APP_ERROR",
        calls=(LIST, STATUS, STATUS, SPEC, PODS, HISTORY),
        arguments=ACTIVE,
    ),
    "a pending one that cannot pull": Scenario(
        lambda: Replay(
            runs=[run(1, "Pending", "Unschedulable", PENDING), run(2, "Pending", "ErrImagePull", PULL)],
            listed=[row(1, "Pending"), row(2, "Pending", 60.0)],
        ),
        "IMAGE_PULL_FAILED",
        calls=(LIST, STATUS, STATUS, SPEC, PODS, HISTORY),
        arguments=ACTIVE,
    ),
    "no active one shows a symptom": Scenario(
        lambda: Replay(runs=[run(1, "Running")], listed=[row(1, "Running"), row(2, "Failed", 60.0)]),
        word="unresolved",
        code=3,
        calls=(LIST, STATUS),
        arguments=ACTIVE,
        says=("--workload-id",),
    ),
    "none has ended": Scenario(
        lambda: Replay(runs=[run(1, "Running")], listed=[row(1, "Running")]),
        word="unresolved",
        code=3,
        calls=(LIST,),
        arguments=BY_NAME,
        says=("--workload-id",),
    ),
    "on a later page of the list": Scenario(
        lambda: Replay(
            runs=[run(7, "Failed", "OOMKilled", OOM, pods=[pod("OOMKilled")])],
            listed=[*(row(100 + number, "Running", float(number)) for number in range(6)), row(7, "Failed", 600.0)],
            page=3,
        ),
        "OOM_KILLED",
        calls=(LIST, LIST, LIST, *MEASURED),
        arguments=BY_NAME,
    ),
    # out of scope
    "preempted": Scenario(
        one(run(1, "Stopped", "Preempted", PREEMPTED)),
        word="preempted",
        code=0,
        calls=(STATUS,),
        says=("Out of scope: preempted",),
    ),
    "preempted in the history alone": Scenario(
        one(
            run(
                1,
                "Stopped",
                "",
                "",
                events=[],
                records=[phase("Stopped"), record("Evict", "Workload was preempted by job-9.", 9.0)],
            )
        ),
        word="preempted",
        code=0,
        calls=ALL,
    ),
    "waiting for a GPU": Scenario(
        one(run(1, "Pending", "Unschedulable", PENDING, pods=[])), word="pending", code=0, calls=(STATUS,)
    ),
    "completed": Scenario(one(run(1, "Completed")), word="completed", code=0, calls=(STATUS,)),
    "succeeded": Scenario(one(run(1, "Succeeded")), word="completed", code=0, calls=(STATUS,)),
    "suspended": Scenario(one(run(1, "Suspended")), word="suspended", code=0, calls=(STATUS,)),
    "running": Scenario(one(run(1, "Running")), word="running", code=0, calls=(STATUS,), says=("past run",)),
    "initializing": Scenario(
        one(run(1, "Initializing")), word="other", code=0, calls=(STATUS,), says=("Initializing",)
    ),
    "running, events not fetched": Scenario(
        one(run(1, "Running", events=None)), word="running", code=0, calls=(STATUS, HISTORY)
    ),
    "wrong cluster": Scenario(
        one(run(1, "Failed", "OOMKilled", OOM, cluster="c0ffee00-0000-4000-8000-000000000002")),
        word="unresolved",
        code=3,
        calls=(STATUS,),
        says=("000000000002", "cluster"),
    ),
    "no such workload": Scenario(
        lambda: Replay(runs=[]), word="unresolved", code=3, calls=(STATUS,), arguments=("--workload-id", identity(9))
    ),
    # what is hostile, missing or broken
    "orders in an event": Scenario(
        one(
            run(
                1,
                "Failed",
                "ContainerExit",
                CRASH,
                records=[
                    record("ContainerExit", CRASH),
                    record("ApplicationLog", ORDER, 1.0, "application"),
                    phase("Failed"),
                ],
            )
        ),
        "CRASH_APP_ERROR",
        calls=ALL,
        never=("Secret", "kubectl delete"),
    ),
    "conflicting": Scenario(
        one(
            run(
                1,
                "Failed",
                "OOMKilled",
                OOM,
                pods=[pod("OOMKilled")],
                records=[record("ContainerExit", CRASH, 600.0), record("OOMKilled", OOM), phase("Failed")],
            )
        ),
        "OOM_KILLED",
        calls=MEASURED,
    ),
    "an old node failure and a crash today": Scenario(
        one(
            run(
                1,
                "Failed",
                "ContainerExit",
                CRASH,
                records=[
                    record("ContainerExit", CRASH),
                    phase("Failed"),
                    phase("Running", "", 7000.0),
                    record("NodeNotReady", NODE, 9000.0),
                ],
            )
        ),
        "CRASH_APP_ERROR",
        calls=ALL,
    ),
    "a crash before, killed now": Scenario(
        one(
            run(
                1,
                "Failed",
                "ContainerExit",
                KILLED,
                records=[record("ContainerExit", KILLED), phase("Failed"), record("ContainerExit", CRASH, 1800.0)],
            )
        ),
        "UNKNOWN",
        code=5,
        calls=MEASURED,
    ),
    "a crash, then the rest is killed": Scenario(
        one(
            run(
                1,
                "Failed",
                "ContainerExit",
                KILLED,
                records=[record("ContainerExit", KILLED), phase("Failed"), record("ContainerExit", CRASH, 20.0)],
            )
        ),
        "CRASH_APP_ERROR",
        calls=ALL,
    ),
    "an old node failure among the newest events": Scenario(
        one(
            run(
                1,
                "Failed",
                "ContainerExit",
                CRASH,
                events=[event("ContainerExit", CRASH), event("NodeNotReady", NODE, 20_000.0)],
            )
        ),
        "CRASH_APP_ERROR",
        calls=ALL,
    ),
    "no spec, no pods": Scenario(
        one(run(1, "Failed", "ContainerExit", CRASH, spec=None, pods=[])),
        "CRASH_APP_ERROR",
        calls=ALL,
        says=("no pods were returned", "no submitted spec"),
    ),
    "spec and pods refused": Scenario(
        one(run(1, "Failed", "ContainerExit", CRASH), broken={SPEC: "permission denied", PODS: "permission denied"}),
        "CRASH_APP_ERROR",
        calls=ALL,
        says=("permission denied",),
    ),
    "history refused": Scenario(
        one(run(1, "Failed", "OOMKilled", OOM), broken={HISTORY: "internal error"}),
        "OOM_KILLED",
        says=("internal error",),
    ),
    "status refused": Scenario(
        one(run(1, "Failed", "OOMKilled", OOM), broken={STATUS: "permission denied"}),
        word="no-access",
        code=4,
        calls=(STATUS,),
    ),
    "conditions alone": Scenario(
        one(
            run(
                1,
                "Failed",
                events=[],
                records=[],
                conditions=[
                    {
                        "type": "Failed",
                        "status": "True",
                        "reason": "OOMKilled",
                        "message": OOM,
                        "lastTransitionTime": stamp(),
                    }
                ],
            )
        ),
        "OOM_KILLED",
        calls=MEASURED,
    ),
}
