"""The history as commands open it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from runtriage.cli.errors import CommandError

if TYPE_CHECKING:
    from runtriage.store.history import History

UNREADABLE: Final = 3


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
        raise CommandError(str(error), UNREADABLE) from None
