"""diagnose(): one target in, one report out."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from runtriage.api.assemble import assemble
from runtriage.api.history import Memory
from runtriage.api.prepared import Prepared, prepare
from runtriage.api.surroundings import with_context
from runtriage.model.facts import Facts
from runtriage.model.options import Options
from runtriage.model.report import Report
from runtriage.model.target import Cache, Progress, Target
from runtriage.pipeline import Pipeline
from runtriage.redact import DEFAULT, Policy, clean, clean_document, strict
from runtriage.store.memory import MemoryCache
from runtriage.targets import resolve

_PROCESS = MemoryCache()


def diagnose(
    target: str | Sequence[str],
    *,
    options: Options | None = None,
    data: Sequence[str] = (),
    signatures: Sequence[Path] = (),
    cache: Cache | None = None,
    progress: Progress | None = None,
    run_id: str | None = None,
    prepared: Prepared | None = None,
    history: Memory | None = None,
) -> Report:
    """Diagnose one run and return its report.

    `target` is a path, `-`, or `SCHEME:REST`; several paths are one run. Raises `runtriage.targets.TargetError` when the
    target does not exist or cannot be read; everything else that goes wrong while reading is said in the report's coverage. Without a
    `cache` what was compiled is kept for the life of the process. `prepared` takes the place of `signatures` where many runs are
    diagnosed with the same ones. Without a `history` nothing is remembered. `data` names
    tables of training data to look through.
    """
    names = [target] if isinstance(target, str) else list(target)
    with resolve(names, data=data, tables=bool(options and options.label_column)) as opened:
        return diagnose_opened(
            opened,
            options=options,
            signatures=signatures,
            cache=cache,
            progress=progress,
            run_id=run_id,
            prepared=prepared,
            history=history,
        )


def diagnose_opened(
    opened: Target,
    *,
    options: Options | None = None,
    signatures: Sequence[Path] = (),
    cache: Cache | None = None,
    progress: Progress | None = None,
    run_id: str | None = None,
    prepared: Prepared | None = None,
    history: Memory | None = None,
) -> Report:
    """Diagnose a target that is open already; the rest is as in `diagnose`."""
    started = time.monotonic()
    chosen = options or Options()
    kept = cache or _PROCESS
    ready = prepared or prepare(signatures, kept)
    pipeline = Pipeline(
        opened, ready.catalogue, chosen, policy=DEFAULT, cache=kept, progress=progress, rules=ready.rules
    )
    diagnosis = pipeline.run()
    report = assemble(
        diagnosis,
        run_id=run_id or uuid.uuid4().hex,
        timestamp=datetime.now(UTC).isoformat(timespec="seconds"),
        duration=round(time.monotonic() - started, 3),
    )
    if chosen.context:
        artifacts = {read.artifact.path: read.artifact for read in diagnosis.facts.reads}
        report = with_context(report, opened, artifacts, chosen.context, DEFAULT)
    if history is None:
        return _shown(report, diagnosis.facts)
    recalled = history.recall(report, diagnosis)
    recalled = replace(recalled, report=_shown(recalled.report, diagnosis.facts))
    history.keep(recalled, diagnosis)
    return recalled.report


def _shown(report: Report, facts: Facts) -> Report:
    """Return the report without what its reader must not see."""
    if facts.options.strict_redaction:
        return _cleaned(report, strict())
    return _cleaned(report, DEFAULT) if _tells_secrets(facts) else report


def _tells_secrets(facts: Facts) -> bool:
    """Tell whether the name of a file or of a folder above it holds what no report may: files are read under their real names."""
    names = [name for read in facts.reads for name in (read.artifact.path, read.artifact.reach or "")]
    names += [outcome.request.args.get("path", "") for outcome in facts.outcomes]
    text = "\n".join(names)
    return clean(text) != text


def _cleaned(report: Report, policy: Policy) -> Report:
    return Report.model_validate(clean_document(report.model_dump(by_alias=True), policy))
