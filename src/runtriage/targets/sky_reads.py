"""What may be asked about managed SkyPilot jobs, whoever is asked: the `sky` command, or an API server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from runtriage.targets.s3_credentials import credential_files
from runtriage.targets.sky import Answer, Sky
from runtriage.targets.workflow_identity import CredentialFiles


class SkyReads(Protocol):
    """Answers questions about jobs; there is no verb that starts, cancels or refreshes anything."""

    @property
    def present(self) -> bool:
        """Whether there is anybody to ask."""
        ...

    def queue(self) -> Answer:
        """Ask for all managed jobs."""
        ...

    def controller_log(self, job_id: str) -> Answer:
        """Ask for the log of the controller of one job."""
        ...

    def stage_log(self, job_id: str, stage: str, *, waits: bool = False) -> Answer:
        """Ask for what one task of a job printed so far; briefly where it `waits` to be started."""
        ...

    def accelerators(self) -> Answer:
        """Ask which accelerators may be requested."""
        ...

    def follow(self, job_id: str, stage: str) -> Iterator[bytes]:
        """Yield what a task prints, line by line."""
        ...


def sky_reads(binary: str | None = None, api: str | None = None, settings: Mapping[str, str] | None = None) -> SkyReads:
    """Return who is asked: the API server that is named, else the `sky` command, else the server which that command would ask.

    `settings` are told to the command in its own process only. Raises `TargetError` for an address that cannot be asked.
    """
    files = CredentialFiles(credential_files())
    command = Sky(binary, settings or {}, files)
    if api is None and command.present:
        return command
    from runtriage.targets.sky_api import SkyApi
    from runtriage.targets.sky_login import login

    found = login(api)
    return SkyApi(found, files) if found is not None else command
