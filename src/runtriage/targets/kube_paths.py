"""The one table from requests to the paths of the Kubernetes API: what it does not hold cannot be asked for, Secrets least of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote, urlencode

from runtriage.model.artifact import Request
from runtriage.model.kube import PLAIN_PATHS
from runtriage.model.pattern import deferred

PAGE: Final = 500
"""Objects a page of a list."""
LOG_LINES: Final = 50_000
LOG_BYTES: Final = 32 << 20
_NAME: Final = deferred(r"[a-z0-9]([a-z0-9.:-]{0,251}[a-z0-9])?")
_ALLOWED: Final = deferred(
    r"/api/v1/(?:pods|nodes(?:/N)?|namespaces/N/(?:pods(?:/N(?:/log)?)?|events|persistentvolumeclaims/N))"
    r"|/apis/kueue\.x-k8s\.io/v1beta1/namespaces/N/workloads"
    r"|/apis/[a-z0-9.-]+/v[a-z0-9]+/namespaces/N/[a-z]+/N".replace("N", r"[a-z0-9][a-z0-9.:-]{0,252}")
)


def url(request: Request) -> str | None:
    """Return the path and query that answer a request, or None for one that is not in the table. Raises ValueError for odd names."""
    make = _MAKERS.get(request.kind)
    if make is None:
        return None
    made = make({key: value if key in _FREE else _checked(value) for key, value in request.args.items()})
    if not _ALLOWED.fullmatch(made.partition("?")[0]):
        raise ValueError(f"{made.partition('?')[0]} is not on the list of paths that may be read")
    return made


def page_of(made: str, token: str) -> str:
    """Return the path of the next page of a list."""
    return f"{made}&continue={quote(token, safe='')}"


_FREE: Final = frozenset({"path", "selector", "follow", "rank", "previous", "kind"})


def _checked(value: str) -> str:
    if value and not _NAME.fullmatch(value):
        raise ValueError(f"{value[:60]!r} is no name of a Kubernetes object")
    return value


def _with(path: str, **query: str | int) -> str:
    return f"{path}?{urlencode(query)}" if query else path


def _events(args: Mapping[str, str]) -> str:
    named = {"fieldSelector": f"involvedObject.name={args['name']}"} if args["name"] else {}
    return _with(f"/api/v1/namespaces/{args['namespace']}/events", limit=PAGE, **named)


def _log(args: Mapping[str, str]) -> str:
    previous = {"previous": "true"} if args["previous"] else {}
    bounds = {"tailLines": LOG_LINES, "limitBytes": LOG_BYTES, "container": args["container"]}
    return _with(f"/api/v1/namespaces/{args['namespace']}/pods/{args['pod']}/log", **previous, **bounds)


def _owner(args: Mapping[str, str]) -> str:
    api, plural = PLAIN_PATHS[args["kind"]]
    return f"/apis/{api}/namespaces/{args['namespace']}/{plural}/{args['name']}"


_MAKERS: Final[Mapping[str, Callable[[Mapping[str, str]], str]]] = {
    "k8s/pod": lambda args: f"/api/v1/namespaces/{args['namespace']}/pods/{args['name']}",
    "k8s/pods": lambda args: _with(
        f"/api/v1/namespaces/{args['namespace']}/pods", limit=PAGE, labelSelector=args["selector"]
    ),
    "k8s/where": lambda args: _with("/api/v1/pods", limit=PAGE, fieldSelector=f"metadata.name={args['name']}"),
    "k8s/events": _events,
    "k8s/log": _log,
    "k8s/node": lambda args: f"/api/v1/nodes/{args['name']}",
    "k8s/nodes": lambda _: _with("/api/v1/nodes", limit=PAGE),
    "k8s/claim": lambda args: f"/api/v1/namespaces/{args['namespace']}/persistentvolumeclaims/{args['name']}",
    "k8s/owner": _owner,
    "k8s/queued": lambda args: _with(
        f"/apis/kueue.x-k8s.io/v1beta1/namespaces/{args['namespace']}/workloads",
        limit=PAGE,
        labelSelector=f"kueue.x-k8s.io/job-uid={args['uid']}",
    ),
}
