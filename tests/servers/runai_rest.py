"""The REST API of a Run:ai control plane for tests: the same replay, read with GET after the exchange of a secret for a token."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

from tests.servers.runai_replay import Refused, Replay

SECRET = "app-secret-71b2c0"
ACCESS = "eyJhbGciOiJub25lIn0.eyJleHAiOjQxMDI0NDQ4MDB9.x"


@dataclass
class Api:
    """Answers about a replay; `failing` holds status codes to answer first, `refused` pieces of paths that are answered with a code."""

    replay: Replay
    failing: list[int] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    elsewhere: str = ""
    older: bool = False
    """Knows only the grant that older control planes know."""
    tokens: int = 0
    writes: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def read(self, path: str, query: dict[str, str]) -> Any:
        """Return the body for a path, or None where there is none. Raises Refused."""
        steps = path.removeprefix("/api/v1/workloads").strip("/").split("/")
        if steps == [""]:
            named = dict(part.split("==") for part in query["filterBy"].split(","))
            project = {"operator": "==", "value": named.pop("projectName")}
            order = {"sortBy": query["sortBy"], "sortOrder": query["sortOrder"]}
            page = self.replay.call(
                "list_workloads", {**named, **order, "projectName": project, "offset": int(query["offset"])}
            )
            return {"workloads": page["workloads"], "next": page.get("nextOffset")}
        kind = steps.pop(0) if steps[0] in ("trainings", "distributed") else ""
        run = next((run for run in self.replay.runs if run.id == steps[0]), None)
        if run is None:
            return None
        if kind:
            return None if run.spec is None else {"spec": run.spec}
        bodies = {
            "events": {"events": run.status["events"]},
            "pods": {"pods": run.pods, "next": None},
            "metrics": {"measurements": run.measurements},
        }
        if steps[1:] == ["history"]:
            end = int(query["offset"]) + int(query["limit"])
            records = run.records[int(query["offset"]) : end]
            return {"records": records, "next": end if end < len(run.records) else None}
        return bodies[steps[1]] if steps[1:] else {key: value for key, value in run.status.items() if key != "events"}


@contextmanager
def over_rest(api: Api) -> Iterator[str]:
    """Serve the API on a free port and yield its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"api": api}))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each answer waits 40 ms for the packet before it to be confirmed
    api: ClassVar[Api]

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if self.path != "/api/v1/token":
            self._refuse()
        elif self.api.older and body.get("grantType") != "app_token":
            self._send(400, {"message": "unknown grant"})
        elif body.get("AppSecret" if self.api.older else "clientSecret") != SECRET:
            self._send(401, {"message": f"bad secret {body.get('clientSecret')}"})
        else:
            self.api.tokens += 1
            self._send(200, {"accessToken": ACCESS})

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.api.paths.append(parts.path)
        refused = next((code for piece, code in self.api.refused.items() if piece in parts.path), None)
        if self.headers.get("authorization") != f"Bearer {ACCESS}":
            self._send(401, {"message": "no token"})
        elif self.api.elsewhere:
            self._send(302, {}, location=self.api.elsewhere)
        elif self.api.failing:
            self._send(self.api.failing.pop(0), {"message": "later"}, retry="0")
        elif refused is not None:
            self._send(refused, {"message": "no"})
        else:
            self._answer(parts.path, dict(parse_qsl(parts.query)))

    def _answer(self, path: str, query: dict[str, str]) -> None:
        try:
            body = self.api.read(path, query)
        except Refused as error:
            self._send(400, {"message": str(error)})
        else:
            self._send(404 if body is None else 200, body or {"message": "not found"})

    def _refuse(self) -> None:
        self.api.writes.append(f"{self.command} {self.path}")
        self._send(403, {"message": "this server only reads"})

    do_PUT = do_PATCH = do_DELETE = _refuse

    def _send(self, code: int, body: Any, *, location: str = "", retry: str = "") -> None:
        content = json.dumps(body).encode()
        self.send_response(code)
        for name, value in (("location", location), ("retry-after", retry)):
            if value:
                self.send_header(name, value)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
