"""diagnose(): one target in, one report out."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from msgspec import convert, to_builtins
from msgspec.structs import replace

from runtriage.api.assemble import assemble
from runtriage.api.cited import with_bytes
from runtriage.api.history import Memory
from runtriage.api.prepared import Prepared, prepare
from runtriage.api.surroundings import with_context
from runtriage.model.facts import Facts
from runtriage.model.options import Options
from runtriage.model.programs import PROGRAMS
from runtriage.model.report import Report
from runtriage.model.target import Cache, Progress, Target
from runtriage.pipeline import Diagnosis, Pipeline
from runtriage.redact import DEFAULT, Policy, clean, clean_document, strict
from runtriage.render.workflow_summary import summary
from runtriage.store.memory import MemoryCache
from runtriage.targets import resolve
from runtriage.targets.together import OpenTarget

_PROCESS = MemoryCache()
Look = Callable[[Target, Facts], None]
_STORED: Final = ("s3:", "gs:", "az:", "workflow:")


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
    look: Look | None = None,
) -> Report:
    """Diagnose one run and return its report.

    `target` is a path, `-`, or `SCHEME:REST`; several paths are one run. Raises `runtriage.targets.TargetError` when the
    target does not exist or cannot be read; everything else that goes wrong while reading is said in the report's coverage. Without a
    `cache` what was compiled is kept for the life of the process. `prepared` takes the place of `signatures` where many runs are
    diagnosed with the same ones. Without a `history` nothing is remembered. `data` names
    tables of training data to look through. `look` is handed the open target and all that was learnt of it.
    """
    PROGRAMS.recall(cache or _PROCESS)
    names = [target] if isinstance(target, str) else list(target)
    found, workflow = _opened(names, data, tables=bool(options and options.label_column))
    with found as opened:
        return diagnose_opened(
            opened,
            options=options,
            signatures=signatures,
            cache=cache,
            progress=progress,
            run_id=run_id,
            prepared=prepared,
            history=history,
            workflow=workflow,
            look=look,
        )


def _opened(names: Sequence[str], data: Sequence[str], *, tables: bool) -> tuple[OpenTarget, Mapping[str, Any] | None]:
    """Return the target, and the state of the workflow run where it is one."""
    if len(names) == 1 and names[0].startswith(_STORED) and not data:
        from runtriage.api.workflow_diagnosis import opened

        return opened(names[0])
    found = resolve(names, data=data, tables=tables)
    if len(names) == 1 and (Path(names[0]) / "npa-workflow").is_dir():
        from runtriage.api.workflow_diagnosis import of_folder

        return found, of_folder(names[0])
    return found, None


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
    workflow: Mapping[str, Any] | None = None,
    look: Look | None = None,
) -> Report:
    """Diagnose a target that is open already; `workflow` is the state of the run it is, the rest is as in `diagnose`."""
    started = time.monotonic()
    chosen = options or Options()
    kept = cache or _PROCESS
    PROGRAMS.recall(kept)
    ready = prepared or prepare(signatures, kept)
    pipeline = Pipeline(
        opened, ready.catalogue, chosen, policy=DEFAULT, cache=kept, progress=progress, rules=ready.rules, scans=cache
    )
    diagnosis = pipeline.run()
    if look is not None:
        look(opened, diagnosis.facts)
    report = assemble(
        diagnosis,
        run_id=run_id or uuid.uuid4().hex,
        timestamp=datetime.now(UTC).isoformat(timespec="seconds"),
        duration=round(time.monotonic() - started, 3),
    )
    if workflow is not None:
        report = _with_workflow(report, workflow)
    report = _remembered(_read_again(report, opened, diagnosis.facts), diagnosis, history)
    PROGRAMS.keep(kept)
    return report


def _remembered(report: Report, diagnosis: Diagnosis, history: Memory | None) -> Report:
    """Return the report as its reader may see it, with what the history says where there is one."""
    if history is None:
        return _shown(report, diagnosis.facts)
    recalled = history.recall(report, diagnosis)
    recalled = recalled._replace(report=_shown(recalled.report, diagnosis.facts))
    history.keep(recalled, diagnosis)
    return recalled.report


def _read_again(report: Report, opened: Target, facts: Facts) -> Report:
    """Return the report with the bytes that its citations lack, and the lines around them that were asked for."""
    report = with_bytes(report, opened, facts.reads, DEFAULT)
    count = facts.options.context
    return with_context(report, opened, facts.reads, count, DEFAULT) if count else report


def _with_workflow(report: Report, workflow: Mapping[str, Any]) -> Report:
    return replace(report, workflow=dict(workflow), platform_lines=[*report.platform_lines, *summary(workflow)])


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
    return convert(clean_document(to_builtins(report), policy), Report)
