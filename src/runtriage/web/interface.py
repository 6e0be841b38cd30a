"""The JSON API: the same answers for programs."""

from __future__ import annotations

from typing import Final

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from runtriage.api.history_reading import one, report_of
from runtriage.store.history_listing import page
from runtriage.web.reading import number, query_of, row
from runtriage.web.sending import shown
from runtriage.web.site import Site

_MOST: Final = 200


def runs(request: Request) -> Response:
    """Answer `GET /api/v1/runs`: diagnoses by filter, the newest first."""
    site: Site = request.app.state.site
    query = query_of(request.query_params)
    limit = number(request.query_params, "limit", 50, _MOST)
    at = number(request.query_params, "page", 1)
    with site.opened() as history:
        entries, total = page(history, query, limit=limit, offset=(at - 1) * limit)
    return JSONResponse({"total": total, "page": at, "limit": limit, "runs": [row(entry) for entry in entries]})


def run(request: Request) -> Response:
    """Answer `GET /api/v1/runs/ID`: a diagnosis in short, with what people said."""
    site: Site = request.app.state.site
    with site.opened() as history:
        entry = one(history, request.path_params["id"])
        said = history.feedback([entry.id])
        about = sorted(history.entities([entry.id])[entry.id])
    return JSONResponse(
        {
            **row(entry),
            "entities": [{"kind": kind, "name": name} for kind, name in about],
            "feedback": [item._asdict() for item in said],
        }
    )


def report(request: Request) -> Response:
    """Answer `GET /api/v1/runs/ID/report`: the whole report."""
    site: Site = request.app.state.site
    with site.opened() as history:
        found = report_of(history, one(history, request.path_params["id"]).id)
    return Response(found.to_json(), media_type="application/json")


def fleet(request: Request) -> Response:
    """Answer `GET /api/v1/fleet`: what the diagnoses that fit add up to."""
    from runtriage.api.history_fleet import overview

    site: Site = request.app.state.site
    query = query_of(request.query_params)
    with site.opened() as history:
        found = overview(history, query)
    sums = found.sums
    return JSONResponse(
        {
            "diagnoses": sums.diagnoses,
            "failures": sums.failures,
            "hours_lost": round(sums.hours_lost, 3),
            "by_cause": [{"cause": name, "failures": count, "hours": hours} for name, count, hours in sums.by_cause],
            "by_mode": [{"mode": name, "failures": count} for name, count in sums.by_mode],
            "by_week": [{"week": monday, "failures": count} for monday, count in found.weeks],
            "nodes": [to_builtins(node) for node in found.nodes],
            "repeated": [
                {"fingerprint": mark, "summary": said, "runs": count, "first": first, "last": last}
                for mark, said, count, first, last in sums.repeated
            ],
        }
    )


def job(request: Request) -> Response:
    """Answer `GET /api/v1/jobs/ID`: how far an upload was read."""
    site: Site = request.app.state.site
    found = site.jobs.get(request.path_params["id"])
    return JSONResponse(shown(found)) if found else JSONResponse({"error": "there is no such upload"}, 404)


def job_report(request: Request) -> Response:
    """Answer `GET /api/v1/jobs/ID/report`: the whole report of an upload, in the history or not."""
    site: Site = request.app.state.site
    found = site.jobs.get(request.path_params["id"])
    if found is None:
        return JSONResponse({"error": "there is no such upload"}, 404)
    if found.report is not None:
        return Response(found.report.to_json(), media_type="application/json")
    if found.run is None:
        return JSONResponse({"error": found.fault or found.warning or f"it is {found.state}"}, 409)
    with site.opened() as history:
        return Response(report_of(history, found.run).to_json(), media_type="application/json")


def openapi(request: Request) -> Response:
    """Answer `GET /api/v1/openapi.json`: this API, described."""
    from runtriage.web.openapi import description

    return JSONResponse(description())
