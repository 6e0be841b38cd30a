"""The diagnosis of an uncaught exception below its traceback. Nothing heavy is imported before there is one."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtriage.model.report import Report


def install() -> None:
    """Print a diagnosis below the traceback when an exception ends this program, and the stacks of all threads when a signal does.

    The exception itself, its traceback and the exit code stay as they are. Calling it again changes nothing.
    """
    import faulthandler

    if getattr(sys.excepthook, "runtriage", False):
        return
    with suppress(Exception):
        if not faulthandler.is_enabled():
            faulthandler.enable()
    sys.excepthook = _Hook(sys.excepthook)


class _Hook:
    """Stands in for the hook before it, which always goes first."""

    runtriage = True

    def __init__(self, before: object) -> None:
        self._before = before

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Show the exception as always, then say why."""
        if callable(self._before):
            self._before(kind, error, trace)
        if not issubclass(kind, Exception) or threading.current_thread() is not threading.main_thread():
            return
        with suppress(Exception):
            from runtriage.launch.inside import report_of

            sys.stderr.write(_told(report_of(error)))
            sys.stderr.flush()


def _told(report: Report) -> str:
    """Return the block, or one line for a rank of a larger job: the block once for each rank would bury everything else."""
    from runtriage.launch.place import place

    where = place(os.environ)
    if where is not None:
        return f"runtriage: rank {where.rank} of {where.size}: {report.summary}\n"
    from runtriage.render import terminal

    return f"\n{terminal.plain(report)}"
