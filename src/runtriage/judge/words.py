"""The sentences of a verdict, built from this run's own values."""

from __future__ import annotations

from collections.abc import Sequence

from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Match
from runtriage.model.place import Citation
from runtriage.model.subject import Subject
from runtriage.model.taxonomy import modes
from runtriage.model.verdict import Cascade, Incident

_MESSAGE = 240


def where(citation: Citation) -> str:
    """Return a citation as `artifact:line`, `artifact/pointer` or `artifact [series]`."""
    if citation.first_line is not None:
        return f"{citation.artifact}:{citation.first_line}"
    if citation.pointer is not None:
        return f"{citation.artifact}#{citation.pointer}"
    if citation.series is not None:
        return f"{citation.artifact} [{citation.series}]"
    return citation.artifact


def who(subject: Subject | None) -> str:
    """Return `rank 3 on node gpu-09`, `pod x`, or an empty string."""
    if subject is None:
        return ""
    parts = [f"rank {subject.rank}"] if subject.rank is not None else []
    if subject.pod:
        parts.append(f"pod {subject.pod}")
    if subject.gpu:
        parts.append(f"GPU {subject.gpu}")
    if subject.node:
        parts.append(f"on node {subject.node}")
    return " ".join(parts)


def proximate(root: Incident, culprit: Subject | None) -> str:
    """Return exactly where execution failed."""
    first = root.matches[0]
    frame = first.captures.get("user_frame") or first.captures.get("raised_in")
    place = f" at {frame}" if frame else ""
    actor = who(culprit)
    step = f", after step {root.step}" if root.step is not None else ""
    return f"{_statement(first)}{place}{f' ({actor})' if actor else ''}{step}, printed at {where(first.evidence[0].citation)}."


def cause(root: Incident, culprit: Subject | None, settings: Sequence[str], effects: Sequence[Cascade]) -> str:
    """Return the root cause in one to three sentences."""
    first = root.matches[0]
    actor = who(culprit)
    opening = _statement(first)
    named = f"{_upper(actor)}: {_lower(opening)}" if actor and "rank" not in opening[:12].lower() else _upper(opening)
    sentences = [f"{named}."]
    message = first.captures.get("message", "")[:_MESSAGE].split("\n")[0].rstrip(". ")
    if message and message[:40] not in opening:
        sentences.append(f"The message was: {message}.")
    elif settings:
        sentences.append(f"The configuration has {_join(settings)}.")
    if effects:
        sentences.append(f"What followed comes from it: {'; '.join(_lower(item.text) for item in effects[:2])}.")
    return " ".join(sentences)


def _statement(match: Match) -> str:
    return match.evidence[0].claim[: 2 * _MESSAGE].rstrip(".")


def quiet(status: str, progress: RankProgress | None, survived: int) -> str:
    """Return the summary of a run in which nothing failed."""
    step = f" at step {progress.last_step}" if progress and progress.last_step is not None else ""
    if status == "completed":
        return f"No failure found; the run completed{step}."
    if status == "recovered":
        return f"No failure found at the end; the run recovered from {max(survived, 1)} earlier fault(s) and completed{step}."
    if status == "running":
        return f"No failure found; the run is going on{step}."
    return f"No failure found in what was read; the log ends{step} without saying that the run completed."


def summary(root: Incident, culprit: Subject | None, status: str, step: int | None) -> str:
    """Return one line that stands for the whole diagnosis."""
    actor = who(culprit)
    title = modes()[root.mode].title or root.matches[0].title
    at = f" after step {step}" if step is not None else ""
    return f"{_upper(status)}{at}: {_lower(title)}{f' ({actor})' if actor else ''}."


def confirmed(facts: Facts) -> tuple[str, ...]:
    """Return settings worth naming beside any cause, as `name=value`."""
    wanted = ("precision", "lr", "batch_size", "grad_clip", "num_workers", "world_size")
    seen: dict[str, str] = {}
    for setting in facts.settings:
        if setting.role in wanted and setting.role not in seen:
            seen[setting.role] = f"{setting.name}={setting.value}"
    return tuple(seen[role] for role in wanted if role in seen)


def _join(items: Sequence[str]) -> str:
    return ", ".join(items[:4])


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
