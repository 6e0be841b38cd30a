"""`runtriage explain`."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from runtriage.cli import flags
from runtriage.cli.errors import CommandError
from runtriage.cli.files import show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runtriage.model.catalogue import Catalogue
    from runtriage.model.taxonomy import Mode

HELP = """
Explain a failure mode: what it means, how it is recognised, what helps.

A report names its mode as failure_mode.

\b
  runtriage explain oom/gpu-alloc
  runtriage explain nccl-distributed       all modes of a class
"""


def command(
    mode: Annotated[str, typer.Argument(metavar="MODE", help="A failure mode of a report, or a primary class.")],
    signatures: flags.SignatureFolders = None,
) -> int:
    """Explain and return the exit code."""
    from runtriage.cli.settings import config
    from runtriage.model.taxonomy import PRIMARY_CLASSES, modes
    from runtriage.signatures import load

    if mode in PRIMARY_CLASSES:
        show("".join(f"{each.id:<40}  {each.title}\n" for each in modes().values() if each.primary_class == mode))
        return 0
    known = modes().get(mode) or modes().get(mode.partition(".")[0])
    if known is None:
        raise CommandError(_unknown(mode, [*PRIMARY_CLASSES, *modes()]))
    catalogue = load([*config().signatures.folders, *(signatures or ())])
    show("\n".join(_lines(known, catalogue)) + "\n")
    return 0


def _lines(mode: Mode, catalogue: Catalogue) -> Iterator[str]:
    yield f"{mode.id}: {mode.title}"
    yield f"Primary class: {mode.primary_class} · workload category: {mode.category} · workflow class: {mode.workflow}"
    found = [signature for _, signature in sorted(catalogue.signatures.items()) if signature.mode == mode.id]
    for signature in found:
        yield ""
        yield f"{signature.id} ({signature.role}, {signature.maturity}): {signature.title}"
        yield fill(" ".join(signature.explain.split()), 100, initial_indent="  ", subsequent_indent="  ")
        yield from (f"  not to be confused with: {text}" for text in signature.false_positives)
    if not found:
        yield ""
        yield "No signature finds it by text: it is found by the shape of metrics, ranks or states, or not yet."
    fixes = dict.fromkeys(fix for signature in found for fix in signature.fixes)
    if fixes:
        yield ""
        yield "What helps:"
    for fix in (catalogue.fixes[name] for name in fixes):
        yield f"  - {fix.plain or fix.action} | risk={fix.risk} | expected impact={fix.expected_impact} | validate={fix.validate}"
    links = dict.fromkeys(link for signature in found for link in signature.references)
    if links:
        yield ""
        yield "Sources:"
    yield from (f"  {link}" for link in links)


def _unknown(mode: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(mode, known, n=3)
    hint = (
        f"did you mean {' or '.join(near)}?"
        if near
        else "give a class to list its modes, such as: runtriage explain oom"
    )
    return f"{mode} is no failure mode; {hint}"
