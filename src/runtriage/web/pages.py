"""The pages a person sees. All of them work without a script."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from runtriage.api.history_reading import one, report_of
from runtriage.model.report import Report
from runtriage.model.taxonomy import PRIMARY_CLASSES
from runtriage.render import html
from runtriage.store.history_listing import choices, page
from runtriage.web.guard import COOKIE, same
from runtriage.web.reading import PAGE, address, number, query_of
from runtriage.web.site import Site, rendered, stylesheet

_WEEK: Final = 7 * 86_400
_OPEN: Final = frozenset({"running", "unknown"})
_LATELY: Final = timedelta(minutes=10)
_TONES: Final = {"completed": "good", "recovered": "good", "running": "live", "unknown": "warn", "degraded": "warn"}


def history(request: Request) -> Response:
    """Answer `/`: the history, filtered, one page of it."""
    site: Site = request.app.state.site
    query, at = query_of(request.query_params), number(request.query_params, "page", 1, 100_000)
    with site.opened() as opened:
        entries, total = page(opened, query, limit=PAGE, offset=(at - 1) * PAGE)
        known = choices(opened)
    last = max((total + PAGE - 1) // PAGE, 1)
    return HTMLResponse(
        rendered(
            "history.html",
            here="history",
            signed=site.token is not None,
            entries=entries,
            total=total,
            query=query,
            known=known,
            at=at,
            last=last,
            previous=address("/", query, page=at - 1) if at > 1 else None,
            following=address("/", query, page=at + 1) if at < last else None,
            tones=_TONES,
            filtered=address("/", query) != "/",
        )
    )


def run(request: Request) -> Response:
    """Answer `/runs/ID`: one diagnosis."""
    site: Site = request.app.state.site
    with site.opened() as opened:
        entry = one(opened, request.path_params["id"])
        report, said = report_of(opened, entry.id), opened.feedback([entry.id])
    frame = html.Frame(
        links=(("History", "/"), ("Fleet", "/fleet"), ("JSON", f"/api/v1/runs/{entry.id}/report"), ("Markdown", f"/runs/{entry.id}/markdown")),
        feedback=f"/runs/{entry.id}/feedback",
        said=tuple(f"{item.given_at[:10]}: {item.says}{f' ({item.cause})' if item.cause else ''}{f': {item.note}' if item.note else ''}" for item in said),
        causes=tuple(PRIMARY_CLASSES),
        alike=f"/?fingerprint={entry.fingerprint}" if entry.fingerprint else None,
        live=_live(report),
    )  # fmt: skip
    return _framed(report, frame)


def _framed(report: Report, frame: html.Frame) -> Response:
    policy = html.policy(forms="'self'") + "; frame-ancestors 'none'"
    return HTMLResponse(html.document(report, frame), headers={"content-security-policy": policy})


def markdown(request: Request) -> Response:
    """Answer `/runs/ID/markdown`: a diagnosis to paste into an issue."""
    from runtriage.render.markdown import document

    site: Site = request.app.state.site
    with site.opened() as opened:
        report = report_of(opened, one(opened, request.path_params["id"]).id)
    return PlainTextResponse(document(report))


def fleet(request: Request) -> Response:
    """Answer `/fleet`: what all diagnoses add up to."""
    from runtriage.api.history_fleet import overview

    site: Site = request.app.state.site
    query = query_of(request.query_params)
    with site.opened() as opened:
        found = overview(opened, query)
    return HTMLResponse(
        rendered("fleet.html", here="fleet", signed=site.token is not None, found=found, sums=found.sums, query=query)
    )


def job(request: Request) -> Response:
    """Answer `/jobs/ID`: how far an upload was read, then its diagnosis."""
    site: Site = request.app.state.site
    found = site.jobs.get(request.path_params["id"])
    if found is None:
        return refused("There is no such upload.", 404, site)
    if found.run is not None and found.state == "done":
        return RedirectResponse(f"/runs/{found.run}", 303)
    if found.report is not None and found.state == "done":
        return _loose(found.id, found.report, found.warning or "")
    return HTMLResponse(rendered("job.html", here="new", signed=site.token is not None, job=found))


def _loose(identity: str, report: Report, fault: str) -> Response:
    """Return the page of a diagnosis that no history took: it is shown as long as it is held."""
    links = (("History", "/"), ("Fleet", "/fleet"), ("JSON", f"/api/v1/jobs/{identity}/report"))
    warning = f"This diagnosis could not be kept, save what you need of it. {fault}"
    return _framed(report, html.Frame(links=links, warning=warning))


def new(request: Request) -> Response:
    """Answer `/new`: the form to send a log."""
    site: Site = request.app.state.site
    return HTMLResponse(rendered("new.html", here="new", signed=site.token is not None, fault=None))


def login(request: Request) -> Response:
    """Answer `/login`: the form for the token."""
    return HTMLResponse(rendered("login.html", here="login", signed=False, fault=None))


def welcome(site: Site, given: str) -> Response:
    """Answer a token: a cookie that only this site gets, or the form again."""
    if site.token is None or not same(given.strip(), site.token):
        return HTMLResponse(rendered("login.html", here="login", signed=False, fault="That is not the token."), 403)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, site.token, max_age=_WEEK, httponly=True, samesite="strict")
    return answer


def refused(words: str, code: int, site: Site) -> Response:
    """Return a page that says what is wrong."""
    return HTMLResponse(rendered("refused.html", here="", signed=site.token is not None, words=words), code)


def style(request: Request) -> Response:
    """Answer `/static/site.css`."""
    return Response(stylesheet(), media_type="text/css", headers={"cache-control": "max-age=300"})


def icon(request: Request) -> Response:
    """Answer `/favicon.ico`, which browsers ask for by themselves."""
    headers = {"cache-control": "max-age=86400"}
    return Response(rendered("icon.svg"), media_type="image/svg+xml", headers=headers)


def _live(report: Report) -> bool:
    """Tell whether the run may go on: it was looked at lately and no end was seen."""
    age = datetime.now(UTC) - datetime.fromisoformat(report.timestamp)
    return report.run_status in _OPEN and age < _LATELY
