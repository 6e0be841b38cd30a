"""`runtriage runai`: one failed Run:ai workload, by id or by name and project."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from runtriage.cli.chosen import opened_by
from runtriage.cli.diagnosis import diagnose
from runtriage.cli.errors import CommandError, choice
from runtriage.cli.reporting import Reporting
from runtriage.model.pattern import deferred
from runtriage.model.runai import INTENTS, TERMINAL

if TYPE_CHECKING:
    from runtriage.targets.runai import RunAiTarget

HELP = """
Say why a Run:ai workload failed: its category, each signal with its source, recurrence and what to do.

Asks the six read tools of a Run:ai MCP server, or the REST API, and with --context the workload's pods through kubectl. Nothing is changed.

\b
  runtriage runai --cluster-id C --workload-id W --mcp 'runai-mcp --stdio'
  runtriage runai --cluster-id C --workload-name train --project ml --mcp https://host/mcp
  runtriage runai --cluster-id C --workload-name train --project ml --intent active --context prod
  runtriage runai --cluster-id C --workload-id W --lookback 7d --api https://org.run.ai
"""
_WHICH: Final = "Which workload"
_HOW: Final = "How to ask"
_SPAN: Final = deferred(r"([1-9][0-9]{0,5})\s*([smhdw])")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


_ClusterId = Annotated[str, typer.Option(metavar="ID", help="The cluster; always needed.", rich_help_panel=_WHICH)]
_WorkloadId = Annotated[str, typer.Option(metavar="ID", help="The workload.", rich_help_panel=_WHICH)]
_WorkloadName = Annotated[
    str, typer.Option(metavar="NAME", help="Its name, together with --project.", rich_help_panel=_WHICH)
]
_Project = Annotated[str, typer.Option(metavar="NAME", help="Its project.", rich_help_panel=_WHICH)]
_Intent = Annotated[
    str,
    typer.Option(
        metavar="WORD",
        help="Of several submissions: terminal for the newest that ended, active for one that fails now.",
        rich_help_panel=_WHICH,
    ),
]
_Lookback = Annotated[
    str, typer.Option(metavar="SPAN", help="How far back history counts: 24h, 7d.", rich_help_panel=_WHICH)
]
_Mcp = Annotated[
    str | None, typer.Option(metavar="COMMAND|URL", help="The MCP server of Run:ai.", rich_help_panel=_HOW)
]
_Api = Annotated[str | None, typer.Option(metavar="URL", help="The REST API instead.", rich_help_panel=_HOW)]
_KubeContext = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The kubectl context, for container states and logs.", rich_help_panel=_HOW),
]


@Reporting
def command(
    cluster_id: _ClusterId = "",
    workload_id: _WorkloadId = "",
    workload_name: _WorkloadName = "",
    project: _Project = "",
    intent: _Intent = "terminal",
    lookback: _Lookback = "24h",
    mcp: _Mcp = None,
    api: _Api = None,
    context: _KubeContext = None,
    *,
    shared: Mapping[str, Any],
) -> int:
    """Diagnose one workload and return the exit code."""
    _complete(cluster_id, workload_id, workload_name, project)
    if mcp and api:
        raise CommandError("give --mcp or --api, not both")
    named = (cluster_id, workload_id, workload_name, project)
    kind, seconds, as_of = choice("--intent", intent, INTENTS), span(lookback), shared["as_of"]
    return diagnose(opened_by(lambda: _target(named, kind, seconds, as_of, mcp, api, context), shared))


def _target(
    named: tuple[str, str, str, str],
    intent: str,
    lookback: float,
    as_of: str | None,
    mcp: str | None,
    api: str | None,
    context: str | None,
) -> RunAiTarget:
    from runtriage.cli.settings import config, instant
    from runtriage.targets.runai import RunAiTarget, Wanted
    from runtriage.targets.runai_access import reads_of

    cluster, workload, name, project = named
    settings = config().runai
    chosen = mcp or api
    reads = reads_of(
        mcp=mcp or (None if chosen else settings.mcp),
        api=api or (None if chosen or settings.mcp else settings.url),
        token_env=settings.token_env,
    )
    wanted = Wanted(
        cluster=cluster,
        workload=workload,
        name=name,
        project=project,
        intent=intent,
        lookback=lookback,
        as_of=time.time() if as_of is None else instant(as_of),
        context=context or settings.kube_context or "",
    )
    return RunAiTarget(wanted, reads)


def opener_of(rest: str, as_of: str | None) -> Callable[[], RunAiTarget]:
    """Return what opens the target `runai:CLUSTER/WORKLOAD`, read as the config file and the environment say."""
    cluster, _, workload = rest.removeprefix("//").partition("/")
    if not cluster or not workload:
        raise CommandError("a Run:ai target is runai:CLUSTER/WORKLOAD, with the ids of both")
    return lambda: _target((cluster, workload, "", ""), TERMINAL, span("24h"), as_of, None, None, None)


def _complete(cluster: str, workload: str, name: str, project: str) -> None:
    """End the command with the names of what is missing, before anything is asked."""
    missing = [] if cluster else ["--cluster-id"]
    if workload and (name or project):
        raise CommandError("give --workload-id, or --workload-name with --project, not both")
    if not workload:
        if not name and not project:
            missing.append("--workload-id (or --workload-name with --project)")
        else:
            missing += [] if name else ["--workload-name"]
            missing += [] if project else ["--project"]
    if missing:
        raise CommandError(f"missing: {', '.join(missing)}; nothing is searched for or guessed")


def span(text: str) -> float:
    """Return a span such as `24h` or `7d` in seconds. Ends the command for anything else."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise CommandError(f"--lookback: {text!r} is no span; write it as 24h, 90m or 7d")
    return float(int(found[1]) * _SECONDS[found[2]])
