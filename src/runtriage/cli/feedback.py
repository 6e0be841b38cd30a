"""`runtriage feedback`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from runtriage.cli.errors import CommandError, choice
from runtriage.cli.files import show
from runtriage.cli.remembered import opened

HELP = """
Say whether a diagnosis was right, or what fixed the run.

What fixed a failure is named the next time it comes back, with how long it held. What was called wrong is said, too. \
Without arguments: how often verdicts were right, by how sure they were.

\b
  runtriage feedback 3fa9 right
  runtriage feedback 3fa9 wrong "the node was fine, the image was old" --cause config-error
  runtriage feedback 3fa9 fixed "raised shm-size to 8g"
  runtriage feedback
"""


def command(
    identity: Annotated[str | None, typer.Argument(metavar="ID", help="The id of a diagnosis, or its start.")] = None,
    says: Annotated[str | None, typer.Argument(metavar="right|wrong|fixed", help="Your verdict.")] = None,
    note: Annotated[str, typer.Argument(metavar="NOTE", help="What was wrong, or what fixed it.")] = "",
    cause: Annotated[
        str | None, typer.Option(metavar="CLASS", help="The primary cause it should have named, with wrong.")
    ] = None,
) -> int:
    """Keep the feedback and return the exit code."""
    from runtriage.api.history_reading import SAYS, one, say
    from runtriage.model.taxonomy import PRIMARY_CLASSES

    if identity is None:
        return _calibration()
    if says is None:
        raise CommandError(f"say {', '.join(SAYS)} behind the id: runtriage feedback {identity} {SAYS[0]}")
    said = choice("feedback", says, SAYS)
    if cause is not None:
        choice("--cause", cause, tuple(PRIMARY_CLASSES))
        if said != "wrong":
            raise CommandError("--cause goes with wrong")
    if said == "fixed" and not note.strip():
        raise CommandError("say what fixed it, in quotes")
    with opened() as history:
        entry = one(history, identity)
        item = say(history, entry, said, note, cause, now=datetime.now(UTC).isoformat(timespec="seconds"))
    show(
        f"{entry.id[:8]}: {item.says}{f' ({item.cause})' if item.cause else ''}{f': {item.note}' if item.note else ''}\n"
    )
    return 0


def _calibration() -> int:
    from runtriage.api.history_calibration import calibration

    with opened() as history:
        bins = calibration(history)
    if not bins:
        show("nobody has said yet whether a diagnosis was right\n")
        return 0
    show("confidence   judged  right\n")
    for item in bins:
        show(f"{item.low:.2f}-{item.high:.2f}    {item.judged:>6}  {item.right / item.judged:>5.0%}\n")
    return 0
