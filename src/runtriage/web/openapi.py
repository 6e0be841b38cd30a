"""The description of the JSON API."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec

from runtriage.api.history_reading import SAYS
from runtriage.model.report import Report
from runtriage.model.taxonomy import PRIMARY_CLASSES
from runtriage.store.history_entry import Entry
from runtriage.version import __version__
from runtriage.web.reading import row

_TEXT: Final = {"type": "string"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_NUMBER: Final = {"type": "number"}
_ID: Final = {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
_NUMBERS: Final = {"confidence": _NUMBER, "hours": _NUMBER, "rank": {"type": "integer"}, "step": {"type": "integer"}}
_NEEDED: Final = ("id", "seen_at", "happened_at", "target", "run_status", "framework", "confidence", "decision")


@cache
def description() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "runtriage", "version": __version__, "summary": "Why training runs failed, with proof."},
        "paths": {
            "/api/v1/runs": {"get": _list(), "post": _send()},
            "/api/v1/runs/{id}": {"get": _get("A diagnosis in short", "RunWithFeedback", _ID)},
            "/api/v1/runs/{id}/report": {"get": _get("The whole report, schema runtriage.report/1", "Report", _ID)},
            "/api/v1/runs/{id}/feedback": {"post": _say()},
            "/api/v1/jobs/{id}": {"get": _get("How far an upload was read", "Job", _ID)},
            "/api/v1/jobs/{id}/report": {
                "get": _get("The whole report of an upload, kept or not", "Report", _ID, early=True)
            },
            "/api/v1/fleet": {"get": _get("What the diagnoses add up to", "Fleet", *_filters(), wrong=True)},
        },
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _list() -> dict[str, Any]:
    paging = [
        {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 1_000_000}},
        {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 200}},
    ]
    return _get("Diagnoses, the newest first", "Runs", *_filters(), *paging, wrong=True)


def _get(summary: str, schema: str, *parameters: object, wrong: bool = False, early: bool = False) -> dict[str, Any]:
    named = any(parameter is _ID for parameter in parameters)
    faults = {"404": _fault("There is none")} if named else {}
    faults |= {"400": _fault("A parameter cannot be understood")} if wrong else {}
    faults |= {"409": _fault("It is not read yet, or there is no report")} if early else {}
    return {
        "summary": summary,
        "parameters": list(parameters),
        "responses": {"200": _answer(summary, schema), **faults, **_always()},
    }


def _send() -> dict[str, Any]:
    return {
        "summary": "Diagnose a log: its text, .gz or .zst, is the body",
        "parameters": [{"name": "name", "in": "query", "schema": _TEXT}],
        "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {}}}},
        "responses": {
            "202": _answer("Taken; the job tells the id of the diagnosis", "Job"),
            "400": _fault("Nothing was sent"),
            "413": _fault("Too large"),
            "429": _fault("Too many uploads are waiting"),
            **_always(),
        },
    }


def _say() -> dict[str, Any]:
    return {
        "summary": "Say whether a diagnosis was right, or what fixed the run",
        "parameters": [_ID],
        "requestBody": {"required": True, "content": {"application/json": {"schema": _ref("Said")}}},
        "responses": {
            "201": {
                "description": "Kept",
                "content": {"application/json": {"schema": _object({"run": _TEXT})}},
            },
            "400": _fault("Not understood"),
            "404": _fault("There is no such diagnosis"),
            "413": _fault("Too long"),
            **_always(),
        },
    }


def _filters() -> list[dict[str, Any]]:
    days = {"type": "string", "anyOf": [{"format": "date"}, {"maxLength": 0}]}
    texts = ("cause", "mode", "status", "node", "fingerprint", "text")
    return [
        *({"name": name, "in": "query", "schema": _TEXT} for name in texts),
        *({"name": name, "in": "query", "schema": days} for name in ("since", "until")),
    ]


def _schemas() -> dict[str, Any]:
    _, parts = msgspec.json.schema_components([Report], ref_template="#/components/schemas/{name}")
    names = row(Entry(id="", seen_at="", happened_at="", target="", run_status=""))
    run = {name: _nullable(name, _NUMBERS.get(name, _TEXT)) for name in names}
    feedback = _object(dict.fromkeys(("diagnosis", "given_at", "says", "note"), _TEXT) | {"cause": {}})
    return {
        "Error": _object({"error": _TEXT}),
        **parts,
        "Run": _object(run),
        "RunWithFeedback": _object(
            {**run, "feedback": _list_of(feedback), "entities": _list_of(_object({"kind": _TEXT, "name": _TEXT}))}
        ),
        "Runs": _object({"total": _COUNT, "page": _COUNT, "limit": _COUNT, "runs": _list_of(_ref("Run"))}),
        "Job": _object(
            {
                "id": _TEXT,
                "state": {"enum": ["waiting", "reading", "done", "failed"]},
                "read": _COUNT,
                "size": _COUNT,
                "run": {"type": ["string", "null"]},
                "fault": {"type": ["string", "null"]},
                "warning": {"type": ["string", "null"]},
            }
        ),
        "Fleet": _fleet(),
        "Said": {"oneOf": [_said(says) for says in SAYS]},
    }


def _said(says: str) -> dict[str, Any]:
    """Return what may be said: a cause goes with wrong, and what fixed a run needs words."""
    note = {"type": "string", "pattern": "[A-Za-z0-9]"} if says == "fixed" else _TEXT
    cause = {"enum": [*PRIMARY_CLASSES, None]} if says == "wrong" else {"type": "null"}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["says", "note"] if says == "fixed" else ["says"],
        "properties": {"says": {"const": says}, "note": note, "cause": cause},
    }


def _fleet() -> dict[str, Any]:
    counted = {"failures": _COUNT}
    node = {"name": _TEXT, **counted, "others": _NUMBER, "stands_out": {"type": "boolean"}}
    repeated = {"fingerprint": _TEXT, "summary": _TEXT, "runs": _COUNT, "first": _TEXT, "last": _TEXT}
    return _object(
        {
            "diagnoses": _COUNT,
            **counted,
            "hours_lost": _NUMBER,
            "by_cause": _list_of(_object({"cause": _TEXT, **counted, "hours": _NUMBER})),
            "by_mode": _list_of(_object({"mode": _TEXT, **counted})),
            "by_week": _list_of(_object({"week": _TEXT, **counted})),
            "nodes": _list_of(_object(node)),
            "repeated": _list_of(_object(repeated)),
        }
    )


def _always() -> dict[str, Any]:
    return {
        "401": _fault("No token, or a wrong one"),
        "403": _fault("Another site sent this"),
        "421": _fault("Asked for under another name"),
        "503": _fault("The history cannot be opened"),
    }


def _nullable(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return schema if name in _NEEDED else {"type": [schema["type"], "null"]}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list_of(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _answer(text: str, schema: str) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": _ref(schema)}}}


def _fault(text: str) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": _ref("Error")}}}
