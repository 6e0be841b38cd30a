"""The history as commands open it."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from runtriage.cli.errors import CommandError
from runtriage.model.exit_code import UNUSABLE

if TYPE_CHECKING:
    from runtriage.api.history import Memory
    from runtriage.store.history import History


@contextmanager
def remembering(*, wanted: bool = True) -> Generator[Memory | None]:
    """Yield the history for diagnoses, None where it is switched off; what it could not do is said on standard error at the end."""
    from runtriage.cli.quick import quick_imports
    from runtriage.cli.settings import config

    with quick_imports():
        from runtriage.api.history import memory
    history = memory(config().history) if wanted else None
    try:
        yield history
    finally:
        if history is not None:
            history.close()
            sys.stderr.writelines(f"runtriage: {fault}\n" for fault in history.faults)


@contextmanager
def opened() -> Generator[History]:
    """Open the user's history; whatever is wrong with it ends the command."""
    from runtriage.api.history import memory
    from runtriage.api.history_reading import NotRememberedError
    from runtriage.cli.settings import config
    from runtriage.store.history_error import HistoryError

    found = memory(config().history)
    if found is None:
        raise CommandError("the history is switched off (history.enabled in the config, or RUNTRIAGE_HISTORY=off)")
    try:
        with found:
            yield found.history()
    except (HistoryError, NotRememberedError) as error:
        raise CommandError(str(error), UNUSABLE) from None
