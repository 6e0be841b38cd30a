"""Runs the site until it is interrupted."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from msgspec.structs import replace

from runtriage.api.exposure import LOCAL, loopback
from runtriage.model.options import Options
from runtriage.model.target import Cache, Progress
from runtriage.web.app import application
from runtriage.web.jobs import Diagnosed, Jobs, Named
from runtriage.web.site import Site


def serve(site: Site, host: str, port: int, told: Callable[[str], None]) -> None:
    """Answer requests until interrupted; `told` gets the address once the port is taken. Raises OSError where it is not free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    name = f"[{host}]" if ":" in host else host
    with socket.create_server((host, port), family=family) as listening:
        told(f"http://{name}:{listening.getsockname()[1]}/")
        config = uvicorn.Config(application(site), log_level="error", access_log=False, server_header=False)
        try:
            uvicorn.Server(config).run(sockets=[listening])
        finally:
            site.jobs.close()


def site(
    history: Path | str,
    *,
    host: str,
    token: str | None,
    options: Options,
    signatures: Sequence[Path] = (),
    cache: Cache | None = None,
    keep_days: int = 400,
    keep: int = 50_000,
) -> Site:
    """Return the site; each upload is diagnosed, and kept where the history can be written.

    An upload is read by one worker, which tells how far it is as it goes; several tell it when they are done, and threads gain little.
    """
    alone = replace(options, workers=1)

    def diagnose(target: Named, progress: Progress) -> Diagnosed:
        from runtriage.api.diagnosis import diagnose_opened
        from runtriage.api.history import Memory

        with Memory(history, keep_days=keep_days, keep=keep) as memory:
            report = diagnose_opened(
                target,
                options=alone,
                signatures=signatures,
                cache=cache,
                progress=progress,
                run_id=secrets.token_hex(16),
                history=memory,
            )
        return Diagnosed(report, memory.faults[0] if memory.faults else None)

    hosts = frozenset(LOCAL) if loopback(host) else None
    return Site(history=history, jobs=Jobs(diagnose), token=token, hosts=hosts)
