"""What happened, in order, as the report tells it: the root first, then what it explains."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.place import where
from runtriage.model.report import CitationModel, EvidenceModel, Report

_CLOCK: Final = re.compile(r"(?<!\d)([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:[.,](\d{1,6}))?")
_ROOT_FIRST: Final = "The root stands first. "
_SPANS: Final = 12
_HALF_DAY: Final = 43_200
"""Times of day further apart than this may lie on two days, and are not compared."""


class Happening(Struct, frozen=True, kw_only=True):
    """One event: its text, ranks (none when the job as a whole is meant), time as printed and place in the log."""

    text: str
    kind: str
    ranks: tuple[int, ...]
    time: str | None
    clock: str | None
    second: float | None
    place: str
    artifact: str
    line: int | None

    @property
    def named(self) -> str:
        """Return the ranks, neighbours as a range: `0-36, 38-63`."""
        runs: list[list[int]] = []
        for rank in sorted(set(self.ranks)):
            if runs and runs[-1][-1] == rank - 1:
                runs[-1].append(rank)
            else:
                runs.append([rank])
        spans = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
        return ", ".join(spans[:_SPANS]) + (f" and {len(spans) - _SPANS} more" if len(spans) > _SPANS else "")


def happenings(report: Report) -> tuple[list[Happening], str, bool]:
    """Return the events, a sentence that says what their order means, and whether it is that of their times."""
    if report.primary_cause is None:
        return _overcome(report) if report.run_status == "recovered" else ([], "", False)
    times = {_key(item.citation): item for item in reversed(report.evidence)}
    root = _root(report)
    effects = [
        _happening(item.text, "effect", tuple(item.ranks), item.citation, times.get(_key(item.citation)))
        for item in report.cascade
    ]
    effects, note, timed = _ordered(effects)
    return [*([root] if root else []), *effects], note, timed


def _key(place: CitationModel) -> tuple[str, int | None, str | None]:
    return place.artifact, place.first_line, place.pointer or place.series


def _root(report: Report) -> Happening | None:
    found = next((item for item in report.evidence if item.role == "root"), None)
    if found is None:
        return None
    rank = report.culprit.rank
    return _happening(found.claim, "root", () if rank is None else (rank,), found.citation, found)


def _happening(
    text: str, kind: str, ranks: tuple[int, ...], place: CitationModel, seen: EvidenceModel | None
) -> Happening:
    time = seen.time if seen else None
    found = _CLOCK.search(time) if time else None
    second = None
    if found:
        hours, minutes, seconds, part = found.groups()
        second = int(hours) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{part or 0}")
    return Happening(
        text=text,
        kind=kind,
        ranks=ranks,
        time=time,
        clock=found[0][:8] if found else None,
        second=second,
        place=where(place),
        artifact=place.artifact,
        line=place.first_line,
    )


def _overcome(report: Report) -> tuple[list[Happening], str, bool]:
    """Return the faults that the run left behind."""
    faults = [
        _happening(item.claim, "effect", () if item.rank is None else (item.rank,), item.citation, item)
        for item in report.evidence
    ]
    ordered, note, timed = _ordered(faults)
    return ordered, note.removeprefix(_ROOT_FIRST), timed


def _ordered(effects: Sequence[Happening]) -> tuple[list[Happening], str, bool]:
    """Order by printed time where all have a comparable one, else by line within one file, else as the report does."""
    if len(effects) < 2:
        return list(effects), "", False
    seconds = [item.second for item in effects if item.second is not None]
    if len(seconds) == len(effects) and max(seconds) - min(seconds) < _HALF_DAY:
        ordered = sorted(effects, key=lambda item: (item.second or 0.0, item.line or 0))
        files = len({item.artifact for item in effects})
        doubt = "; clocks of different files may differ" if files > 1 else ""
        return ordered, f"{_ROOT_FIRST}The rest stands in the order of the printed times{doubt}.", True
    if len({item.artifact for item in effects}) == 1 and all(item.line is not None for item in effects):
        ordered = sorted(effects, key=lambda item: item.line or 0)
        return ordered, f"{_ROOT_FIRST}The rest stands in the order of the log's lines; some carry no time.", False
    bare = [replace(item, clock=None) for item in effects]
    return bare, f"{_ROOT_FIRST}The times of the rest do not give one order.", False
