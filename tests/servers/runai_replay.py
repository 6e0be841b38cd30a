"""What the six read tools of a Run:ai control plane answer about one scenario, and whether they were asked as they should be.

Unknown arguments are refused. Calls out of order, calls that nothing calls for and calls of tools that change something are recorded
as faults; a test asserts that there are none.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

CLUSTER = "c0ffee00-0000-4000-8000-000000000001"
PROJECT = "vision"
READS = (
    "list_workloads",
    "get_workload_status",
    "get_workload_spec",
    "get_workload_pods",
    "get_workload_history",
    "get_workload_metrics",
)
TEMPTATIONS = ("delete_workload", "resume_workload", "call_runai_api", "get_secret")
"""Tools that a careless server offers as well."""
_KNOWN = {
    "list_workloads": {"name", "clusterId", "projectName", "sortBy", "sortOrder", "limit", "offset"},
    "get_workload_status": {"workloadId"},
    "get_workload_spec": {"workloadId"},
    "get_workload_pods": {"workloadId"},
    "get_workload_history": {"workloadId", "limit", "offset"},
    "get_workload_metrics": {"workloadId", "start", "end", "numberOfSamples"},
}

Answer = dict[str, Any]


class Refused(Exception):
    """The tool answers with an error."""


@dataclass
class Run:
    """What is known of one submission: the answers of the tools, as far as they have any."""

    id: str
    status: Answer
    spec: Answer | None = None
    pods: list[Answer] = field(default_factory=list)
    records: list[Answer] = field(default_factory=list)
    measurements: list[Answer] = field(default_factory=list)


@dataclass
class Replay:
    """Answers about `runs`; `listed` are the rows of the list. `broken` tools answer with an error, `slow` ones after so many seconds,
    `dies_at` ends the process at a tool's first call."""

    runs: list[Run]
    listed: list[Answer] = field(default_factory=list)
    page: int = 50
    broken: dict[str, str] = field(default_factory=dict)
    slow: dict[str, float] = field(default_factory=dict)
    dies_at: str = ""
    calls: list[tuple[str, Answer]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def call(self, tool: str, arguments: Answer) -> Answer:
        """Return the answer of a tool. Raises Refused."""
        self.calls.append((tool, arguments))
        if tool not in READS:
            self.faults.append(f"{tool} was called")
            raise Refused(f"{tool} is not for readers")
        unknown = sorted(set(arguments) - _KNOWN[tool])
        if unknown:
            self.faults.append(f"{tool}: unknown argument {unknown[0]}")
            raise Refused(f"unknown argument: {unknown[0]}")
        self._in_order(tool, arguments)
        time.sleep(self.slow.get(tool, 0.0))
        if tool in self.broken:
            raise Refused(self.broken[tool])
        return self._list(arguments) if tool == "list_workloads" else self._about(tool, arguments)

    def _in_order(self, tool: str, arguments: Answer) -> None:
        """Record a call that comes before its time."""
        identity = arguments.get("workloadId")
        before = [name for name, given in self.calls[:-1] if given.get("workloadId") == identity]
        needs = {
            "get_workload_spec": ["get_workload_status"],
            "get_workload_pods": ["get_workload_status"],
            "get_workload_history": ["get_workload_status"],
            "get_workload_metrics": [
                "get_workload_status",
                "get_workload_spec",
                "get_workload_pods",
                "get_workload_history",
            ],
        }
        for need in needs.get(tool, []):
            if need not in before:
                self.faults.append(f"{tool} before {need}")
        if tool not in ("list_workloads", "get_workload_history") and tool in before:
            self.faults.append(f"{tool} twice")

    def _list(self, arguments: Answer) -> Answer:
        project = arguments.get("projectName")
        if not isinstance(project, dict) or project.get("operator") != "==" or set(project) != {"operator", "value"}:
            self.faults.append("projectName is no exact comparison")
        if (arguments.get("sortBy"), arguments.get("sortOrder")) != ("phaseUpdatedAt", "desc"):
            self.faults.append("the newest are not asked for first")
        wanted = {
            "name": arguments.get("name"),
            "clusterId": arguments.get("clusterId"),
            "projectName": project["value"],
        }
        rows = [row for row in self.listed if all(row[key] == value for key, value in wanted.items())]
        rows.sort(key=lambda row: row["phaseUpdatedAt"], reverse=True)
        start, size = arguments.get("offset", 0), arguments.get("limit") or self.page
        end = min(start + size, len(rows))
        more = {"nextOffset": end} if end < len(rows) else {}
        return {"workloads": rows[start:end], "hasMore": end < len(rows), **more}

    def _about(self, tool: str, arguments: Answer) -> Answer:
        run = next((run for run in self.runs if run.id == arguments.get("workloadId")), None)
        if run is None:
            raise Refused(f"workload not found: {arguments.get('workloadId')}")
        if tool == "get_workload_status":
            return run.status
        head = {"workloadId": run.id, "type": "Training"}
        if tool == "get_workload_spec":
            return {**head, **({"spec": run.spec} if run.spec is not None else {})}
        if tool == "get_workload_pods":
            return {**head, "pods": run.pods}
        if tool == "get_workload_metrics":
            self._window(arguments)
            return {**head, "measurements": run.measurements}
        return {**head, **self._history(run, arguments)}

    def _history(self, run: Run, arguments: Answer) -> Answer:
        limit, offset = arguments.get("limit"), arguments.get("offset")
        if limit != 50 or type(offset) is not int:
            self.faults.append("history is not asked for in pages of 50")
        pages = [given["offset"] for name, given in self.calls if name == "get_workload_history"]
        if pages != [50 * number for number in range(len(pages))]:
            self.faults.append(f"pages out of order: {pages}")
        end = offset + 50
        return {"records": run.records[offset:end], "next": end if end < len(run.records) else None}

    def _window(self, arguments: Answer) -> None:
        start, end = (datetime.fromisoformat(arguments[name]) for name in ("start", "end"))
        if start.tzinfo is None or end <= start:
            self.faults.append("the window of the metrics is none")
