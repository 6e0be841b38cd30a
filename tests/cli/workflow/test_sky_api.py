"""A SkyPilot API server instead of the `sky` command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.api.workflow_runs import row
from tests.cli.workflow.asked import TRACEBACK, Asked, uri
from tests.servers.sky_api import TOKEN, SkyServer
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
        code, out = ask("workflow", "status", uri("bad"), "--json", **reached(server))
    found = json.loads(out)
    assert (code, found["status"], found["automation_may_trust_state"]) == (1, "FAILED", True)
    assert TOKEN not in out
    assert [what for what, _ in server.asked] == ["POST /jobs/queue/v2", "GET /api/get"]
    (_, body), (_, get) = server.asked
    assert (body["refresh"], body["all_users"], body["env_vars"]) == (False, False, {"SKYPILOT_USER_ID": "0a1b2c3d"})
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


def test_following_over_an_api_server_is_an_error_and_no_empty_log(ask: Asked) -> None:
    with SkyServer(rows=ROWS, log=b"step 1\n") as server:
        code, out = ask("workflow", "logs", uri("quiet"), "--follow", **reached(server))
    assert code == 4
    assert "needs the sky command" in out


def test_a_log_that_is_asked_for_says_that_it_was_live(ask: Asked) -> None:
    with SkyServer(rows=ROWS, log=b"step 1\n") as server:
        code, found = ask.data("workflow", "logs", uri("quiet"), **reached(server))
    assert (code, found["live_log_state"], found["log"]) == (0, "available", "step 1\n")
