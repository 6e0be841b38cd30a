"""`runtriage workflow` against a real S3 server that only reads, a real kubectl, and a stand-in for `sky`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.workflow_runs import BUCKET, Run, pod, row, waiting, wave
from tests.cli.running import inside
from tests.servers.kube_server import TOKEN, KubeServer
from tests.servers.s3 import SECRET, S3Server
from tests.servers.workflow_proxy import Proxy
from tests.servers.workflow_sky import SkyStandIn

pytestmark = pytest.mark.server

PREP = wave("prep", 1, "succeeded", "SUCCEEDED", "11", run="good")
TRACEBACK = b'step 1 loss=2.5\nTraceback (most recent call last):\n  File "/app/train.py", line 12, in <module>\n    main()\nValueError: the widget in row 17 has no colour\n'


def failed(name: str, **more: Any) -> Run:
    return Run(
        name=name,
        manifest="failed",
        ledger="failed",
        waves=[wave("train", 1, "failed", "FAILED", "12", run=name, error="reached terminal status FAILED")],
        **more,
    )


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    root = tmp_path_factory.mktemp("s3")
    failed("bad", extra={"npa-workflow/logs/train/run.log": TRACEBACK}).write(root)
    failed("quiet").write(root)
    Run(
        name="good",
        manifest="completed",
        ledger="succeeded",
        waves=[replace_wave("train", "good")],
        outputs={"train": 9},
        extra={"metrics.json": b'{"success_rate": 0.91}'},
    ).write(root)
    Run(name="live", waves=[wave("train", 1, "running", "STARTING", "12", run="live")]).write(root)
    logs = root / BUCKET / "plain"
    logs.mkdir()
    (logs / "rank0.log").write_bytes(TRACEBACK)
    many = root / "many"
    for number in range(60):
        base = many / "runs" / f"run-{number:02}"
        (base / "npa-workflow").mkdir(parents=True)
        stamp = f"2026-11-20T10:{number:02}:00Z"
        manifest = {
            "schema_version": "npa.workflow.run.v1",
            "workflow": "w",
            "run_id": base.name,
            "status": "failed",
            "steps": [],
            "updated_at": stamp,
        }
        (base / "npa-workflow" / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with S3Server(root) as server:
        yield server


def replace_wave(stage: str, run: str) -> dict[str, Any]:
    return wave(stage, 1, "succeeded", "SUCCEEDED", "12", run=run)


class Asked:
    """One machine that asks: its folder, its variables, a proxy between it and storage."""

    def __init__(self, folder: Path, storage: S3Server, proxy: Proxy) -> None:
        self.folder = folder
        self.proxy = proxy
        self.variables = storage.environment(proxy.own_port) | {"KUBECONFIG": str(folder / "none")}

    def __call__(self, *words: object, **variables: str) -> tuple[int, str]:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in ({"HOME": str(self.folder)} | self.variables | variables).items():
                patch.setenv(name, value)
            before = dict(os.environ)
            done = inside(*words, cwd=self.folder)
            assert dict(os.environ) == before
        assert SECRET not in done.stdout + done.stderr
        assert TOKEN not in done.stdout + done.stderr
        assert self.proxy.writes == []
        return done.returncode, done.stdout + done.stderr

    def data(self, *words: object, **variables: str) -> tuple[int, dict[str, Any]]:
        code, out = self(*words, "--json", **variables)
        return code, json.loads(out)

    def sky(self, stand_in: SkyStandIn) -> dict[str, str]:
        """Return the variables under which a stand-in is the `sky` command."""
        return {"PATH": f"{stand_in.install().parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def ask(tmp_path: Path, storage: S3Server) -> Iterator[Asked]:
    with Proxy(storage.port) as proxy:
        yield Asked(tmp_path, storage, proxy)


def uri(name: str) -> str:
    return f"s3://{BUCKET}/runs/{name}"


def test_the_newest_runs_are_listed_although_they_sort_last(ask: Asked) -> None:
    code, found = ask.data("workflow", "list", "s3://many/runs", "--limit", 50)
    assert code == 0
    assert found["total"] == 60
    assert [each["run_id"] for each in found["runs"]] == [f"run-{number:02}" for number in range(59, 9, -1)]


def test_a_listing_that_is_refused_is_no_empty_list(ask: Asked) -> None:
    ask.proxy.denied = ("list-type=2",)
    code, out = ask("workflow", "list", "s3://many/runs")
    assert code == 4
    assert "access denied" in out


def test_a_missing_bucket_is_said_to_be_missing(ask: Asked) -> None:
    code, out = ask("workflow", "list", "s3://nowhere/runs")
    assert code == 3
    assert "no such bucket" in out


def test_runs_of_a_refused_manifest_are_named(ask: Asked) -> None:
    ask.proxy.denied = ("run-07/npa-workflow/manifest.json",)
    _, found = ask.data("workflow", "list", "s3://many/runs")
    assert found["total"] == 59
    assert [each["prefix"] for each in found["unreadable"]] == ["s3://many/runs/run-07"]


def test_a_failed_run_is_told_from_storage_alone(ask: Asked) -> None:
    code, found = ask.data("workflow", "status", uri("bad"))
    assert code == 1
    assert (found["status"], found["class"], found["decision"]["decision"]) == ("FAILED", "payload", "FIX_PAYLOAD")
    assert not found["automation_may_trust_state"]


def test_a_live_queue_verifies_the_state_and_gets_the_projects_credentials_in_its_own_process_only(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])
    code, found = ask.data("workflow", "status", uri("bad"), **ask.sky(sky))
    assert code == 1
    assert found["automation_may_trust_state"]
    assert sky.calls == ["jobs queue --all --verbose --output json"]
    assert f"AWS_SECRET_ACCESS_KEY={SECRET}" in sky.environment


def test_refused_storage_is_never_absence(ask: Asked) -> None:
    ask.proxy.denied = ("/runs/bad",)
    code, found = ask.data("workflow", "status", uri("bad"))
    assert code == 4
    assert found["status"] == "VERIFICATION_UNAVAILABLE"
    assert found["decision"]["decision"] == "BLOCKED_RESTORE_EVIDENCE"


def test_a_run_that_is_not_there_is_not_found(ask: Asked) -> None:
    code, found = ask.data("workflow", "status", uri("never"))
    assert code == 3
    assert found["status"] == "NOT_FOUND"


def test_a_document_that_breaks_off_is_no_document(ask: Asked) -> None:
    ask.proxy.cut = ("/runs/bad/npa-workflow/manifest.json",)
    code, found = ask.data("workflow", "status", uri("bad"))
    assert code == 4
    assert found["status"] == "VERIFICATION_UNAVAILABLE"


def test_an_output_that_may_not_be_looked_at_is_not_missing(ask: Asked) -> None:
    ask.proxy.denied = ("/good/train/out.bin",)
    _, found = ask.data("workflow", "status", uri("good"))
    assert found["decision"]["decision"] == "BLOCKED_RESTORE_EVIDENCE"
    assert found["stages"]["train"]["outputs"][0]["state"] == "indeterminate"


def test_cached_evidence_is_marked_and_asks_nobody(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])
    code, found = ask.data("workflow", "status", uri("bad"), "--cached", **ask.sky(sky))
    assert code == 5
    assert (found["status"], found["last_known"]["state"]) == ("CACHED", "FAILED")
    assert not found["automation_may_trust_state"]
    assert sky.calls == []


def test_cached_and_watch_do_not_go_together(ask: Asked) -> None:
    assert ask("workflow", "status", uri("bad"), "--cached", "--watch")[0] == 2


def test_a_threshold_of_zero_is_wrong_usage(ask: Asked) -> None:
    assert ask("workflow", "status", uri("bad"), "--startup-failure-threshold", 0)[0] == 2


def test_watching_ends_with_the_run_and_prints_a_line_a_look(ask: Asked) -> None:
    code, out = ask(
        "workflow",
        "status",
        uri("bad"),
        "--watch",
        "--interval",
        "0.01",
        "--json",
        **ask.sky(SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])),
    )
    assert code == 1
    assert [json.loads(line)["status"] for line in out.splitlines()] == ["FAILED"]


def test_watching_ends_on_a_contradiction_that_stays(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "SUCCEEDED")])
    code, out = ask("workflow", "status", uri("bad"), "--watch", "--interval", "0.01", "--json", **ask.sky(sky))
    assert code == 5
    assert [json.loads(line)["status"] for line in out.splitlines()] == ["UNKNOWN"] * 3


@pytest.mark.parametrize(
    ("errors", "error_code", "category", "exit_code"),
    [
        ("sky.exceptions.ClusterOwnerIdentityMismatchError: owned by another", "LIVE_IDENTITY_MISMATCH", "IDENTITY", 4),
        ("getaddrinfo failed", "DNS_RESOLUTION_FAILED", "DNS", 5),
        ("403 Forbidden", "LIVE_QUERY_FORBIDDEN", "RBAC", 4),
        ("connection refused", "LIVE_CONTROLLER_UNREACHABLE", "CONTROLLER", 5),
    ],
)
def test_a_queue_that_fails_says_how(ask: Asked, errors: str, error_code: str, category: str, exit_code: int) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue="", errors=errors, code=1)
    code, found = ask.data("workflow", "status", uri("bad"), **ask.sky(sky))
    assert code == exit_code
    assert found["status"] == "VERIFICATION_UNAVAILABLE"
    assert found["live_verification"]["error_code"] == error_code
    assert found["live_verification"]["category"] == category


def test_a_stalled_pull_is_read_from_the_pod_of_exactly_this_job(ask: Asked) -> None:
    stalled = pod("train-12-0a1b2c3d", **waiting("ImagePullBackOff", "Back-off pulling image: 403 Forbidden"))
    other = pod("train-12-333-0a1b2c3d", **waiting("CrashLoopBackOff", "another job"))
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "STARTING")])
    with KubeServer(objects=[named(stalled), named(other)]) as cluster:
        code, found = ask.data(
            "workflow", "diagnose", uri("live"), **(ask.sky(sky) | {"KUBECONFIG": str(cluster.kubeconfig(ask.folder))})
        )
        assert cluster.writes == []
    workflow = found["workflow"]
    assert code == 1
    assert (workflow["status"], workflow["reason_code"]) == ("STARTING", "IMAGE_PULL_AUTH")
    assert workflow["decision"]["decision"] == "FIX_CONFIG_START_FRESH"
    assert workflow["decision"]["cancel_first"]
    assert workflow["kubernetes"]["pods_for_job"] == 1
    assert all("cancel" not in call for call in sky.calls)


def test_a_cluster_that_forbids_looking_is_not_one_without_blockers(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "STARTING")])
    with KubeServer(objects=[], denied=["/pods"]) as cluster:
        _, found = ask.data(
            "workflow", "status", uri("live"), **(ask.sky(sky) | {"KUBECONFIG": str(cluster.kubeconfig(ask.folder))})
        )
    assert found["kubernetes"]["error_code"] == "KUBERNETES_RBAC"
    assert any("not the same as nothing blocking" in note for note in found["diagnostics"])


def named(item: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", **item}


def test_artifacts_name_the_first_stage_without_its_outputs(ask: Asked) -> None:
    code, found = ask.data("workflow", "artifacts", uri("bad"))
    assert code == 0
    assert found["first_stage_without_outputs"] == "train"
    assert found["stages"][0]["missing"] == [f"{uri('bad')}/train/out.bin"]


def test_stored_logs_need_nobody(ask: Asked) -> None:
    code, found = ask.data("workflow", "logs", uri("bad"), "--cached")
    assert code == 0
    assert (found["live_log_state"], found["cached_log_state"]) == ("not_attempted", "available")
    assert "no colour" in found["log"]


def test_a_log_that_is_not_kept_and_one_that_is_refused_differ(ask: Asked) -> None:
    _, absent = ask.data("workflow", "logs", uri("quiet"), "--cached")
    ask.proxy.denied = ("run.log",)
    code, refused = ask.data("workflow", "logs", uri("quiet"), "--cached")
    assert absent["cached_log_state"] == "absent"
    assert refused["cached_log_state"] == "unreadable"
    assert code == 4


def test_an_empty_live_log_is_an_answer(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", log="")
    code, found = ask.data("workflow", "logs", uri("quiet"), **ask.sky(sky))
    assert code == 0
    assert found["live_log_state"] == "available"
    assert found["live_log_empty"]


def test_following_without_a_controller_is_an_error(ask: Asked) -> None:
    code, out = ask("workflow", "logs", uri("quiet"), "--follow")
    assert code == 4
    assert "sky" in out


def test_following_prints_what_the_job_prints(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", log="step 1\nstep 2\n")
    assert ask("workflow", "logs", uri("quiet"), "--follow", **ask.sky(sky)) == (0, "step 1\nstep 2\n")
    assert sky.calls == ["jobs logs 12 train --follow"]


def test_the_log_of_the_failed_stage_goes_through_the_log_engine(ask: Asked) -> None:
    code, found = ask.data("workflow", "diagnose", uri("bad"))
    assert code == 1
    assert found["primary_cause"] == "data-pipeline"
    assert found["root_evidence"]["artifact"] == "npa-workflow/logs/train/run.log"
    assert found["workflow"]["failing_stage"] == "train"


def test_an_address_alone_is_diagnosed_with_its_workflow(ask: Asked) -> None:
    code, out = ask(uri("bad"), "--format", "json")
    assert code == 1
    assert json.loads(out)["workflow"]["decision"]["decision"] == "FIX_PAYLOAD"
    assert "Workflow decision: FIX_PAYLOAD" in ask(uri("bad"))[1]


def test_a_plain_folder_of_logs_on_storage_is_a_target(ask: Asked) -> None:
    code, out = ask(f"s3://{BUCKET}/plain", "--format", "json")
    assert code == 1
    assert json.loads(out)["workflow"] is None
    assert "no colour" in out
    assert ask(f"s3://{BUCKET}/plain/nothing.log")[0] == 3


def test_a_project_of_the_config_file_finds_runs_by_id(ask: Asked) -> None:
    config = ask.folder / "config.toml"
    endpoint = ask.variables.pop("AWS_ENDPOINT_URL")
    sky = SkyStandIn(ask.folder / "other-sky", queue=[row("12", "FAILED")])
    config.write_text(
        f'[projects.lab]\nbucket = "{BUCKET}"\nprefix = "runs"\nendpoint = "{endpoint}"\nsky = "{sky.install()}"\n',
        "utf-8",
    )
    code, found = ask.data("workflow", "status", "bad", "--project", "lab", RUNTRIAGE_CONFIG=str(config))
    assert code == 1
    assert found["run_prefix_uri"] == uri("bad")
    assert found["automation_may_trust_state"]
    assert "--project lab" in found["decision"]["command"]
    assert ask("workflow", "status", "bad", "--project", "lba", RUNTRIAGE_CONFIG=str(config))[0] == 2


def test_two_runs_are_compared(ask: Asked) -> None:
    _, found = ask.data("workflow", "compare", uri("good"), uri("bad"))
    rows = {(each["kind"], each["what"]): (each["base"], each["candidate"]) for each in found["differences"]}
    assert rows["state", "run"] == ("SUCCEEDED", "FAILED")
    assert rows["metric", "success_rate"] == (0.91, None)


def test_runs_that_may_not_be_read_are_not_said_to_be_alike(ask: Asked) -> None:
    ask.proxy.denied = ("/runs/",)
    code, out = ask("workflow", "compare", uri("good"), uri("bad"))
    assert code == 4
    assert "nothing can be said about what differs" in out


def test_runs_that_are_not_there_are_not_compared(ask: Asked) -> None:
    code, out = ask("workflow", "compare", uri("never"), uri("bad"))
    assert code == 3
    assert "no record of a run" in out


def test_what_one_run_does_not_show_is_named_and_taken_for_no_difference(ask: Asked) -> None:
    ask.proxy.denied = ("/good/workflow.yaml", "/good/metrics.json")
    code, found = ask.data("workflow", "compare", uri("good"), uri("bad"))
    assert code == 0
    assert [(each["run"], each["path"]) for each in found["unreadable"]] == [
        ("base", "workflow.yaml"),
        ("base", "metrics.json"),
    ]
    assert not {"spec", "metric"} & {each["kind"] for each in found["differences"]}
    assert "not compared: metrics.json of the base" in ask("workflow", "compare", uri("good"), uri("bad"))[1]


def test_accelerators_come_from_sky_and_from_the_nodes(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin")
    code, found = ask.data("workflow", "gpus", **ask.sky(sky))
    assert code == 0
    assert found["sky"]["accelerators"] == [
        {"name": "H100", "per_node": [1, 2, 4, 8]},
        {"name": "L40S", "per_node": [1]},
    ]
    assert found["nodes"]["state"] == "failed"


def test_credential_files_that_change_block(ask: Asked) -> None:
    credentials = ask.folder / "credentials"
    credentials.write_text("[default]\n", "utf-8")
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])
    program = sky.install()
    program.write_text(program.read_text("utf-8").replace("env >", f"echo '# other' >> {credentials}\nenv >"), "utf-8")
    variables = {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "AWS_SHARED_CREDENTIALS_FILE": str(credentials),
    }
    code, found = ask.data("workflow", "status", uri("bad"), **variables)
    assert code == 4
    assert found["live_verification"]["category"] == "IDENTITY"


def test_a_job_of_sky_is_a_target(ask: Asked) -> None:
    sky = SkyStandIn(
        ask.folder / "sky-bin",
        queue=[row("12", "FAILED", failure_reason="exit 1"), row("13", "RUNNING")],
        log=TRACEBACK.decode(),
    )
    code, out = ask("sky:12", "--format", "json", **ask.sky(sky))
    assert code == 1
    assert json.loads(out)["root_evidence"]["artifact"] == "job.log"
    assert ask("sky:99", **ask.sky(sky))[0] == 3
    assert ask("sky:12")[0] == 4


def test_what_a_run_wrote_is_never_listed_to_find_it(ask: Asked) -> None:
    assert ask("workflow", "list", f"s3://{BUCKET}/runs")[0] == 0
    listed = [path for _, path, _ in ask.proxy.requests if "list-type" in path]
    assert len(listed) == 1


def test_a_launch_without_records_is_known_from_its_receipt(ask: Asked) -> None:
    receipt = ask.folder / ".npa/workflow-submissions/lab/never.json"
    receipt.parent.mkdir(parents=True)
    receipt.write_text(
        json.dumps({"schema_version": "npa.workflow.submission.v1", "launch_state": "launching"}), "utf-8"
    )
    code, found = ask.data("workflow", "status", uri("never"))
    assert code == 5
    assert (found["status"], found["npa_exit"]) == ("PARTIAL_SUBMISSION", 3)


def test_slow_answers_are_waited_for(ask: Asked) -> None:
    ask.proxy.slow, ask.proxy.delay = ("manifest.json",), 0.3
    assert ask("workflow", "status", uri("bad"))[0] == 1


def test_a_run_can_be_named_by_its_scheme(ask: Asked) -> None:
    config = ask.folder / "config.toml"
    config.write_text(f'[projects.lab]\nbucket = "{BUCKET}"\nprefix = "runs"\n', "utf-8")
    code, out = ask("workflow:bad", "--format", "json", RUNTRIAGE_CONFIG=str(config))
    assert code == 1
    assert json.loads(out)["workflow"]["failing_stage"] == "train"


def test_a_copy_of_a_run_in_a_folder_is_diagnosed_without_asking_anybody(ask: Asked) -> None:
    copy = failed("copy", extra={"npa-workflow/logs/train/run.log": TRACEBACK}).write(ask.folder)
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")])
    code, out = ask(copy, "--format", "json", **ask.sky(sky))
    workflow = json.loads(out)["workflow"]
    assert code == 1
    assert (workflow["status"], workflow["decision"]["decision"]) == ("FAILED", "FIX_PAYLOAD")
    assert sky.calls == []
    assert ask.proxy.requests == []


def test_a_log_that_only_the_queue_has_goes_through_the_log_engine(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")], log=TRACEBACK.decode())
    code, found = ask.data("workflow", "diagnose", uri("quiet"), **ask.sky(sky))
    assert code == 1
    assert found["root_evidence"]["artifact"] == "sky/train.log"
    assert found["workflow"]["automation_may_trust_state"]
    assert "jobs logs 12 train --no-follow" in sky.calls


def test_a_live_log_that_cannot_be_had_is_named_as_unread(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "FAILED")], log="connection refused", log_code=1)
    _, found = ask.data("workflow", "diagnose", uri("quiet"), **ask.sky(sky))
    assert any("sky/train.log" in item for item in found["coverage"]["not_seen"])


def test_the_namespace_at_hand_is_read_where_the_whole_cluster_may_not_be(ask: Asked) -> None:
    stalled = pod("train-12-0a1b2c3d", **waiting("ErrImagePull", "manifest unknown"))
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "STARTING")])
    with KubeServer(objects=[named(stalled)], denied=["/api/v1/pods", "/nodes"]) as cluster:
        _, found = ask.data(
            "workflow", "status", uri("live"), **(ask.sky(sky) | {"KUBECONFIG": str(cluster.kubeconfig(ask.folder))})
        )
    assert found["reason_code"] == "IMAGE_NOT_FOUND"
