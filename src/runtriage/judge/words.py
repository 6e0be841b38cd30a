"""The sentences of a verdict, built from this run's own values."""

from __future__ import annotations

from collections.abc import Sequence

from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Match
from runtriage.model.place import where
from runtriage.model.subject import Subject
from runtriage.model.taxonomy import modes
from runtriage.model.verdict import Cascade, Incident

_MESSAGE = 240
_LINE = 120
_NAMED_RANKS = 8
"""Ranks that are named one by one."""
_VAGUE = ("/unhandled-exception", "/exit-no-error")
"""Modes whose titles only say that a reason is missing."""
_SENDERLESS = ("/sigkill-unknown", "/sigterm-external")
"""Modes that ask who sent a signal: the root answers that."""
_UNSET = frozenset({"div/overfitting"})
"""Modes on which none of the settings of their class has a bearing."""
_TURNED = frozenset({"diverged", "degraded"})
"""States that a run is in from some step on, while it goes on."""
_WAITED = "nccl/watchdog-timeout"
"""Is reported by whoever waited, not by the rank that did not come."""
_BEARING = {
    "oom": ("batch_size", "precision", "num_workers"),
    "nan-inf": ("lr", "precision", "grad_clip"),
    "optimization-divergence": ("lr", "grad_clip", "precision"),
    "data-pipeline": ("num_workers", "batch_size"),
    "nccl-distributed": ("world_size",),
    "stalled": ("num_workers", "world_size"),
}
"""Roles of settings that can have a part in a failure of each class, most telling first."""
_PLAIN = frozenset(
    {
        "A",
        "An",
        "The",
        "One",
        "Two",
        "Some",
        "Somebody",
        "No",
        "There",
        "This",
        "It",
        "Another",
        "Every",
        "All",
        "Not",
        "Only",
        "Training",
        "Saving",
        "Loading",
        "Reading",
        "Loss",
        "Evaluation",
        "Rank",
        "Ranks",
        "Local",
        "Model",
        "Checkpoint",
        "Preempted",
    }
)


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
    frame = _frame(first)
    place = f" at {frame}" if frame else ""
    actor = who(culprit)
    step = f", after step {root.step}" if root.step is not None else ""
    actor = _ranks(_waiters(root, culprit)) or actor
    return f"{_statement(first)}{place}{f' ({actor})' if actor else ''}{step}, printed at {where(first.evidence[0].citation)}."


def cause(root: Incident, culprit: Subject | None, settings: Sequence[str], effects: Sequence[Cascade]) -> str:
    """Return the root cause in one to three sentences: what failed, where, and what followed from it."""
    first = root.matches[0]
    opening = _statement(first)
    frame = first.captures.get("user_frame", "")
    place = f" (at {frame})" if frame and frame not in opening else ""
    waiters = _waiters(root, culprit)
    failed = _gave_up(waiters, opening, who(culprit)) if waiters else _failed(root, opening, who(culprit))
    sentences = [f"{failed}{place}."]
    message = clipped(first.captures.get("message", "").split("\n")[0].rstrip(". :"), _MESSAGE)
    if message and message[:40].lower() not in opening.lower() and ": " not in opening:
        sentences.append(f"The message was: {message}.")
    elif settings:
        sentences.append(f"The configuration has {_join(settings)}.")
    told = (lowered(item.text) for item in effects if not item.mode.endswith((*_VAGUE, *_SENDERLESS)))
    followed = list(dict.fromkeys(told))[:2]
    if followed:
        sentences.append(f"Consequence{'s' if len(followed) > 1 else ''}: {'; '.join(followed)}.")
    return " ".join(sentences)


def _failed(root: Incident, opening: str, actor: str) -> str:
    """Return the statement with its actor and the last step before it: an exception is what an actor failed with."""
    name = root.matches[0].captures.get("exception")
    step = f"after step {root.step}" if root.step is not None and "step" not in opening else ""
    if name and opening.startswith(name):
        verb, by = ("was stopped", "by") if name == "KeyboardInterrupt" else ("failed", "with")
        doer = f"A process {actor}" if actor.startswith("on node") else upper(actor) or "The run"
        return " ".join(filter(None, (doer, verb, step, by, opening)))
    known = actor if "rank" not in opening[:12].lower() else ""
    lead = " ".join(filter(None, (known, step)))
    return f"{upper(lead)}{':' if known else ','} {lowered(opening)}" if lead else upper(opening)


def _waiters(root: Incident, culprit: Subject | None) -> list[int]:
    """Return the ranks that report that they waited, where the one they waited for reports nothing of the kind; else none."""
    if root.mode != _WAITED or culprit is None or culprit.rank is None:
        return []
    ranks = {match.subject.rank for match in root.matches if match.subject.rank is not None}
    return [] if culprit.rank in ranks else sorted(ranks)


def _ranks(ranks: Sequence[int]) -> str:
    """Return `rank 0`, `ranks 0, 1 and 3`, or `12 ranks` where they are too many to name."""
    if len(ranks) < 2:
        return f"rank {ranks[0]}" if ranks else ""
    if len(ranks) > _NAMED_RANKS:
        return f"{len(ranks)} ranks"
    return f"ranks {', '.join(map(str, ranks[:-1]))} and {ranks[-1]}"


def _gave_up(waiters: Sequence[int], opening: str, awaited: str) -> str:
    return (
        f"{upper(_ranks(waiters))} gave up waiting, and {awaited} printed nothing in what was read: {lowered(opening)}"
    )


def _frame(match: Match) -> str:
    return match.captures.get("user_frame") or match.captures.get("raised_in") or ""


def _statement(match: Match) -> str:
    """Return the claim without the line it may end with, at most two sentences long where it is long."""
    claim = match.evidence[0].claim
    frame = _frame(match)
    return clipped(claim.removesuffix(f" (at {frame})").rstrip(". :"), _MESSAGE)


def clipped(text: str, limit: int) -> str:
    """Return the text cut after its last whole sentence, or else its last whole word, within the limit; inside a word that is most of it."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    sentence = head.rfind(". ")
    if sentence >= limit // 3:
        return head[:sentence]
    words = head.rpartition(" ")[0]
    return f"{words} ..." if len(words) >= limit // 3 else f"{head}..."


def quiet(
    status: str,
    progress: RankProgress | None,
    survived: int,
    *,
    refused: bool = False,
    unread: bool = False,
    blank: bool = False,
) -> str:
    """Return the summary of a run in which nothing failed; `refused` when not all there is of it could be read, `unread` when nothing, `blank` when it holds no text."""
    step = f" at step {progress.last_step}" if progress and progress.last_step is not None else ""
    if status == "completed":
        return f"No failure found; the run completed{step}."
    if status == "recovered":
        faults = f"{survived:,} earlier faults" if survived > 1 else "an earlier fault"
        return f"No failure found at the end; the run recovered from {faults} and completed{step}."
    if status == "running":
        return f"No failure found{' in what could be read' if refused else ''}; the run is going on{step}."
    if unread:
        return "Nothing of it could be read as a run."
    if blank:
        return "What was read is empty: the run wrote nothing, or wrote it elsewhere."
    return f"No failure found in what was read; the log ends{step} without saying that the run completed."


def summary(root: Incident, culprit: Subject | None, status: str, step: int | None) -> str:
    """Return one line that stands for the whole diagnosis; `step` is the last one, of no account where a metric tells the one at which it turned."""
    actor = who(culprit)
    title = modes()[root.mode].title or root.matches[0].title
    if root.mode.endswith(_VAGUE):
        title = clipped(_statement(root.matches[0]), _LINE)
    turned = root.step if status in _TURNED and root.matches[0].tier == "metric" else None
    at = f" after step {step}" if step is not None else ""
    at = at if turned is None else f" from step {turned} on"
    actor = f"waited for {actor}" if _waiters(root, culprit) else actor
    return f"{upper(status)}{at}: {lowered(title)}{f' ({actor})' if actor else ''}."


def confirmed(facts: Facts, mode: str, primary_class: str) -> tuple[str, ...]:
    """Return the settings that bear on a cause of this mode and class, as `name=value`."""
    wanted = () if mode in _UNSET else _BEARING.get(primary_class, ())
    seen: dict[str, str] = {}
    for setting in facts.settings:
        if setting.role is not None and setting.role in wanted and setting.role not in seen:
            seen[setting.role] = f"{setting.name}={setting.value}"
    return tuple(seen[role] for role in wanted if role in seen)


def _join(items: Sequence[str]) -> str:
    return ", ".join(items[:4])


def upper(text: str) -> str:
    """Return the text as the start of a sentence; a metric's name stays as it is written, and so does one like cuDNN."""
    first = text.partition(" ")[0]
    named = any(mark in first for mark in "_/.") or any(letter.isupper() for letter in first[1:])
    return text if named else text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """Return a sentence as the rest of another: only words that are surely no name lose their capital."""
    first = text.partition(" ")[0]
    return f"{first.lower()}{text[len(first) :]}" if first in _PLAIN else text
