"""Which way leads to the Run:ai control plane: an MCP server, or the REST API with a token or an application's secret."""

from __future__ import annotations

import os
from collections.abc import Mapping

from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.runai_reads import RunAiReads

MCP_VARIABLE = "RUNAI_MCP"
"""Names an MCP server: a command line or a URL."""
API_VARIABLE = "RUNAI_URL"
"""Names the REST API."""
_TOKEN = "RUNAI_TOKEN"


def reads_of(
    *,
    mcp: str | None = None,
    api: str | None = None,
    token_env: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> RunAiReads:
    """Return the way to the control plane that was chosen, or else the one the environment names. Raises `TargetError`."""
    variables = os.environ if environment is None else environment
    token = variables.get(token_env or _TOKEN)
    if token_env and token is None:
        raise TargetError(f"the environment variable {token_env} is to hold the token and is not set", USAGE)
    server = mcp or (None if api else variables.get(MCP_VARIABLE))
    if server:
        from runtriage.targets.mcp_client import McpReads

        return McpReads(server, token=token)
    base = api or variables.get(API_VARIABLE)
    if base:
        from runtriage.targets.runai_rest import RestReads

        return RestReads(base, token=token, environment=variables)
    raise TargetError(
        f"no way to Run:ai: give --mcp 'COMMAND' or --mcp URL, or --api URL (or set {MCP_VARIABLE} or {API_VARIABLE})",
        USAGE,
    )
