"""Scenarios of failed, waiting and healthy Run:ai workloads, each with the one right answer."""

from __future__ import annotations

from typing import Final

from tests.servers.runai_build import (
    AS_OF,
    Scenario,
    event,
    identity,
    one,
    peak,
    phase,
    pod,
    record,
    run,
    submitted,
)
from tests.servers.runai_routed import ROUTED
from tests.servers.runai_words import (
    ALL,
    CRASH,
    HISTORY,
    IDLE,
    INIT,
    KILLED,
    LIMIT,
    LOOP,
    MEASURED,
    MOUNT,
    NODE,
    OOM,
    PODS,
    PULL,
    SPEC,
    STATUS,
)

FAILED: Final[dict[str, Scenario]] = {
    # each category
    "application": Scenario(
        one(run(1, "Failed", "ContainerExit", CRASH)), "CRASH_APP_ERROR", calls=ALL, says=("KeyError",)
    ),
    "crashed phase": Scenario(one(run(1, "Crashed", "ContainerExit", CRASH)), "CRASH_APP_ERROR", calls=ALL),
    "out of memory": Scenario(
        one(run(1, "Failed", "OOMKilled", OOM, pods=[pod("OOMKilled")])),
        "OOM_KILLED",
        calls=MEASURED,
        says=("no peak observed", "16 GiB / 16 GiB"),
        never=("Peak CPU memory",),
    ),
    "out of memory with a peak": Scenario(
        one(
            run(
                1,
                "Failed",
                "OOMKilled",
                OOM,
                pods=[pod("OOMKilled")],
                spec=submitted("16Gi", "8Gi"),
                measurements=peak(9 << 30, 15 << 30),
            )
        ),
        "OOM_KILLED",
        calls=MEASURED,
        says=("15.00 GiB", "8 GiB / 16 GiB", "94%"),
    ),
    "out of memory said by the pod alone": Scenario(
        one(run(1, "Failed", "", "", events=[], pods=[pod("OOMKilled")])), "OOM_KILLED", calls=MEASURED
    ),
    "image": Scenario(
        one(run(1, "Pending", "ImagePullBackOff", PULL, pods=[pod("ImagePullBackOff", node="")])),
        "IMAGE_PULL_FAILED",
        calls=ALL,
        says=("no such image",),
        never=("credentials",),
    ),
    "image with back-off alone": Scenario(
        one(
            run(
                1,
                "Pending",
                "ImagePullBackOff",
                'Back-off pulling image "r.test/a:1"',
                pods=[pod("ImagePullBackOff", node="")],
            )
        ),
        "IMAGE_PULL_FAILED",
        never=("credentials",),
        says=("is not known",),
    ),
    "image refused": Scenario(
        one(
            run(
                1,
                "Pending",
                "ErrImagePull",
                'Failed to pull image "r.test/a:1": 401 Unauthorized: authentication required',
            )
        ),
        "IMAGE_PULL_FAILED",
        says=("registry credentials", "Recovery owner: administrator"),
    ),
    "image not reachable": Scenario(
        one(
            run(
                1, "Pending", "ErrImagePull", 'Failed to pull image "r.test/a:1": dial tcp: lookup r.test: no such host'
            )
        ),
        "IMAGE_PULL_FAILED",
        says=("DNS",),
        never=("credentials",),
    ),
    "init": Scenario(
        one(run(1, "Pending", "InitContainerError", INIT, pods=[pod("Init:Error")])),
        "INIT_FAILED",
        calls=ALL,
        says=("the bucket is empty",),
    ),
    "mount": Scenario(
        one(run(1, "Pending", "FailedMount", MOUNT, pods=[pod("Pending", node="")])),
        "DATASOURCE_MOUNT_FAILED",
        calls=ALL,
        says=("storage administrator",),
    ),
    "secret mount": Scenario(
        one(run(1, "Pending", "FailedMount", 'MountVolume.SetUp failed for volume "key": secret "hub-key" not found')),
        "DATASOURCE_MOUNT_FAILED",
    ),
    "node": Scenario(
        one(
            run(
                1,
                "Failed",
                "NodeNotReady",
                NODE,
                records=[
                    record("NodeNotReady", NODE, source="node-controller"),
                    record("NodeEvicted", "The pod was evicted after its node was lost.", 60.0, "scheduler"),
                    phase("Failed", NODE),
                ],
            )
        ),
        "NODE_FAILURE",
        calls=ALL,
        says=("1 NODE_FAILURE failure ", "one-off", "Submit it again"),
    ),
    "node with retries": Scenario(
        one(run(1, "Failed", "NodeNotReady", NODE, spec=submitted(restart="OnFailure"))),
        "NODE_FAILURE",
        says=("OnFailure",),
    ),
    "drained": Scenario(
        one(run(1, "Failed", "Terminated", "Node gpu-b was drained for maintenance.")), "NODE_FAILURE", calls=ALL
    ),
    "evicted": Scenario(
        one(run(1, "Failed", "Evicted", "The node was low on resource: memory.")), "NODE_FAILURE", calls=ALL
    ),
    "longest duration": Scenario(
        one(run(1, "Failed", "MaximumDurationExceeded", LIMIT)),
        "SCHEDULING_POLICY_TERMINATED",
        calls=ALL,
        says=("not intended",),
    ),
    "idle": Scenario(one(run(1, "Stopped", "IdleTimeout", IDLE)), "SCHEDULING_POLICY_TERMINATED", calls=ALL),
    "stopped by hand": Scenario(
        one(run(1, "Stopped", "Stopped", "Workload was stopped by user ana.")),
        "SCHEDULING_POLICY_TERMINATED",
        calls=ALL,
    ),
    "policy in the history alone": Scenario(
        one(
            run(
                1,
                "Failed",
                "",
                "",
                events=None,
                records=[record("MaximumDurationExceeded", LIMIT, 5.0), phase("Failed")],
            )
        ),
        "SCHEDULING_POLICY_TERMINATED",
        calls=ALL,
        says=("null",),
    ),
    "unknown": Scenario(
        one(run(1, "Failed", "Unknown", "Workload ended without a reason.", events=[], records=[phase("Failed")])),
        "UNKNOWN",
        code=5,
        calls=ALL,
        says=("undetermined", "kubectl: not asked"),
    ),
    "error is no cause": Scenario(
        one(run(1, "Failed", "Error", "Pod job-0 ended in Error.", pods=[pod("Error")])), "UNKNOWN", code=5, calls=ALL
    ),
    "retries used up is no cause": Scenario(
        one(run(1, "Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit")), "UNKNOWN", code=5
    ),
    "killed, nobody says by whom": Scenario(
        one(run(1, "Failed", "ContainerExit", KILLED)),
        "UNKNOWN",
        code=5,
        calls=MEASURED,
        never=("Category: OOM_KILLED",),
    ),
    "killed, the history names the node": Scenario(
        one(run(1, "Failed", "ContainerExit", KILLED, records=[record("NodeNotReady", NODE, 30.0), phase("Failed")])),
        "NODE_FAILURE",
        calls=ALL,
    ),
    # again and again
    "recurring": Scenario(
        one(
            run(
                1,
                "Failed",
                "OOMKilled",
                OOM,
                pods=[pod("OOMKilled")],
                records=[
                    record("OOMKilled", OOM),
                    phase("Failed", OOM),
                    record("OOMKilled", "An earlier run was OOMKilled with exit code 137.", 172_800.0),
                    record("OOMKilled", "The first run was OOMKilled with exit code 137.", 432_000.0),
                ],
            )
        ),
        "OOM_KILLED",
        arguments=("--workload-id", identity(1), "--lookback", "7d"),
        says=("3 OOM_KILLED failures in the last 7d", "recurring", "for good"),
    ),
    "an older failure lies outside the window": Scenario(
        one(
            run(
                1,
                "Failed",
                "ContainerExit",
                CRASH,
                records=[
                    record("ContainerExit", CRASH),
                    phase("Failed", CRASH),
                    record("ContainerExit", CRASH, 400_000.0),
                ],
            )
        ),
        "CRASH_APP_ERROR",
        says=("1 CRASH_APP_ERROR failure in the last 24h", "one-off"),
    ),
    "crash loop": Scenario(
        one(run(1, "Running", "CrashLoopBackOff", LOOP, pods=[pod("CrashLoopBackOff")])),
        "CRASH_APP_ERROR",
        calls=ALL,
        says=("6 restarts", "recurring"),
    ),
    "crash loop in the events alone": Scenario(
        one(
            run(
                1,
                "Running",
                "",
                "",
                events=[event("BackOff", "Back-off restarting failed container main; exit code 3")],
            )
        ),
        "CRASH_APP_ERROR",
        calls=ALL,
    ),
    "history of 230 records": Scenario(
        one(
            run(
                1,
                "Failed",
                "ContainerExit",
                CRASH,
                records=[
                    record("ContainerExit", CRASH),
                    *(record("Pulled", "Container image is there", 10.0 * number) for number in range(1, 228)),
                    record("ContainerExit", CRASH, 40_000.0),
                    phase("Running", "", 50_000.0),
                ],
            )
        ),
        "CRASH_APP_ERROR",
        calls=(STATUS, SPEC, PODS, HISTORY, HISTORY, HISTORY, HISTORY, HISTORY),
        says=("2 CRASH_APP_ERROR failures", "recurring"),
    ),
    "paging ends at the cutoff": Scenario(
        one(
            run(
                1,
                "Failed",
                "ContainerExit",
                CRASH,
                records=[
                    record("ContainerExit", CRASH),
                    *(record("Pulled", "there", 90_000.0 + number) for number in range(200)),
                ],
            )
        ),
        "CRASH_APP_ERROR",
        calls=ALL,
    ),
}
DYING: Final = Scenario(
    one(run(1, "Failed", "OOMKilled", OOM, pods=[pod("OOMKilled")]), dies_at=HISTORY),
    "OOM_KILLED",
    says=("gave no answer",),
)
"""A server whose process ends at the first question about history."""
SCENARIOS: Final = {**FAILED, **ROUTED, "dying": DYING}
ARGUMENTS: Final = ("--as-of", AS_OF, "--no-cache", "--no-history")
