"""`runtriage k8s`: one pod, job or selection of pods of a Kubernetes cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from runtriage.cli import flags
from runtriage.cli.diagnosis import Choices, diagnose
from runtriage.cli.errors import CommandError

if TYPE_CHECKING:
    from runtriage.targets.k8s import KubeTarget

HELP = """
Say why a pod, or a job of any kind, failed: states, events, previous logs, owners, nodes and claims, read through kubectl.

\b
  runtriage k8s pod/trainer-0 -n ml
  runtriage k8s job/train -n ml --context prod
  runtriage k8s pytorchjob/llm -n ml
  runtriage k8s -l app=train -n ml
"""
_WHICH: Final = "Which object"


def command(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[KIND/NAME]",
            help="pod, job, pytorchjob, mpijob, jobset, rayjob, trainjob, vcjob, ... and its name.",
            show_default=False,
        ),
    ] = None,
    namespace: Annotated[
        str | None, typer.Option("-n", "--namespace", metavar="NAME", help="Its namespace.", rich_help_panel=_WHICH)
    ] = None,
    selector: Annotated[
        str | None, typer.Option("-l", "--selector", metavar="LABELS", help="Pods by label.", rich_help_panel=_WHICH)
    ] = None,
    context: Annotated[
        str | None, typer.Option(metavar="NAME", help="The kubectl context.", rich_help_panel=_WHICH)
    ] = None,
    last: flags.Last = None,
    as_of: flags.AsOf = None,
    signatures: flags.SignatureFolders = None,
    no_cache: flags.NoCache = False,
    no_history: flags.NoHistory = False,
    format: flags.Format = None,
    output: flags.Output = None,
    open: flags.Open = False,
    out_dir: flags.OutDir = None,
    lines: flags.Context = 0,
    redact: flags.Redact = None,
    run_id: flags.RunId = None,
    exit_zero: flags.ExitZero = False,
) -> int:
    """Diagnose what is named and return the exit code."""
    if (what is None) == (selector is None):
        raise CommandError("name one object as KIND/NAME, or pods by -l SELECTOR")
    return diagnose(
        Choices(
            targets=(),
            opener=lambda: _target(what, namespace, selector, context),
            last=last,
            context=lines,
            as_of=as_of,
            signatures=signatures,
            no_cache=no_cache,
            no_history=no_history,
            format=format,
            output=output,
            open=open,
            out_dir=out_dir,
            redact=redact,
            run_id=run_id,
            exit_zero=exit_zero,
        )
    )


def _target(what: str | None, namespace: str | None, selector: str | None, context: str | None) -> KubeTarget:
    from runtriage.targets.k8s import target

    return target(what=what, namespace=namespace, selector=selector, context=context)
