"""What is sent to the site: logs, feedback, a token."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
from datetime import UTC, datetime
from typing import BinaryIO, Final, cast

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from runtriage.api.history_reading import SAYS, one, say
from runtriage.web.jobs import BusyError, Job
from runtriage.web.pages import refused, welcome
from runtriage.web.reading import ParameterError
from runtriage.web.site import UPLOAD_LIMIT, Site, rendered

_BODY: Final = 32 << 20
"""Bytes of the largest log that is sent as the body itself."""
_UNSAFE: Final = re.compile(r"[^\w.@+-]+")


class _Said(Struct, forbid_unknown_fields=True):
    says: str
    note: str = ""
    cause: str | None = None


async def upload(request: Request) -> Response:
    """Take the form of `/new`: a file, or pasted text."""
    site: Site = request.app.state.site
    if int(request.headers.get("content-length") or 0) > UPLOAD_LIMIT:
        return refused(f"An upload may have {UPLOAD_LIMIT >> 20} MB; give larger logs to runtriage itself.", 413, site)
    try:
        async with request.form(max_files=1, max_fields=4, max_part_size=_BODY) as form:
            taken = await run_in_threadpool(_content, form)
    except OSError as error:  # a folder for temporary files that is full
        return refused(f"The upload could not be taken in: {(error.strerror or str(error)).lower()}.", 507, site)
    if taken is None:
        page = rendered("new.html", here="new", signed=site.token is not None, fault="Choose a file or paste a log.")
        return HTMLResponse(page, 400)
    try:
        job = site.jobs.submit(*taken)
    except BusyError:
        return refused("Too many uploads are waiting; try again soon.", 429, site)
    return RedirectResponse(f"/jobs/{job.id}", 303)


async def post_run(request: Request) -> Response:
    """Take a log as the body of `POST /api/v1/runs`."""
    site: Site = request.app.state.site
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _BODY:
            return JSONResponse({"error": f"a body may have {_BODY >> 20} MB"}, 413)
    if not bytes(body).strip():
        raise ParameterError("the body is empty; send a log")
    name = plain(request.query_params.get("name", "log"))
    try:
        job = site.jobs.submit(io.BytesIO(bytes(body)), name, len(body))
    except BusyError:
        return JSONResponse({"error": "too many uploads are waiting"}, 429, {"retry-after": "5"})
    return JSONResponse(shown(job), 202, {"location": f"/api/v1/jobs/{job.id}"})


async def feedback(request: Request) -> Response:
    """Take the form under a diagnosis."""
    site: Site = request.app.state.site
    form = await request.form(max_files=0, max_fields=4, max_part_size=1 << 20)
    says = _text(form, "says")
    cause = _text(form, "cause") or None if says == "wrong" else None
    kept = await run_in_threadpool(_say, site, request.path_params["id"], says, _text(form, "note"), cause)
    return RedirectResponse(f"/runs/{kept}#feedback", 303)


async def post_feedback(request: Request) -> Response:
    """Take `POST /api/v1/runs/ID/feedback`, a JSON object."""
    site: Site = request.app.state.site
    if int(request.headers.get("content-length") or 0) > 1 << 16:
        return JSONResponse({"error": "too long"}, 413)
    try:
        said = msgspec.json.decode(await request.body(), type=_Said)
    except ValueError:
        raise ParameterError('send {"says": "right|wrong|fixed", "note": "...", "cause": null}') from None
    kept = await run_in_threadpool(_say, site, request.path_params["id"], said.says, said.note, said.cause)
    return JSONResponse({"run": kept}, 201)


async def enter(request: Request) -> Response:
    """Take the form of `/login`."""
    form = await request.form(max_files=0, max_fields=2, max_part_size=1 << 16)
    return welcome(request.app.state.site, _text(form, "token"))


def shown(job: Job) -> dict[str, object]:
    """Return a job as the JSON API writes it."""
    names = ("id", "state", "read", "size", "run", "fault", "warning")
    return {name: getattr(job, name) for name in names}


def plain(name: str) -> str:
    """Return a file's name without folders and without what could be taken for anything else."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return _UNSAFE.sub("_", last).strip("._")[:80] or "log"


def _say(site: Site, prefix: str, says: str, note: str, cause: str | None) -> str:
    from runtriage.model.taxonomy import PRIMARY_CLASSES

    if says not in SAYS:
        raise ParameterError("says is right, wrong or fixed")
    if says == "fixed" and not note.strip():
        raise ParameterError("say what fixed it")
    if cause is not None and (says != "wrong" or cause not in PRIMARY_CLASSES):
        raise ParameterError("cause goes with wrong, and is a primary class")
    with site.opened() as history:
        entry = one(history, prefix)
        words = note.replace("\0", "").encode("utf-8", "replace").decode()
        say(history, entry, says, words, cause, now=datetime.now(UTC).isoformat(timespec="seconds"))
    return entry.id


def _content(form: FormData) -> tuple[BinaryIO, str, int] | None:
    file, text = form.get("file"), _text(form, "text")
    if isinstance(file, UploadFile) and file.size:
        kept = tempfile.TemporaryFile()  # noqa: SIM115 - the job closes it, and what the form holds goes with the request
        shutil.copyfileobj(file.file, kept)
        kept.seek(0)
        return cast("BinaryIO", kept), plain(file.filename or "log"), file.size
    if text.strip():
        content = text.encode("utf-8", "replace")
        return io.BytesIO(content), "pasted", len(content)
    return None


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""
