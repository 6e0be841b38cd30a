"""Answers requests to Kubernetes from one cluster, and keeps what came."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from runtriage.model.artifact import Artifact, Collected, Empty, Outcome, Request, Skipped, Unavailable
from runtriage.model.kube import KIND
from runtriage.targets.fetched import Shelf
from runtriage.targets.kube_paths import page_of, url
from runtriage.targets.kube_reader import KubeError, KubeReader

_TRIES: Final = 3
_PAUSE: Final = 0.3
_PATIENCE: Final = 2
"""So many answers in a row are waited for in vain; then no more are asked for."""
_PAGES: Final = 60
_PASSING: Final = frozenset({429, 500, 502, 503, 504, None})
_ABSENT: Final = frozenset({404})
_LISTS: Final = frozenset({"k8s/pods", "k8s/where", "k8s/events", "k8s/nodes", "k8s/queued"})
_LOG: Final = "k8s/log"
_NO_LOG: Final = ("previous terminated container", "is waiting to start", "not found")


class Cluster:
    """Reads one cluster; each answer becomes an artifact on the shelf."""

    def __init__(self, reader: KubeReader, shelf: Shelf, pause: Callable[[float], None] = time.sleep) -> None:
        self._reader = reader
        self._shelf = shelf
        self._pause = pause
        self._silent = 0

    def collect(self, request: Request) -> Outcome:
        """Answer one request; what is not on the list of paths is skipped."""
        if not request.kind.startswith(KIND):
            return Skipped(request, f"a cluster cannot answer a {request.kind} request")
        try:
            made = url(request)
        except (KeyError, ValueError) as error:
            return Skipped(request, str(error))
        if made is None:
            return Skipped(request, f"{request.kind} is not on the list of what may be read")
        try:
            return self._pages(request, made) if request.kind in _LISTS else self._one(request, made)
        except KubeError as error:
            return self._refused(request, error)

    def _one(self, request: Request, made: str) -> Outcome:
        content = self._get(made)
        if not content.strip():
            return Empty(request, "nothing was written")
        if request.kind != _LOG:
            _document(content)
        return Collected(request, (self._keep(request, content, request.args["path"]),))

    def _pages(self, request: Request, made: str) -> Outcome:
        kept: list[Artifact] = []
        path = made
        for number in range(_PAGES):
            try:
                content = self._get(path)
                page = _document(content)
            except KubeError as error:
                if not kept:
                    raise
                return Collected(request, tuple(kept), f"page {number + 1} could not be read: {error.reason}")
            if page.get("items"):
                name = request.args["path"] if number == 0 else f"{request.args['path']} page {number + 1}"
                kept.append(self._keep(request, content, name, more=number > 0))
            token = _token(page)
            if not token:
                return Collected(request, tuple(kept)) if kept else Empty(request, "none")
            path = page_of(made, token)
        return Collected(request, tuple(kept), f"more than {_PAGES} pages; the rest was left")

    def _get(self, path: str) -> bytes:
        """Return an answer, asked for again where the failure may pass; a server that was waited for in vain is not asked on and on."""
        if self._silent >= _PATIENCE:
            raise KubeError(None, "not asked, as the server no longer answered")
        for attempt in range(_TRIES):
            try:
                content = self._reader.get(path)
            except KubeError as error:
                self._silent = self._silent + 1 if error.waited else 0
                if error.status not in _PASSING or error.waited or attempt == _TRIES - 1:
                    raise
                self._pause(_PAUSE * 2**attempt * random.uniform(0.5, 1.5))
            else:
                self._silent = 0
                return content
        raise AssertionError("unreachable")

    def _keep(self, request: Request, content: bytes, path: str, *, more: bool = False) -> Artifact:
        source = request.kind + (
            ":containers" if request.args.get("follow") == "containers" else ":more" if more else ""
        )
        if request.kind != _LOG:
            return self._shelf.keep(path, content, kind="k8s", source=source)
        rank = request.args.get("rank", "")
        place: dict[str, str | int] = {"rank": int(rank)} if rank.isdecimal() else {}
        return self._shelf.keep(path, content, kind="log", source=source, place=place)

    @staticmethod
    def _refused(request: Request, error: KubeError) -> Outcome:
        if error.status in _ABSENT:
            return Empty(request, error.reason)
        if request.kind == _LOG and error.status == 400 and any(word in error.reason for word in _NO_LOG):
            return Empty(request, error.reason)
        if error.status in (401, 403):
            return Unavailable(request, f"no right to read it: {error.reason}")
        return Unavailable(request, error.reason)


def _document(content: bytes) -> dict[str, Any]:
    try:
        page: object = json.loads(content)
    except (ValueError, RecursionError):
        page = None
    if not isinstance(page, dict):
        raise KubeError(None, "the answer is no JSON object")
    return cast("dict[str, Any]", page)


def _token(page: Mapping[str, Any]) -> str:
    """Return what the next page is asked for by; empty on the last one."""
    metadata: object = page.get("metadata")
    return str(cast("dict[str, Any]", metadata).get("continue") or "") if isinstance(metadata, dict) else ""
