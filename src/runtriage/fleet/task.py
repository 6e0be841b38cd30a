"""One run in, one row out: what a worker does, wherever it runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from runtriage.api.config import History
from runtriage.api.diagnosis import diagnose
from runtriage.api.history import memory
from runtriage.api.prepared import Prepared, prepare
from runtriage.fleet.row import Row, judged, tool_failed, unreadable
from runtriage.fleet.runs import Run
from runtriage.model.options import Options
from runtriage.model.target import Cache
from runtriage.targets.errors import TargetError


class Settings(Struct, frozen=True):
    """What is the same for every run. `reports` asks for the whole report beside the row, `history` for keeping each.

    What is kept of one run has no part in the diagnosis of another: rows do not depend on which worker was quicker.
    """

    options: Options
    signatures: Sequence[Path] = ()
    reports: bool = False
    history: History | None = None


class Done(Struct, frozen=True):
    """A row, and the report as one line of JSON where it was asked for."""

    row: Row
    report: str | None = None


class Task:
    """Diagnoses one run after another with the same catalogue."""

    def __init__(self, settings: Settings, cache: Cache | None = None) -> None:
        self._settings = settings
        self._cache = cache
        self._prepared: Prepared = prepare(settings.signatures, cache, compile=True)
        self._memory = memory(settings.history, look_back=False) if settings.history is not None else None

    def do(self, run: Run) -> Done:
        """Diagnose a run; whatever happens ends in a row."""
        try:
            report = diagnose(
                run.target,
                options=self._settings.options,
                cache=self._cache,
                run_id=run.key,
                prepared=self._prepared,
                history=self._memory,
            )
            line = msgspec.json.encode(report).decode() if self._settings.reports else None
            return Done(judged(run, report), line)
        except TargetError as error:
            return Done(unreadable(run, error))
        except MemoryError:
            return Done(tool_failed(run, "needed more memory than a run may take"))
        except Exception as error:  # noqa: BLE001 - one run that breaks the tool must not end the others
            return Done(tool_failed(run, f"{type(error).__name__} in the diagnosis"))
