"""The site as one ASGI application."""

from __future__ import annotations

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from runtriage.api.history_reading import NotRememberedError
from runtriage.store.history_error import HistoryError
from runtriage.web import interface, pages, sending
from runtriage.web.guard import API, Guard
from runtriage.web.reading import ParameterError
from runtriage.web.site import Site

_V1 = f"{API}v1"


def application(site: Site) -> Starlette:
    """Return the application; a history that cannot be opened is said on its pages."""

    app = Starlette(
        routes=[
            Route("/", pages.history),
            Route("/fleet", pages.fleet),
            Route("/new", pages.new),
            Route("/new", sending.upload, methods=["POST"]),
            Route("/jobs/{id}", pages.job),
            Route("/runs/{id}", pages.run),
            Route("/runs/{id}/markdown", pages.markdown),
            Route("/runs/{id}/feedback", sending.feedback, methods=["POST"]),
            Route("/login", pages.login),
            Route("/login", sending.enter, methods=["POST"]),
            Route("/static/site.css", pages.style),
            Route("/favicon.ico", pages.icon),
            Route(f"{_V1}/runs", interface.runs, methods=["GET"]),
            Route(f"{_V1}/runs", sending.post_run, methods=["POST"]),
            Route(f"{_V1}/runs/{{id}}", interface.run),
            Route(f"{_V1}/runs/{{id}}/report", interface.report),
            Route(f"{_V1}/runs/{{id}}/feedback", sending.post_feedback, methods=["POST"]),
            Route(f"{_V1}/jobs/{{id}}", interface.job),
            Route(f"{_V1}/jobs/{{id}}/report", interface.job_report),
            Route(f"{_V1}/fleet", interface.fleet),
            Route(f"{_V1}/openapi.json", interface.openapi),
        ],
        middleware=[Middleware(Guard, site=site)],
        exception_handlers={
            NotRememberedError: _said(404),
            ParameterError: _said(400),
            HistoryError: _said(503),
            HTTPException: _http,
            Exception: _broken,
        },
    )
    app.state.site = site
    return app


def _said(code: int) -> Callable[[Request, Exception], Response]:
    def answer(request: Request, error: Exception) -> Response:
        return _refused(request, str(error), code)

    return answer


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _refused(request, error.detail, error.status_code, dict(error.headers or {}))


def _broken(request: Request, error: Exception) -> Response:
    return _refused(request, f"internal fault ({type(error).__name__})", 500)


def _refused(request: Request, words: str, code: int, headers: dict[str, str] | None = None) -> Response:
    if request.url.path.startswith(API):
        return JSONResponse({"error": words}, code, headers)
    answer = pages.refused(words, code, request.app.state.site)
    answer.headers.update(headers or {})
    return answer
