"""A Kubernetes API server that only reads: enough for the real `kubectl` and the Python client; every write is refused and recorded.

with KubeServer(objects=[pod, job], logs={("ml", "train-0", "main", True): b"Traceback ..."}) as server:
    config = server.kubeconfig(folder)      # KUBECONFIG for kubectl; its only context is `test`
    ...
assert server.writes == []
"""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Self
from urllib.parse import parse_qsl, urlsplit

from tests.servers.kube_kinds import CLUSTER_WIDE, KINDS, discovery, group_list, plural_of, version

Object = dict[str, Any]
TOKEN = "kube-bearer-9f31c7"
"""What the config file presents; it must never turn up in any output."""


@dataclass
class KubeServer:
    """Serves `objects`; what is to be kept from the client is said by the other fields.

    `logs` maps (namespace, pod, container, previous) to bytes; a container of None stands for any. `denied` holds pieces of paths that
    are answered with 403, `gone` pieces that are answered with 500. `delay` seconds pass before every answer. `requests` records
    every path asked for, in order, `writes` every attempt to change something, with its method.
    """

    objects: Iterable[Object] = ()
    logs: Mapping[tuple[str, str, str | None, bool], bytes] = field(default_factory=dict)
    denied: Sequence[str] = ()
    gone: Sequence[str] = ()
    delay: float = 0.0
    hangs: Sequence[str] = ()
    """Pieces of paths that are answered only after ten seconds."""
    certificate: Path | None = None
    """With one, the server speaks TLS and answers only who presents the token, as a real one does."""
    requests: list[str] = field(default_factory=list[str])
    writes: list[str] = field(default_factory=list[str])
    presented: set[str] = field(default_factory=set[str])
    """Authorization headers; kubectl presents none over plain HTTP."""

    def __enter__(self) -> Self:
        self._held = {
            (item["apiVersion"], plural_of(item["kind"]), _home(item), item["metadata"]["name"]): item
            for item in self.objects
        }
        handler = type("Handler", (_Handler,), {"cluster": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        if self.certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The address, `http://127.0.0.1:PORT`, or `https:` where it has a certificate."""
        return f"http{'s' if self.certificate else ''}://127.0.0.1:{self.port}"

    @property
    def port(self) -> int:
        """The port it listens at."""
        return self._server.server_port

    def kubeconfig(self, folder: Path, namespace: str = "ml") -> Path:
        """Write a config file whose only context is `test`, and return its path."""
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "test",
            "clusters": [{"name": "test", "cluster": {"server": self.url}}],
            "users": [{"name": "reader", "user": {"token": TOKEN}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "reader", "namespace": namespace}}],
        }
        path = folder / "kubeconfig"
        path.write_text(json.dumps(config), encoding="utf-8")
        path.chmod(0o600)
        return path

    def find(self, api: str, plural: str, namespace: str | None, name: str) -> Object | None:
        """Return one object, or None."""
        return self._held.get((api, plural, namespace, name))

    def list(self, api: str, plural: str, namespace: str | None, asked: Mapping[str, str]) -> list[Object]:
        """Return the objects of one kind that the selectors of a request let through."""
        found = [
            item
            for (of, kind, home, _), item in self._held.items()
            if (of, kind) == (api, plural) and (namespace is None or home == namespace)
        ]
        labels = list(_terms(asked.get("labelSelector", "")))
        fields = list(_terms(asked.get("fieldSelector", "")))
        found = [item for item in found if all(_labelled(item, key, value) for key, value in labels)]
        return [item for item in found if all(_chosen(item, key, value) for key, value in fields)]


def _home(item: Object) -> str | None:
    return None if plural_of(item["kind"]) in CLUSTER_WIDE else item["metadata"].get("namespace", "default")


def _terms(selector: str) -> Iterator[tuple[str, str | None]]:
    """Yield key and value of each term; a key alone asks only that it is there."""
    for term in filter(None, selector.split(",")):
        key, equals, value = term.partition("=")
        yield key, value.lstrip("=") if equals else None


def _labelled(item: Object, key: str, value: str | None) -> bool:
    labels = item["metadata"].get("labels", {})
    return key in labels if value is None else labels.get(key) == value


def _chosen(item: Object, key: str, value: str | None) -> bool:
    """Tell whether a field has a value, or where the term says `!=` has another one."""
    return (_field(item, key.rstrip("!")) == value) != key.endswith("!")


def _field(item: Object, path: str) -> str:
    value: Any = item
    for step in path.split("."):
        value = value.get(step, "") if isinstance(value, dict) else ""
    return str(value)


class _Handler(BaseHTTPRequestHandler):
    """Answers GET; anything else is an attempt to write."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each answer waits 40 ms for the packet before it to be confirmed
    cluster: ClassVar[KubeServer]

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: requests are recorded."""

    def do_GET(self) -> None:
        cluster = self.cluster
        cluster.requests.append(self.path)
        cluster.presented.add(self.headers.get("authorization", ""))
        hangs = any(piece in self.path for piece in cluster.hangs)
        if cluster.delay or hangs:
            time.sleep(10.0 if hangs else cluster.delay)
        parts = urlsplit(self.path)
        steps = [step for step in parts.path.split("/") if step]
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        if cluster.certificate is not None and (scheme.lower(), token) != ("bearer", TOKEN):
            self._status(401, "Unauthorized", "Unauthorized")
        elif any(piece in self.path for piece in cluster.denied):
            self._status(403, "Forbidden", f'{steps[-1]} is forbidden: User "reader" cannot get resource')
        elif any(piece in self.path for piece in cluster.gone):
            self._status(500, "InternalError", "etcdserver: request timed out")
        elif steps == ["version"]:
            self._send(version())
        elif steps == ["api"]:
            self._send({"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []})
        elif steps == ["apis"]:
            self._send(group_list())
        else:
            self._resource(steps, dict(parse_qsl(parts.query)))

    def _resource(self, steps: list[str], asked: dict[str, str]) -> None:
        api, rest = ("v1", steps[2:]) if steps[:1] == ["api"] else ("/".join(steps[1:3]), steps[3:])
        if api not in KINDS:
            self._status(404, "NotFound", "the server could not find the requested resource")
            return
        if not rest:
            self._send(discovery(api))
            return
        namespace = None
        if rest[0] == "namespaces" and len(rest) > 2:
            namespace, rest = rest[1], rest[2:]
        plural, name, part = [*rest, "", ""][:3]
        kind = KINDS[api].get(plural)
        if kind is None:
            self._status(404, "NotFound", "the server could not find the requested resource")
        elif part == "log":
            self._log(namespace or "", name, asked)
        elif name:
            found = self.cluster.find(api, plural, namespace, name)
            if found is None:
                self._status(404, "NotFound", f'{plural} "{name}" not found')
            else:
                self._send(found)
        else:
            self._list(api, kind, self.cluster.list(api, plural, namespace, asked), asked)

    def _list(self, api: str, kind: str, items: list[Object], asked: Mapping[str, str]) -> None:
        start, limit = int(asked.get("continue") or 0), int(asked.get("limit") or 0)
        end = start + limit if limit else len(items)
        more = {"continue": str(end), "remainingItemCount": len(items) - end} if end < len(items) else {}
        metadata = {"resourceVersion": "1", **more}
        page = [
            {key: value for key, value in item.items() if key not in ("kind", "apiVersion")}
            for item in items[start:end]
        ]
        self._send({"kind": f"{kind}List", "apiVersion": api, "metadata": metadata, "items": page})

    def _log(self, namespace: str, pod: str, asked: Mapping[str, str]) -> None:
        previous = asked.get("previous") == "true"
        logs, container = self.cluster.logs, asked.get("container")
        content = logs.get((namespace, pod, container, previous), logs.get((namespace, pod, None, previous)))
        if content is None:
            what = "previous terminated container" if previous else "container"
            self._status(400, "BadRequest", f'{what} "{container}" in pod "{pod}" not found')
            return
        if "tailLines" in asked:
            content = b"".join(content.splitlines(keepends=True)[-int(asked["tailLines"]) :])
        if "limitBytes" in asked:
            content = content[: int(asked["limitBytes"])]
        self._send(content, kind="text/plain")

    def _refuse(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.cluster.writes.append(f"{self.command} {self.path}")
        self._status(403, "Forbidden", "this server only reads")

    do_POST = do_PUT = do_PATCH = do_DELETE = _refuse

    def _status(self, code: int, reason: str, message: str) -> None:
        status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure"}
        self._send({**status, "message": message, "reason": reason, "code": code}, code)

    def _send(self, body: Object | bytes, code: int = 200, kind: str = "application/json") -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        with suppress(ConnectionError):  # who asked may be gone
            self.end_headers()
            self.wfile.write(content)
