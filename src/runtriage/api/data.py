"""The data checks of a report: what each table holds that a training run may stumble over."""

from __future__ import annotations

from runtriage.detect.data_findings import findings
from runtriage.model.facts import Facts
from runtriage.model.report import DataModel
from runtriage.redact import MARKER


def data(facts: Facts) -> list[DataModel]:
    """Return what the tables that were looked through show, one entry a table."""
    return [
        DataModel(
            artifact=table.artifact,
            rows=table.rows,
            label=table.label.column.name if table.label else None,
            findings=[*findings(table, facts, MARKER)],
            cut=table.cut,
        )
        for table in facts.tables
    ]
