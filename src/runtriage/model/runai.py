"""Names that the reading and the judging of Run:ai workloads share: the six read tools and the arguments of a request."""

from __future__ import annotations

from typing import Final

LIST: Final = "list_workloads"
STATUS: Final = "get_workload_status"
SPEC: Final = "get_workload_spec"
PODS: Final = "get_workload_pods"
HISTORY: Final = "get_workload_history"
METRICS: Final = "get_workload_metrics"
TOOLS: Final = (LIST, STATUS, SPEC, PODS, HISTORY, METRICS)
"""Every tool that may ever be called, whatever else a server offers."""

KIND: Final = "runai/"
"""Requests for a tool have the kind `runai/TOOL`."""
TERMINAL: Final = "terminal"
ACTIVE: Final = "active"
INTENTS: Final = (TERMINAL, ACTIVE)
NOT_FOUND: Final = "no such workload"
"""How the reason of an unavailable answer begins where the platform knows no such workload."""


def kind(tool: str) -> str:
    """Return the request kind of a tool."""
    return f"{KIND}{tool}"
