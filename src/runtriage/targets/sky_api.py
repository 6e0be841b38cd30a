"""A SkyPilot API server over HTTP, asked what the `sky` command would ask: the queue and logs, never a refresh.

Two questions are asked by POST because the server has no other way; each is answered under the id of a request.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

from runtriage.model.pattern import deferred
from runtriage.targets.errors import NO_ACCESS, TargetError
from runtriage.targets.http_client import Allowed, HttpClient, Refused
from runtriage.targets.sky import Answer, checked_job
from runtriage.targets.sky_login import Login
from runtriage.targets.workflow_identity import CredentialFiles

_ALLOWED: Final = (Allowed("POST", r"/jobs/queue/v2"), Allowed("POST", r"/jobs/logs"), Allowed("GET", r"/api/get"))
_REQUEST: Final = "x-skypilot-request-id"
_ID: Final = deferred(r"[A-Za-z0-9-]{1,64}")
_CONTROL: Final = deferred(rb"(?m)^.*<sky-payload[^>]*>.*</sky-payload>\r?\n?")
"""Lines that only move the progress display of the command."""
_FIELDS: Final = (
    "job_id",
    "task_id",
    "job_name",
    "task_name",
    "status",
    "submitted_at",
    "start_at",
    "end_at",
    "recovery_count",
    "schedule_state",
    "failure_reason",
    "details",
    "current_cluster_name",
    "is_primary_in_job_group",
)
"""Fields of a row; a server leaves out the reason of a failure unless it is asked for."""
_LOG: Final = 64 << 20


class SkyApi:
    """One API server under one login."""

    present = True

    def __init__(self, login: Login, files: CredentialFiles) -> None:
        self._login = login
        self._files = files

    def queue(self) -> Answer:
        """Ask for all jobs of this identity with every field; without a refresh, which might restart a controller."""
        return self._asked(self._queue)

    def controller_log(self, job_id: str) -> Answer:
        """Ask for the log of the controller of one job."""
        return self._asked(lambda client: self._log(client, job_id, controller=True))

    def stage_log(self, job_id: str, stage: str) -> Answer:
        """Ask for what one task of a job printed so far."""
        return self._asked(lambda client: self._log(client, job_id, stage=stage))

    def accelerators(self) -> Answer:
        """Tell that an API server is not asked for them; the nodes themselves say the same."""
        return Answer(1, b"", b"", "the API server is not asked which accelerators there are")

    def follow(self, job_id: str, stage: str) -> Iterator[bytes]:
        """Raise `TargetError`: an API server is asked for what there is, not for what comes."""
        raise TargetError(
            f"job {job_id}: --follow needs the sky command; without it the API server is asked for what there is so far",
            NO_ACCESS,
        )

    def _asked(self, question: Callable[[HttpClient], Answer]) -> Answer:
        changed = self._files.changed()
        if changed:
            return Answer(1, b"", b"", f"credential files changed since the run was opened: {changed}")
        try:
            client = HttpClient("SkyPilot", self._login.endpoint, _ALLOWED, headers=self._login.headers)
        except TargetError as error:
            return Answer(1, b"", b"", str(error))
        try:
            answer = question(client)
        except Refused as error:
            return Answer(1, b"", f"{error}{_told(error.content)}".encode())
        finally:
            client.close()
        changed = self._files.changed()
        return (
            answer if not changed else Answer(1, b"", b"", f"credential files changed while sky was asked: {changed}")
        )

    def _queue(self, client: HttpClient) -> Answer:
        body = {"refresh": False, "skip_finished": False, "all_users": False, "fields": list(_FIELDS)}
        asked = client.post("/jobs/queue/v2", {**body, **self._who()})
        request = asked.headers.get(_REQUEST, "")
        if not _ID.fullmatch(request):
            raise Refused(f"SkyPilot at {client.place} gave no id of a request: something else listens there")
        payload: object = client.get("/api/get", {"request_id": request}).data()
        told = _held(payload)
        value = told.get("return_value")
        if told.get("status") != "SUCCEEDED" or not isinstance(value, str):
            raise Refused(f"SkyPilot at {client.place}: the question ended as {str(told.get('status'))[:40]}")
        return Answer(0, value.encode(), b"")

    def _log(self, client: HttpClient, job_id: str, *, stage: str = "", controller: bool = False) -> Answer:
        body: dict[str, object] = {
            "job_id": int(checked_job(job_id)),
            "follow": False,
            "refresh": False,
            "controller": controller,
        }
        asked = client.post("/jobs/logs", {**body, **({"task": stage} if stage else {}), **self._who()}, most=_LOG)
        return Answer(0, _CONTROL.sub(b"", asked.content), b"")

    def _who(self) -> dict[str, object]:
        return {"env_vars": dict(self._login.variables)}


def _told(content: bytes) -> str:
    """Return what an error of the server says: its class and message, out of the documents it is wrapped in."""
    error = _held(_held(_parsed(content)).get("detail")).get("error")
    found = _held(_parsed(error) if isinstance(error, str) else None)
    parts = (str(found.get(name) or "") for name in ("type", "message"))
    return "".join(f": {' '.join(part.split())[:300]}" for part in parts if part)


def _parsed(text: str | bytes) -> object:
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None


def _held(value: object) -> Mapping[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
