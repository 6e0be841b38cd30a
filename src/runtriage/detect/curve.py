"""Series as detectors look at them: finite, ordered, one a role and rank."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.series import Point, Series

ADVERSARIAL = ("gen", "disc", "critic", "actor", "policy", "value", "adv", "entropy", "kl")
"""Parts of names of losses that rise and fall in healthy GAN and RL runs."""
_OPPONENTS = frozenset({"g", "d", "gan", "dis", "dreal", "dfake", "netg", "netd", "lossg", "lossd"})
"""Whole words of names of such losses; as parts they stand in the names of others (`dfl_loss`, `loss_giou`)."""
NEIGHBOURS = 3
"""Lines within which two values are read together."""
_WORDS = deferred(r"[^a-z0-9]+")
_SHARES = (
    "acc",
    "f1",
    "auc",
    "precision",
    "recall",
    "iou",
    "dice",
    "exact_match",
    "top1",
    "top_1",
    "top-1",
    "map50",
    "map@50",
    "map_50",
    "genauigkeit",
    "trefferquote",
    "exactitud",
    "acierto",
    "acurac",
    "nauwkeurig",
    "noggrann",
)


def finite(series: Series) -> list[Point]:
    """Return the finite points in order."""
    return [point for point in series.points if math.isfinite(point.value)]


def of_role(facts: Facts, *roles: str) -> Iterator[Series]:
    """Yield the longest series of each name group and rank with one of the roles."""
    best: dict[tuple[str | None, int | None, str], Series] = {}
    for series in facts.series:
        if series.role in roles and not (series.role == "eval_loss" and _unnamed(facts, series)):
            key = (series.role, series.subject.rank, _kind(series.name))
            if key not in best or series.total > best[key].total:
                best[key] = series
    yield from best.values()


def _unnamed(facts: Facts, series: Series) -> bool:
    """Tell whether a value is only said to be of the test: a loss where training is `learn`, else as likely a score."""
    return series.name.lower() == "test" and not any(other.name.lower() == "learn" for other in facts.series)


def first_of(facts: Facts, *roles: str) -> Series | None:
    """Return the longest series with one of the roles, or None."""
    return max(of_role(facts, *roles), key=lambda series: series.total, default=None)


def begun(facts: Facts, series: Series) -> bool:
    """Tell whether the beginning of a series was read: where only the end of its log was, its first value is none to start from."""
    last = facts.options.last
    return last is None or not any(read.cut and read.artifact.path == series.artifact for read in facts.reads)


def untrained_at_first(points: Sequence[Point]) -> bool:
    """Tell whether the first value may be that of the untrained model: no steps are missing before it, as in a copy of the end of a log."""
    first = points[0].step if points else 0.0
    return len(points) < 3 or first <= max(1.0, *(point.step - first for point in points[1:3]))


def _kind(name: str) -> str:
    return name.lower().replace("train", "").strip("/_- ")


def ordinary(series: Series) -> bool:
    """Tell whether a loss is one that should fall (not an adversarial or a policy loss)."""
    name = series.name.lower()
    return not any(part in name for part in ADVERSARIAL) and _OPPONENTS.isdisjoint(_WORDS.split(name))


def shares(series: Series) -> list[Point]:
    """Return the finite points of a score between 0 and 1, percentages as parts of one; none where it is no such score."""
    points = finite(series)
    if not any(word in series.name.lower() for word in _SHARES) or not all(0 <= point.value <= 100 for point in points):
        return []
    if all(point.value <= 1 for point in points):
        return points
    return [replace(point, value=point.value / 100) for point in points]


def shown(value: float) -> str:
    """Return a value as it was printed where that is no longer than ten digits, else to six of them."""
    exact = f"{value:.10g}"
    return exact if "e" not in exact and float(exact) == value else f"{value:g}"


def middle(points: Sequence[Point]) -> float:
    """Return the median value."""
    values = sorted(point.value for point in points)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def middles(points: Sequence[Point], width: int) -> list[float]:
    """Return the median of each `width` points in a row, in order; one for each point that has so many behind it, itself included."""
    window = sorted(point.value for point in points[:width])
    half, even = width // 2, width % 2 == 0
    found = [(window[half - 1] + window[half]) / 2 if even else window[half]]
    for gone, come in zip(points, points[width:], strict=False):
        del window[bisect_left(window, gone.value)]
        insort(window, come.value)
        found.append((window[half - 1] + window[half]) / 2 if even else window[half])
    return found


def head(points: Sequence[Point], share: float = 0.05, least: int = 3) -> Sequence[Point]:
    """Return the first `share` of the points, at least `least`."""
    return points[: max(least, int(len(points) * share))]


def tail(points: Sequence[Point], share: float = 0.1, least: int = 3) -> Sequence[Point]:
    """Return the last `share` of the points, at least `least`."""
    return points[-max(least, int(len(points) * share)) :]


def beside(trained: Sequence[Point], judged: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Return the evaluations with what training printed at their step; of several prints of one step the last counts."""
    known = {point.step: point for point in trained}
    return [(known[point.step], point) for point in judged if point.step in known]


def cite(series: Series, point: Point) -> Citation:
    """Return the place of one value: its line where the artifact has lines, else its step in the series."""
    return Citation(
        artifact=series.artifact,
        first_line=point.line if point.line > 0 else None,
        last_line=point.line if point.line > 0 else None,
        series=series.name,
        first_step=point.step,
        last_step=point.step,
        byte_start=point.byte if point.line > 0 and point.byte >= 0 else None,
    )


def from_turn(match: Match, series: Series, earlier: Point, later: Point) -> Match:
    """Return a match of a series that cites two points of it where they are neighbours in the log: what it claims shows between them."""
    if not 0 < earlier.line <= later.line < earlier.line + NEIGHBOURS:
        return match
    first, turn = cite(series, earlier), cite(series, later)
    span = replace(turn, first_line=first.first_line, first_step=first.first_step, byte_start=first.byte_start)
    return replace(match, evidence=(replace(match.evidence[0], citation=span), *match.evidence[1:]))


def fired(
    rule: str,
    mode: str,
    series: Series,
    at: Point,
    claim: str,
    *,
    fixes: tuple[str, ...],
    numbers: dict[str, float],
    also: Sequence[Evidence] = (),
    title: str,
    inferred: bool = False,
) -> Match:
    """Return a match of a metric detector: where the series turned, what it says, and the numbers it fired on.

    `inferred` says that its mode is the likeliest of several that look alike.
    """
    return Match(
        rule=f"series/{rule}",
        mode=mode,
        role="cause",
        maturity="stable",
        tier="metric",
        evidence=(Evidence(claim=claim, citation=cite(series, at)), *also),
        subject=series.subject,
        step=int(at.step) if math.isfinite(at.step) else None,
        captures={"metric": series.name, **({"inferred": "yes"} if inferred else {})},
        numbers=numbers,
        fixes=fixes,
        title=title,
    )
