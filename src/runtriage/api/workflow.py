"""Workflow runs: their state, outputs, logs and the next move, as documents that hold clean text only."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, cast

from msgspec import Struct, field
from msgspec.structs import replace

from runtriage.api.config import Project
from runtriage.api.workflow_live import Commands, Live, ask
from runtriage.api.workflow_reading import measured, own_prefixes, read_records
from runtriage.judge.workflow import assess
from runtriage.judge.workflow_stages import declared_outputs
from runtriage.model.workflow import RunRecords
from runtriage.model.workflow_evidence import RunEvidence
from runtriage.parse.workflow.receipt import submission
from runtriage.redact import DEFAULT, clean_document
from runtriage.render.workflow_document import document
from runtriage.targets.errors import TargetError
from runtriage.targets.objects import ObjectStore, location
from runtriage.targets.objects_cloud import cloud_store
from runtriage.targets.s3_credentials import s3_settings
from runtriage.targets.sky_reads import SkyReads, sky_reads
from runtriage.targets.workflow_kube import Kube
from runtriage.targets.workflow_outputs import check_outputs
from runtriage.targets.workflow_place import Base, RunPlace, holds_manifest, place
from runtriage.targets.workflow_receipt import receipts

Document = dict[str, Any]
THRESHOLD: Final = 3


class Access(Struct, frozen=True, kw_only=True):
    """How a run is reached: the project alias it was asked for under and what the config says of it."""

    alias: str = ""
    project: Project = field(default_factory=Project)

    def store(self, scheme: str, bucket: str) -> ObjectStore:
        """Open a bucket with the project's endpoint. Raises `TargetError`."""
        return cloud_store(scheme, bucket, endpoint=self.project.endpoint)

    def base(self) -> Base | None:
        """Return where the project keeps its runs, or None where it does not say."""
        if self.project.bucket is None:
            return None
        scheme, _, bucket = self.project.bucket.rpartition("://")
        return Base(alias=self.alias, bucket=bucket.strip("/"), prefix=self.project.prefix, scheme=scheme or "s3")

    def place(self, run: str) -> RunPlace:
        """Return where a run lies: where this machine submitted it to, if it did, else where the project keeps runs. Raises `TargetError`."""
        found = place(run, self.store, self.base())
        there = self._submitted(found.run_id) if found.source == "project" else None
        if there is None or there.uri == found.uri:
            return found
        if any(outcome == "found" for _, outcome, _ in found.checks) and not holds_manifest(there):
            return found
        checks = ((there.uri, "found", "named by the receipt of its submission"), *found.checks)
        return replace(there, run_id=found.run_id, source="submission_receipt", checks=checks)

    def _submitted(self, run_id: str) -> RunPlace | None:
        """Return the place that the receipt of a submission names, or None."""
        prefix = submission(receipts(run_id)).prefix
        try:
            return place(prefix, self.store, None) if location(prefix) is not None else None
        except TargetError:
            return None

    def sky(self) -> SkyReads:
        """Return who is asked about jobs: the API server the project names, else the `sky` command, else the server that one is set up for.

        Settings of the project are told to the command in its own process only.
        """
        return sky_reads(self.project.sky, self.project.sky_api, _child_settings(self.project))

    def live(self) -> Live:
        """Return what answers live questions."""
        return Commands(self.sky(), Kube(self.project.kube_context))


def access_for(run: str | None, projects: Mapping[str, Project]) -> Access:
    """Return the access of the project whose bucket an address lies in, or for a run id the only project there is."""
    found = location(run) if run is not None else None
    if found is not None:
        owners = [alias for alias, each in projects.items() if (each.bucket or "").rpartition("://")[2] == found.bucket]
        return Access(alias=owners[0], project=projects[owners[0]]) if len(owners) == 1 else Access()
    if len(projects) == 1:
        alias, project = next(iter(projects.items()))
        return Access(alias=alias, project=project)
    return Access()


def status(
    run: str,
    access: Access,
    *,
    cached: bool = False,
    threshold: int = THRESHOLD,
    load_failed: bool = False,
    live: Live | None = None,
    at: str | None = None,
) -> Document:
    """Return the state of a run and the one next move. Raises `TargetError` for an address that cannot name a run.

    With `cached` nothing but storage is read. `live` stands in for the machine's own `sky` and `kubectl`, `at` (ISO 8601) for its clock, which
    is read once: every age in the document is against that time.
    """
    observed_at = at or datetime.now(UTC).isoformat(timespec="seconds")
    where = access.place(run)
    records = read_records(where, load_failed=load_failed)
    return state_of(records, where, access, None if cached else live or access.live(), threshold, observed_at)


def state_of(
    records: RunRecords,
    where: RunPlace,
    access: Access,
    live: Live | None,
    threshold: int = THRESHOLD,
    observed_at: str = "",
) -> Document:
    """Return the state of a run whose records are read; what it measured is told beside a success, which alone says nothing of quality.

    Without `observed_at` nothing is said that depends on when the run was looked at.
    """
    evidence = replace(evidence_of(records, where, access, live, threshold), observed_at=observed_at)
    found = assess(evidence, access.alias)
    told = document(found, evidence, where.checks)
    if found.known == "SUCCEEDED":
        numbers = measured(where)
        quality = (
            []
            if numbers
            else ["no measured result was found: that the pipeline succeeded does not say its result is good"]
        )
        told |= {"measured": numbers, "diagnostics": [*told["diagnostics"], *quality]}
    others = [uri for uri, outcome, _ in where.checks if outcome == "found" and uri != where.uri]
    if others:
        note = f"another run of this id lies at {', '.join(others)}; give its prefix to look at that one"
        told |= {"diagnostics": [*told["diagnostics"], note]}
    return clean(told | {"resolution_source": where.source})


def evidence_of(
    records: RunRecords, where: RunPlace, access: Access, live: Live | None, threshold: int = THRESHOLD
) -> RunEvidence:
    """Return everything known about a run; without `live` only what storage keeps."""
    evidence = (
        RunEvidence(records=records, cached=True, threshold=threshold)
        if live is None
        else ask(records, live, threshold)
    )
    outputs = check_outputs(declared_outputs(records), where, partial(_opened, access), own_prefixes(records))
    return replace(evidence, outputs=outputs)


def clean(found: Mapping[str, Any]) -> Document:
    """Return a document without secrets."""
    return cast("Document", clean_document(dict(found), DEFAULT))


def _opened(access: Access, scheme: str, bucket: str) -> ObjectStore:
    return access.store(scheme, bucket)


def _child_settings(project: Project) -> dict[str, str]:
    """Return what a child process is told of the project's storage, under the names that S3 clients read."""
    settings = s3_settings(project.endpoint)
    names = {
        "endpoint": "AWS_ENDPOINT_URL",
        "region": "AWS_DEFAULT_REGION",
        "access_key_id": "AWS_ACCESS_KEY_ID",
        "secret_access_key": "AWS_SECRET_ACCESS_KEY",
        "session_token": "AWS_SESSION_TOKEN",
    }
    return {names[name]: value for name, value in settings.items()}
