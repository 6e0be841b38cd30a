"""`runtriage mcp`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runtriage.cli import flags
from runtriage.cli.errors import CommandError
from runtriage.model.exit_code import NO_ACCESS, UNUSABLE

if TYPE_CHECKING:
    from runtriage.mcp.policy import Policy
    from runtriage.mcp.server import Apply

HELP = """
Serve the diagnosis to agents over the Model Context Protocol: standard input and output, or HTTP.

Clients may name runs in the folders of --allow (the working folder without it), and other kinds of target only with
--allow-remote. All tools read only.

\b
  runtriage mcp --allow runs/
  runtriage mcp --allow /data/runs --allow-remote k8s
  runtriage mcp --http --port 8711 --allow runs/
  RUNTRIAGE_MCP_TOKEN=... runtriage mcp --http --host 10.0.0.5 --allow runs/
"""

Allow = Annotated[
    list[Path] | None, typer.Option(metavar="PATH", help="Folder or file that targets may lie in; may be repeated.")
]
AllowRemote = Annotated[
    list[str] | None, typer.Option(metavar="KIND", help="Kind of other target, as k8s or s3; may be repeated.")
]
AllowApply = Annotated[bool, typer.Option("--allow-apply", help="Also offer a tool that does steps of risk safe.")]
Http = Annotated[bool, typer.Option("--http", help="Serve over HTTP at /mcp.")]
Host = Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")]
Port = Annotated[int, typer.Option(min=1, max=65535, metavar="PORT", help="Port to listen on.")]
Name = Annotated[list[str] | None, typer.Option("--name", metavar="HOST", help="Further host name that clients use.")]
TokenEnv = Annotated[str, typer.Option(metavar="NAME", help="Environment variable that holds the token for HTTP.")]
Seconds = Annotated[float, typer.Option("--limit", min=1, metavar="SECONDS", help="What one call may take.")]


def command(
    allow: Allow = None,
    allow_remote: AllowRemote = None,
    allow_apply: AllowApply = False,
    http: Http = False,
    host: Host = "127.0.0.1",
    port: Port = 8711,
    name: Name = None,
    token_env: TokenEnv = "RUNTRIAGE_MCP_TOKEN",
    seconds: Seconds = 120.0,
    no_cache: flags.NoCache = False,
) -> int:
    """Serve until the client goes away."""
    if find_spec("mcp") is None:
        raise CommandError("mcp needs the official SDK: pip install 'runtriage[mcp]'", NO_ACCESS)
    from runtriage.api.exposure import ExposedError
    from runtriage.cli.settings import config
    from runtriage.mcp.http import application, serve
    from runtriage.mcp.reading import Reading
    from runtriage.mcp.server import server
    from runtriage.store.cache import user_cache

    settings = config()
    permitted = _permitted(allow or settings.mcp.roots or [Path()], allow_remote or (), apply=allow_apply)
    reading = Reading(permitted, settings, None if no_cache else user_cache())
    made = server(reading, seconds=seconds, apply=_apply(permitted) if allow_apply else None)
    if not http:
        made.run(transport="stdio")
        return 0
    try:
        app = application(made, host, os.environ.get(token_env) or None, name or [])
    except ExposedError as error:
        raise CommandError(f"{error} ({token_env})") from None
    try:
        serve(app, host, port)
    except OSError as error:
        raise CommandError(f"{host}:{port}: {(error.strerror or str(error)).lower()}", UNUSABLE) from None
    return 0


def _permitted(folders: Sequence[Path], remote: Sequence[str], *, apply: bool) -> Policy:
    from runtriage.mcp.policy import RefusedError, policy

    try:
        return policy(folders, remote, apply=apply)
    except RefusedError as error:
        raise CommandError(str(error)) from None


def _apply(permitted: Policy) -> Apply:
    from runtriage.launch.apply import apply, journal_place
    from runtriage.mcp.answers import Applied
    from runtriage.model.report import Report

    def do(report: Report, step: int, command: str | None) -> Applied:
        done = apply(report, step, command, journal_place(), admits=permitted.may_show)
        return Applied(outcome=done.outcome, command=done.command, said=done.said)

    return do
