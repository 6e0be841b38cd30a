"""`runtriage k8s`: one pod, job or selection of pods of a Kubernetes cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from runtriage.cli import flags
from runtriage.cli.chosen import opened_by
from runtriage.cli.diagnosis import diagnose
from runtriage.cli.errors import CommandError
from runtriage.cli.reporting import Reporting

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


_What = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[KIND/NAME]",
        help="pod, job, pytorchjob, mpijob, jobset, rayjob, trainjob, vcjob, ... and its name.",
        show_default=False,
    ),
]
_Namespace = Annotated[
    str | None, typer.Option("-n", "--namespace", metavar="NAME", help="Its namespace.", rich_help_panel=_WHICH)
]
_Selector = Annotated[
    str | None, typer.Option("-l", "--selector", metavar="LABELS", help="Pods by label.", rich_help_panel=_WHICH)
]
_KubeContext = Annotated[
    str | None, typer.Option("--context", metavar="NAME", help="The kubectl context.", rich_help_panel=_WHICH)
]


@Reporting
def command(
    what: _What = None,
    namespace: _Namespace = None,
    selector: _Selector = None,
    kube_context: _KubeContext = None,
    last: flags.Last = None,
    *,
    shared: Mapping[str, Any],
) -> int:
    """Diagnose what is named and return the exit code."""
    named = what or []
    one = "/".join(named) if len(named) == 2 and "/" not in "".join(named) else named[0] if len(named) == 1 else None
    if len(named) > 2 or (named and one is None) or (one is None) == (selector is None):
        raise CommandError("name one object as KIND/NAME, or pods by -l SELECTOR")
    given = {**shared, "last": last}
    return diagnose(opened_by(lambda: _target(one, namespace, selector, kube_context), given))


def _target(what: str | None, namespace: str | None, selector: str | None, context: str | None) -> KubeTarget:
    from runtriage.targets.k8s import target

    return target(what=what, namespace=namespace, selector=selector, context=context)
