"""A SkyPilot API server over HTTP, asked what the `sky` command would ask: the queue, logs and accelerators, never a refresh.

Questions are asked by POST because the server has no other way. Each is answered under the id of a request, and only that request tells
whether it was answered at all: a log that could not be fetched comes as an empty one with status 200.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

from runtriage.model.pattern import deferred
from runtriage.targets.errors import NO_ACCESS, TargetError
from runtriage.targets.http_client import Allowed, HttpClient, Refused
from runtriage.targets.json_values import mapping
from runtriage.targets.sky import WAITING_SECONDS, Answer, checked_job
from runtriage.targets.sky_login import Login
from runtriage.targets.workflow_identity import CredentialFiles

_ALLOWED: Final = (
    Allowed("POST", r"/jobs/queue/v2"),
    Allowed("POST", r"/jobs/logs"),
    Allowed("POST", r"/realtime_kubernetes_gpu_availability"),
    Allowed("GET", r"/api/get"),
)
_REQUEST: Final = "x-skypilot-request-id"
_ID: Final = deferred(r"[A-Za-z0-9-]{1,64}")
_CONTROL: Final = deferred(rb"<sky-payload[^>\n]*>[^\n]*?</sky-payload>\r?\n?")
"""What only moves the progress display of the command."""
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
_LOG_SECONDS: Final = 120.0
_NO_SUCH_JOB: Final = "102"
"""What the request of a log returns where there is no such job; other numbers tell how the job ended."""


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

    def stage_log(self, job_id: str, stage: str, *, waits: bool = False) -> Answer:
        """Ask for what one task of a job printed so far; briefly where it `waits`, since the server holds its answer back until it starts."""
        within = WAITING_SECONDS if waits else _LOG_SECONDS
        return self._asked(lambda client: self._log(client, job_id, stage=stage, within=within))

    def accelerators(self) -> Answer:
        """Ask which accelerators the clusters of the server have, and how many of each one node can be asked for."""
        body = {"is_ssh": False}
        return self._asked(lambda client: self._returned(client, "/realtime_kubernetes_gpu_availability", body))

    def follow(self, job_id: str, stage: str) -> Iterator[bytes]:
        """Yield what a task prints, line by line, until its job ends. Raises `TargetError` where the server does not deliver a log."""
        changed = self._files.changed()
        if changed:
            raise TargetError(f"credential files changed since the run was opened: {changed}", NO_ACCESS)
        client = HttpClient("SkyPilot", self._login.endpoint, _ALLOWED, headers=self._login.headers)
        try:
            with client.lines("/jobs/logs", self._log_body(job_id, stage=stage, follow=True)) as told:
                yield from filter(None, (_CONTROL.sub(b"", line) for line in told))
            self._delivered(client, told.headers)
        except Refused as error:
            raise TargetError(f"{error}{_told(error.content)}", NO_ACCESS) from None
        finally:
            client.close()

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
        return self._returned(client, "/jobs/queue/v2", body)

    def _returned(self, client: HttpClient, path: str, body: Mapping[str, object]) -> Answer:
        """Return what a question was answered with."""
        value = self._ended(client, client.post(path, {**body, **self._who()}).headers).get("return_value")
        if not isinstance(value, str):
            raise Refused(f"SkyPilot at {client.place} gave no answer to a question that succeeded")
        return Answer(0, value.encode(), b"")

    def _ended(self, client: HttpClient, headers: Mapping[str, str]) -> Mapping[str, object]:
        """Return the request that an answer belongs to. Raises `Refused` where it did not succeed."""
        request = headers.get(_REQUEST, "")
        if not _ID.fullmatch(request):
            raise Refused(f"SkyPilot at {client.place} gave no id of a request: something else listens there")
        payload: object = client.get("/api/get", {"request_id": request}).data()
        told = mapping(payload)
        if told.get("status") != "SUCCEEDED":
            raise Refused(f"SkyPilot at {client.place}: the question ended as {str(told.get('status'))[:40]}")
        return told

    def _log(
        self,
        client: HttpClient,
        job_id: str,
        *,
        stage: str = "",
        controller: bool = False,
        within: float = _LOG_SECONDS,
    ) -> Answer:
        body = self._log_body(job_id, stage=stage, controller=controller)
        asked = client.post("/jobs/logs", body, most=_LOG, within=within)
        if not asked.cut:
            self._delivered(client, asked.headers)
        return Answer(0, _CONTROL.sub(b"", asked.content), b"")

    def _delivered(self, client: HttpClient, headers: Mapping[str, str]) -> None:
        """Raise `Refused` where the request of a log ended without one."""
        if str(self._ended(client, headers).get("return_value")) == _NO_SUCH_JOB:
            raise Refused(f"SkyPilot at {client.place} knows no such job or task of this identity")

    def _log_body(
        self, job_id: str, *, stage: str = "", controller: bool = False, follow: bool = False
    ) -> dict[str, object]:
        body: dict[str, object] = {
            "job_id": int(checked_job(job_id)),
            "follow": follow,
            "refresh": False,
            "controller": controller,
        }
        return {**body, **({"task": stage} if stage else {}), **self._who()}

    def _who(self) -> dict[str, object]:
        return {"env_vars": dict(self._login.variables)}


def _told(content: bytes) -> str:
    """Return what an error of the server says: its class and message, out of the documents it is wrapped in."""
    error = mapping(_parsed(content), "detail").get("error")
    found = mapping(_parsed(error) if isinstance(error, str) else None)
    if "SKYPILOT_USER" in str(found.get("message")):
        return (
            ": it does not know whose jobs are meant; sign in with sky api login, or ask it once with the sky command"
        )
    parts = (str(found.get(name) or "") for name in ("type", "message"))
    return "".join(f": {' '.join(part.split())[:300]}" for part in parts if part)


def _parsed(text: str | bytes) -> object:
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None
