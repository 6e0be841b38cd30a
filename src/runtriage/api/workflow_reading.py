"""The records of a workflow run, read from storage and parsed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final, TypeVar

from runtriage.model.workflow import DocumentRead, DocumentState, Ledger, Manifest, RunRecords, SupervisorEvent
from runtriage.parse.pointer import load_json
from runtriage.parse.workflow.ledger import ledger
from runtriage.parse.workflow.manifest import manifest, number, with_stage_status
from runtriage.parse.workflow.receipt import first_run, submission
from runtriage.parse.workflow.spec import workflow_spec
from runtriage.parse.workflow.supervisor import supervisor_event
from runtriage.targets.objects import ObjectError, read_whole
from runtriage.targets.objects_cloud import NO_KEYS
from runtriage.targets.workflow_place import MANIFESTS, RunPlace
from runtriage.targets.workflow_receipt import first_runs, receipts

_LIMIT: Final = 32 << 20
_EVENTS: Final = 2000
_METRICS: Final = ("metrics.json", "reports/metrics.json", "summary.json", "reports/summary.json", "eval/metrics.json")
_METRICS_LIMIT: Final = 1 << 20
_MEASURED: Final = 50
_LEGACY_STAGES: Final = 500
T = TypeVar("T")


def read_records(place: RunPlace, *, load_failed: bool = False) -> RunRecords:
    """Return everything the run prefix says; a document that cannot be read is an answer too."""
    reading = _Reading(place)
    told = reading.manifest()
    run = reading.parsed("npa-workflow/runtime.json", ledger)
    spec = reading.parsed("workflow.yaml", lambda content, path: workflow_spec(content, path, _name(place, told, run)))
    events = reading.events()
    name = _name(place, told, run)
    kept = receipts(name) if place.strict else []
    receipt = submission(kept)
    ended = first_run(first_runs(), name) if place.strict else ""
    local = {"submission_receipt": bool(kept), "first_run_record": bool(ended)}
    return RunRecords(
        run_id=name,
        prefix=place.uri,
        documents=tuple(reading.documents),
        manifest=told,
        ledger=run,
        spec=spec,
        supervisor=events,
        final_artifacts=reading.recordings() if told is not None and not told.legacy else (),
        launch_state=receipt.launch_state,
        first_run=ended,
        local=tuple(
            (each, "skipped" if not place.strict else "found" if known else "absent") for each, known in local.items()
        ),
        load_failed=load_failed or receipt.load_failed,
    )


def measured(place: RunPlace) -> dict[str, float]:
    """Return the numbers of the first document of results that lies under the run; none where there is none that can be read."""
    return results(place)[0]


def results(place: RunPlace) -> tuple[dict[str, float], tuple[DocumentRead, ...]]:
    """Return the numbers of the first document of results, and each document before it that could not be read."""
    unread: list[DocumentRead] = []
    for name in _METRICS:
        try:
            root = load_json(read_whole(place.store, place.path(name), _METRICS_LIMIT), name)
        except ObjectError as error:
            if error.kind != "absent":
                unread.append(DocumentRead(path=name, state=_state(error), detail=error.detail))
            continue
        if root is not None:
            numbers = ((key, number(node)) for key, node in root.members())
            found = dict(islice(((key, value) for key, value in numbers if value is not None), _MEASURED))
            return found, tuple(unread)
    return {}, tuple(unread)


def own_prefixes(records: RunRecords) -> tuple[str, ...]:
    """Return the addresses under which the run's own documents name its prefix."""
    told = records.manifest.prefix if records.manifest else ""
    return tuple(
        dict.fromkeys(prefix.rstrip("/").removesuffix("/npa-workflow") for prefix in (told, records.prefix) if prefix)
    )


def _name(place: RunPlace, told: Manifest | None, run: Ledger | None) -> str:
    if place.strict:
        return place.run_id
    return (told.run_id if told else "") or (run.run_id if run else "") or place.run_id


class _Reading:
    def __init__(self, place: RunPlace) -> None:
        self._place = place
        self.documents: list[DocumentRead] = []
        self._closed: ObjectError | None = None

    def manifest(self) -> Manifest | None:
        """Return the manifest of the newer layout, else that of the older one; only a miss leads from one to the other."""
        for name in MANIFESTS:
            found = self.parsed(name, manifest)
            if found is not None or self.documents[-1].state != "absent":
                break
        else:
            return None
        if found is None:
            return None
        if self._place.strict and found.run_id != self._place.run_id:
            self._note(found.path, "broken", f"it is the manifest of another run ({found.run_id[:96]})")
            return None
        return with_stage_status(found, self._stage_documents(found)) if found.legacy else found

    def parsed(self, name: str, parse: Callable[[bytes, str], T | None]) -> T | None:
        """Return what one document holds, or None; `documents` tells which of the ways of not having it it is."""
        content = self._content(name)
        if content is None:
            return None
        found = parse(content, name)
        if found is None:
            self._note(name, "broken", "it is not the document its name says")
            return None
        self._note(name, "found")
        return found

    def events(self) -> tuple[SupervisorEvent, ...]:
        """Return the supervisor's events."""
        folder = "npa-workflow/supervisor/attempts/"
        found: list[SupervisorEvent] = []
        try:
            if self._closed is not None:
                raise self._closed
            keys = sorted(entry.key for entry in self._place.store.entries(self._place.path(folder)))
        except ObjectError as error:
            if error.kind != "absent":
                self._note(folder, _state(error), error.detail)
            return ()
        for key in keys[:_EVENTS]:
            name = key[len(self._place.key) :].lstrip("/")
            content = self._content(name)
            event = supervisor_event(content, name) if content is not None else None
            if event is not None:
                found.append(event)
        if len(keys) > _EVENTS:
            self._note(folder, "unavailable", f"more than {_EVENTS} events")
        return tuple(found)

    def recordings(self) -> tuple[str, ...]:
        """Return the recordings under the run's reports; what cannot be listed is none, and no decision rests on their absence alone."""
        try:
            found = [entry for entry in self._place.store.entries(self._place.path("reports/")) if entry.size > 0]
        except ObjectError:
            return ()
        keys = sorted(entry.key[len(self._place.key) :].lstrip("/") for entry in found if entry.key.endswith(".rrd"))
        return tuple(f"{self._place.uri}/{key}" for key in keys[:20])

    def _stage_documents(self, told: Manifest) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for step in told.steps[:_LEGACY_STAGES]:
            content = self._content(f"logs/{step.state}/status.json")
            if content is not None:
                found[step.state] = content
        return found

    def _content(self, name: str) -> bytes | None:
        try:
            if self._closed is not None:
                raise self._closed
            return read_whole(self._place.store, self._place.path(name), _LIMIT)
        except ObjectError as error:
            if error.kind == "unreachable" or error.detail == NO_KEYS:
                self._closed = error
            self._note(name, _state(error), error.detail)
            return None

    def _note(self, path: str, state: DocumentState, detail: str = "") -> None:
        self.documents.append(DocumentRead(path=path, state=state, detail=detail))


def _state(error: ObjectError) -> DocumentState:
    if error.kind == "absent":
        return "absent"
    return "denied" if error.kind == "denied" else "unavailable"
