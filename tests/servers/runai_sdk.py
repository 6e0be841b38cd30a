"""A Run:ai MCP server written with the official SDK: the newest protocol, structured answers."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer

server = MCPServer("runai-sdk")


@server.tool()
def get_workload_status(workloadId: str) -> dict[str, Any]:
    """Return the status of the only workload there is."""
    if workloadId == "none":
        raise ValueError("workload not found: none")
    return {"id": workloadId, "phase": "Failed", "events": []}


if __name__ == "__main__":
    server.run(transport="stdio")
