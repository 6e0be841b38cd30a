"""`runtriage compare`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from runtriage.cli.errors import CommandError
from runtriage.cli.files import show
from runtriage.cli.remembered import opened
from runtriage.model.exit_code import NOT_FOUND

if TYPE_CHECKING:
    from runtriage.api.compare import Comparison, Difference, Metric, Side

_WIDTH: Final = 160
"""Characters shown of one value; what a run says of its end takes most of them."""

HELP = """
What differs between two runs, and where they part first.

Each is a target, or the id of a diagnosis. Without the second: the latest run remembered as completed or recovered that lies in the same folder
and is of the same program, or has two names of metrics or settings in common.

\b
  runtriage compare outputs/run-17 outputs/run-16
  runtriage compare outputs/run-17                 with the last good one
  runtriage compare 3fa9 81c2                      two remembered diagnoses
"""


def command(
    a: Annotated[str, typer.Argument(metavar="A", help="A run: a target, or the id of a diagnosis.")],
    b: Annotated[str | None, typer.Argument(metavar="B", help="Another; the last good one without it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> int:
    """Compare and return the exit code."""
    from runtriage.api.compare import compare
    from runtriage.cli.settings import preferred

    first = _side(a)
    second = _good(a, first) if b is None else _side(b)
    found = compare(first, second, strict_redaction=preferred().strict_redaction)
    if as_json:
        import json

        from msgspec import to_builtins

        show(json.dumps(to_builtins(found), indent=2) + "\n")
        return 0
    show("".join(f"{line}\n" for line in _lines(found)))
    return 0


def _side(name: str) -> Side:
    from runtriage.api.compare_sides import read, remembered
    from runtriage.api.history_reading import one
    from runtriage.cli.settings import config
    from runtriage.store.cache import user_cache

    if _is_identity(name):
        with opened() as history:
            return remembered(history, one(history, name))
    return read(name, signatures=config().signatures.folders, cache=user_cache())


def _good(name: str, side: Side) -> Side:
    from runtriage.api.compare_sides import last_good
    from runtriage.api.history_reading import one

    with ExitStack() as stack:
        history = stack.enter_context(opened())
        place, until, own = str(Path(name).absolute()), datetime.now(UTC).isoformat(timespec="seconds"), ""
        if _is_identity(name):
            entry = one(history, name)
            place, until, own = entry.place or "", entry.seen_at, entry.id
        found = last_good(history, side, place, until, own)
        if found is None:
            raise CommandError(
                "no comparable run beside it is remembered as completed or recovered (one of the same program, or with two "
                f"names of metrics or settings in common); name the other run: runtriage compare {shlex.quote(name)} OTHER",
                NOT_FOUND,
            )
        return found


def _is_identity(name: str) -> bool:
    plain = all(letter in "0123456789abcdefABCDEF-" for letter in name)
    return plain and len(name) >= 4 and not Path(name).exists()


def _lines(found: Comparison) -> Iterator[str]:
    yield f"A: {found.a}"
    yield f"B: {found.b}"
    parts = (found.outcome, found.settings, found.environment, found.timing)
    if not any(parts) and found.first is None:
        yield "Nothing that was read differs."
    if found.first is not None:
        yield f"First divergence: {_parts(found.first)}"
    elif found.metrics:
        yield "First divergence: none in the metrics that both print"
    yield from _section("Outcome", found.outcome)
    yield from _section(f"Settings ({found.same_settings} are the same)", found.settings)
    yield from _section("Environment", found.environment)
    yield from _section("Timing", found.timing)
    if found.metrics:
        yield "Metrics:"
        for metric in found.metrics:
            ends = f"{_number(metric.a)} | {_number(metric.b)}"
            yield f"- {metric.name}: {ends}" + ("" if metric.parts_at is None else f"; {_parts(metric)}")


def _section(title: str, items: Sequence[Difference]) -> Iterator[str]:
    if items:
        yield f"{title}:"
        yield from (f"- {item.name}: {_said(item.a)} | {_said(item.b)}" for item in items)


def _said(value: str | None) -> str:
    if value is None:
        return "(not said)"
    text = " ".join(value.split())
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3].rpartition(' ')[0] or text[: _WIDTH - 3]}..."


def _parts(metric: Metric) -> str:
    return f"{metric.name} parts at step {metric.parts_at:g} ({_number(metric.a_there)} | {_number(metric.b_there)})"


def _number(value: float | None) -> str:
    return "not finite" if value is None else f"{value:.5g}"
