"""From what the user names to a side of a comparison: a target that is read now, or a remembered diagnosis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from runtriage.api.compare import Side, curves_of
from runtriage.api.compare_series import rising, step_seconds
from runtriage.api.kinship import Known, comparable
from runtriage.model.options import Options
from runtriage.model.report import Report

if TYPE_CHECKING:
    from runtriage.model.target import Cache, Progress
    from runtriage.store.history import History
    from runtriage.store.history_entry import Entry


def read(
    target: str, *, signatures: Sequence[Path] = (), cache: Cache | None = None, progress: Progress | None = None
) -> Side:
    """Return a run that is read now. Raises `TargetError`."""
    from runtriage.api.assemble import assemble
    from runtriage.api.prepared import prepare
    from runtriage.pipeline import Pipeline
    from runtriage.redact import DEFAULT
    from runtriage.store.memory import MemoryCache
    from runtriage.targets import resolve

    kept = cache or MemoryCache()
    ready = prepare(signatures, kept)
    with resolve([target]) as opened:
        diagnosis = Pipeline(
            opened, ready.catalogue, Options(), policy=DEFAULT, cache=kept, rules=ready.rules, progress=progress
        ).run()
    report = assemble(diagnosis, run_id="", timestamp="", duration=0.0)
    facts = diagnosis.facts
    curves = [
        (item.name, item.subject.rank, rising([(point.step, point.value) for point in item.points]))
        for item in facts.series
    ]
    settings = {item.name: item.value for item in facts.settings}
    if facts.world_size is not None:
        settings.setdefault("world_size", str(facts.world_size))
    pace = step_seconds([[(point.step, point.time) for point in item.points] for item in facts.series])
    return Side(label=report.target, report=report, settings=settings, curves=curves_of(curves), step_seconds=pace)


def remembered(history: History, entry: Entry) -> Side:
    """Return a run as it was diagnosed. Raises `NotRememberedError`."""
    from runtriage.api.history_reading import report_of, surroundings_of

    report = report_of(history, entry.id)
    around = surroundings_of(history, entry.id)
    settings = {str(name): str(value) for name, value in around.get("settings", {}).items()}
    if around.get("world_size") is not None:
        settings.setdefault("world_size", str(around["world_size"]))
    return Side(label=f"{entry.id[:8]} ({report.target})", report=report, settings=settings, curves=_curves(report))


def last_good(history: History, side: Side, place: str, until: str, other_than: str = "") -> Side | None:
    """Return the latest remembered run that ended well, lies beside the place, and can be compared with the side."""
    from runtriage.api.history_reading import NotRememberedError

    folder = place.rstrip("/").rpartition("/")[0] + "/"
    own = _known(side, place)
    for entry in history.good(folder, until, other_than, place) if folder != "/" else ():
        try:
            other = remembered(history, entry)
        except NotRememberedError:
            continue
        if comparable(own, _known(other, entry.place)):
            return other
    return None


def _known(side: Side, place: str | None) -> Known:
    return Known(place, side.report.framework, side.settings, frozenset(side.curves))


def _curves(report: Report) -> dict[str, Sequence[tuple[float, float]]]:
    return curves_of([(item.name, item.rank, rising(item.curve)) for item in report.metrics])
