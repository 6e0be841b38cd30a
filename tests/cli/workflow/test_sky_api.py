"""A SkyPilot API server instead of the `sky` command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.api.workflow_runs import row
from tests.cli.workflow.asked import TRACEBACK, Asked, uri
from tests.servers.sky_api import CONTROL, TOKEN, SkyServer
from tests.servers.workflow_sky import SkyStandIn

pytestmark = pytest.mark.server
ROWS = [row("12", "FAILED", failure_reason="exit 1")]


def reached(server: SkyServer, **more: str) -> dict[str, str]:
    return {"SKYPILOT_API_SERVER_ENDPOINT": server.url, "SKYPILOT_SERVICE_ACCOUNT_TOKEN": TOKEN, **more}


def project(folder: Path, server: SkyServer, sky: str = "") -> dict[str, str]:
    """Return the variables under which a project of the config file names the server."""
    path = folder / "config.toml"
    path.write_text(f'[projects.lab]\nbucket = "lab-bucket"\nsky_api = "{server.url}"\n{sky}', "utf-8")
    return {"RUNTRIAGE_CONFIG": str(path)}


def test_the_queue_of_an_api_server_verifies_the_state(ask: Asked) -> None:
    (ask.folder / ".sky").mkdir()
    (ask.folder / ".sky/user_hash").write_text("0a1b2c3d\n", "utf-8")
    with SkyServer(rows=ROWS, token=TOKEN) as server:
        code, out = ask("workflow", "status", uri("bad"), "--json", **reached(server, SKYPILOT_USER="lab"))
    found = json.loads(out)
    assert (code, found["status"], found["automation_may_trust_state"]) == (1, "FAILED", True)
    assert TOKEN not in out
    assert [what for what, _ in server.asked] == ["POST /jobs/queue/v2", "GET /api/get"]
    (_, body), (_, get) = server.asked
    assert (body["refresh"], body["all_users"], body["env_vars"]) == (
        False,
        False,
        {"SKYPILOT_USER_ID": "0a1b2c3d", "SKYPILOT_USER": "lab"},
    )
    assert {"failure_reason", "current_cluster_name"} <= set(body["fields"])
    assert get == {"request_id": "7d1b"}
    assert server.writes == []


def test_the_log_of_a_stage_comes_from_an_api_server(ask: Asked) -> None:
    with SkyServer(rows=ROWS, log=TRACEBACK) as server:
        code, found = ask.data("workflow", "diagnose", uri("quiet"), **reached(server))
    assert code == 1
    assert found["root_evidence"]["artifact"] == "sky/train.log"
    assert found["root_evidence"]["first_line"] == 5
    asked = next(body for what, body in server.asked if what == "POST /jobs/logs")
    assert (asked["job_id"], asked["task"], asked["follow"], asked["controller"]) == (12, "train", False, False)


def test_failed_starts_are_counted_in_the_controller_log_of_an_api_server(ask: Asked) -> None:
    with SkyServer(rows=[row("12", "STARTING")], controller=b'container not found ("ray-node")\n' * 3) as server:
        code, found = ask.data("workflow", "status", uri("live"), **reached(server))
    assert (code, found["status"]) == (1, "FAILED_STARTUP")


def test_a_project_names_its_api_server_although_the_command_is_there(ask: Asked) -> None:
    other = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "RUNNING")])
    with SkyServer(rows=ROWS) as server:
        variables = project(ask.folder, server) | ask.sky(other)
        code, found = ask.data("workflow", "status", uri("bad"), "--project", "lab", **variables)
    assert (code, found["status"]) == (1, "FAILED")
    assert other.calls == []


def test_a_job_is_a_target_over_an_api_server(ask: Asked) -> None:
    with SkyServer(rows=[*ROWS, row("13", "RUNNING")], log=TRACEBACK) as server:
        code, out = ask("sky:12", "--format", "json", **reached(server))
        assert ask("sky:99", **reached(server))[0] == 3
    assert code == 1
    assert json.loads(out)["root_evidence"]["artifact"] == "job.log"


@pytest.mark.parametrize(
    ("server", "category", "code"),
    [
        (SkyServer(token="sky_other"), "AUTHENTICATION", 4),
        (SkyServer(error=("KeyError", "'SKYPILOT_USER_ID'")), "AUTHENTICATION", 4),
        (SkyServer(error=("ClusterNotUpError", "the jobs controller is not up")), "CONTROLLER", 5),
        (SkyServer(error=("ClusterOwnerIdentityMismatchError", "owned by another")), "IDENTITY", 4),
    ],
)
def test_an_api_server_that_refuses_says_how(ask: Asked, server: SkyServer, category: str, code: int) -> None:
    with server:
        done, out = ask("workflow", "status", uri("bad"), "--json", **reached(server))
    found = json.loads(out)
    assert (done, found["status"]) == (code, "VERIFICATION_UNAVAILABLE")
    assert found["live_verification"]["category"] == category
    assert TOKEN not in out


def test_nobody_at_the_address_is_no_empty_queue(ask: Asked) -> None:
    with SkyServer() as server:
        gone = reached(server)
    code, found = ask.data("workflow", "status", uri("bad"), **gone)
    assert (code, found["live_verification"]["category"]) == (5, "CONTROLLER")


def test_a_token_does_not_travel_in_the_clear(ask: Asked) -> None:
    code, out = ask(
        "workflow",
        "status",
        uri("bad"),
        SKYPILOT_API_SERVER_ENDPOINT="http://sky.test",
        SKYPILOT_SERVICE_ACCOUNT_TOKEN=TOKEN,
    )
    assert code == 2
    assert "unencrypted" in out
    assert TOKEN not in out


def test_a_log_is_followed_over_an_api_server_without_what_moves_its_display(ask: Asked) -> None:
    told = b"step 1\n 50%|## " + CONTROL + b"step 2\n"
    with SkyServer(rows=ROWS, log=told, log_end=100) as server:
        code, out = ask("workflow", "logs", uri("quiet"), "--follow", **reached(server))
    assert (code, out) == (0, "step 1\n 50%|## step 2\n")
    assert server.asked[0][1]["follow"] is True
    assert server.writes == []


@pytest.mark.parametrize(("end", "why"), [(102, "no such job"), (("ClusterNotUpError", "it is gone"), "it is gone")])
@pytest.mark.parametrize("more", [(), ("--follow",)])
def test_a_log_that_the_server_could_not_fetch_is_no_empty_log(
    ask: Asked, end: int | tuple[str, str], why: str, more: tuple[str, ...]
) -> None:
    with SkyServer(rows=ROWS, log_end=end) as server:
        code, out = ask("workflow", "logs", uri("quiet"), *more, **reached(server))
    assert code == 4
    assert why in out
    assert "is empty so far" not in out


def test_accelerators_come_from_an_api_server(ask: Asked) -> None:
    gpus = [["east", [["H100", [1, 2, 4, 8], 8, 3]]], ["west", [["H100", [1], 1, 1], ["L40S", [1], 2, 2]]]]
    with SkyServer(gpus=gpus) as server:
        code, found = ask.data("workflow", "gpus", **reached(server))
    assert (code, found["sky"]["state"]) == (0, "live")
    assert found["sky"]["accelerators"] == [
        {"name": "H100", "per_node": [1, 2, 4, 8]},
        {"name": "L40S", "per_node": [1]},
    ]
    assert server.writes == []


def test_what_a_real_server_without_a_controller_answers_is_an_empty_queue_and_no_log(ask: Asked) -> None:
    with SkyServer(recorded="without a controller") as server:
        _, state = ask.data("workflow", "status", uri("bad"), **reached(server))
        live = ask.data("workflow", "status", uri("live"), **reached(server))[1]
        code, logs = ask.data("workflow", "logs", uri("quiet"), "--stage", "train", **reached(server))
        followed = ask("workflow", "logs", uri("quiet"), "--follow", **reached(server))
        offered = ask.data("workflow", "gpus", **reached(server))[1]["sky"]
    assert (state["status"], state["verification_status"]) == ("FAILED", "VERIFIED")
    assert (live["status"], live["decision"]["decision"]) == ("ABSENT", "BLOCKED_RESTORE_EVIDENCE")
    assert (code, logs["live_log_state"], logs["log"]) == (4, "unavailable", None)
    assert followed[0] == 4
    assert "No in-progress managed jobs" in followed[1]
    assert (offered["state"], "No GPUs found" in offered["reason"]) == ("failed", True)


def test_what_a_real_server_with_jobs_answers_is_read(ask: Asked) -> None:
    with SkyServer(recorded="with three jobs") as server:
        code, out = ask("sky:2", "--format", "json", **reached(server))
    found = json.loads(out)
    assert code == 1
    assert (found["root_evidence"]["artifact"], "no colour" in out) == ("job.log", True)


def test_a_log_that_is_asked_for_says_that_it_was_live(ask: Asked) -> None:
    with SkyServer(rows=ROWS, log=b"step 1\n") as server:
        code, found = ask.data("workflow", "logs", uri("quiet"), **reached(server))
    assert (code, found["live_log_state"], found["log"]) == (0, "available", "step 1\n")
