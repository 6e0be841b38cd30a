"""`runtriage history`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from runtriage.cli.errors import CommandError, choice
from runtriage.cli.files import show as print_text
from runtriage.cli.remembered import opened
from runtriage.render.visible import visible

if TYPE_CHECKING:
    from runtriage.store.history_entry import Entry
    from runtriage.store.history_listing import Query

HELP = """
The diagnoses made before: list, show, search, export, prune.

They are kept in a file of the user's state folder, or where history.path in the config (or RUNTRIAGE_HISTORY) says: \
a file, or a postgresql:// URL. RUNTRIAGE_HISTORY=off keeps none.

\b
  runtriage history list --cause oom --since 2026-05-01
  runtriage history show 3fa9                     the start of an id is enough
  runtriage history search "gpu-09 nccl"
  runtriage history export -o diagnoses.jsonl
  runtriage history prune --older-than 90
"""

app = typer.Typer(no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]})

_ID: Final = 8
_HEAD: Final = f"{'id':<{_ID}}  {'seen at (UTC)':<16}  {'status':<9}  {'failure mode':<28}  {'where':<18}  target\n"
_TARGET: Final = 100
"""Characters of a target in a list."""
Cause = Annotated[str | None, typer.Option(metavar="CLASS", help="Only this primary cause.")]
Mode = Annotated[str | None, typer.Option(metavar="MODE", help="Only this failure mode.")]
Status = Annotated[str | None, typer.Option(metavar="STATUS", help="Only runs that ended so: crashed, hung, ...")]
Node = Annotated[str | None, typer.Option(metavar="NODE", help="Only failures that began on this node.")]
Since = Annotated[str | None, typer.Option(metavar="DATE", help="Only diagnoses from this day on, as 2026-05-01.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="At most N, the newest first.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


@app.command("list")
def list_(
    cause: Cause = None,
    mode: Mode = None,
    status: Status = None,
    node: Node = None,
    since: Since = None,
    limit: Limit = 30,
    as_json: AsJson = False,
) -> int:
    """List diagnoses, the newest first.

    \b
      runtriage history list --cause oom --since 2026-05-01
    """
    from runtriage.store.history_listing import Query

    query = Query(cause=cause, mode=mode, status=status, node=node, since=_day(since))
    return _listed(query, limit, as_json=as_json)


@app.command()
def search(
    words: Annotated[str, typer.Argument(metavar="WORDS", help="Each must be in the summary, target, mode or node.")],
    limit: Limit = 30,
    as_json: AsJson = False,
) -> int:
    """Find diagnoses by words.

    \b
      runtriage history search "gpu-09 nccl"
    """
    from runtriage.store.history_listing import Query

    return _listed(Query(text=words), limit, as_json=as_json)


@app.command()
def show(
    identity: Annotated[str, typer.Argument(metavar="ID", help="The id of a diagnosis, or its start.")],
    format: Annotated[str, typer.Option("--format", help="terminal, json, markdown or html.")] = "terminal",
) -> int:
    """Print a report again.

    \b
      runtriage history show 3fa9
    """
    from runtriage.api.history_reading import one, report_of
    from runtriage.cli.formats import FORMATS, person_watches, rendered

    choice("--format", format, FORMATS)
    with opened() as history:
        entry = one(history, identity)
        report, said = report_of(history, entry.id), history.feedback([entry.id])
    print_text(rendered(report, format, person=format == "terminal" and person_watches()))
    if format == "terminal":
        print_text("".join(f"Said: {item.says} on {item.given_at[:10]}: {item.note}\n" for item in said))
    return 0


@app.command()
def export(
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write there.")] = None,
    since: Since = None,
) -> int:
    """Write every diagnosis with its report and feedback, one JSON object a line.

    \b
      runtriage history export -o diagnoses.jsonl
    """
    from runtriage.api.history_reading import exported
    from runtriage.cli import files
    from runtriage.store.history_listing import Query

    if output is not None:
        files.check_writable(output)
    with opened() as history:
        lines = exported(history, Query(since=_day(since)))
        if output is not None:
            files.write(output, "".join(f"{line}\n" for line in lines))
            return 0
        for line in lines:
            print_text(f"{line}\n")
    return 0


@app.command()
def prune(
    older_than: Annotated[int | None, typer.Option(min=0, metavar="DAYS", help="Forget what is older.")] = None,
    keep: Annotated[int | None, typer.Option(min=0, metavar="N", help="Forget all but the newest N.")] = None,
) -> int:
    """Forget diagnoses.

    \b
      runtriage history prune --older-than 90
    """
    if older_than is None and keep is None:
        raise CommandError("say what to forget: --older-than DAYS, --keep N, or both")
    from runtriage.api.history import days_before

    limit = None if older_than is None else days_before(datetime.now(UTC), older_than)
    with opened() as history:
        gone = history.prune(before=limit, keep=keep)
    print_text(f"forgot {gone} diagnos{'is' if gone == 1 else 'es'}\n")
    return 0


def _listed(query: Query, limit: int, *, as_json: bool) -> int:
    from runtriage.store.history_listing import page

    with opened() as history:
        entries, total = page(history, query, limit=limit)
    if as_json:
        import json

        print_text("".join(json.dumps(entry._asdict()) + "\n" for entry in entries))
        return 0
    if entries:
        print_text(_HEAD)
    print_text("".join(f"{_line(entry)}\n" for entry in entries))
    if total > len(entries):
        print_text(f"... and {total - len(entries)} more; --limit {total} shows all\n")
    if not total:
        print_text("no diagnosis fits\n")
    return 0


def _line(entry: Entry) -> str:
    cause = entry.failure_mode or entry.primary_cause or "-"
    where = " ".join(filter(None, (entry.node, f"step {entry.step}" if entry.step is not None else "")))
    line = f"{entry.id[:_ID]:<{_ID}}  {entry.seen_at[:16].replace('T', ' ')}  {entry.run_status:<9}  {cause:<28}  {where:<18}  {_short(entry.target)}"
    return visible(line, stays="")


def _short(target: str) -> str:
    """Return the end of a long target, which tells runs apart."""
    return target if len(target) <= _TARGET else f"…{target[-_TARGET:]}"


def _day(text: str | None) -> str | None:
    from runtriage.store.history_listing import day

    try:
        return None if text is None else day(text)
    except ValueError:
        raise CommandError(f"--since: {text!r} is no day; write it as 2026-05-01") from None
